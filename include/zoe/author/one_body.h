// SPDX-License-Identifier: MIT
// Part of Zoetrope. Retargets clips of several actors to the body of one actor, in metres, with the ground at y = 0. A
// controller moves one body, and learns badly from legs of different lengths.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/dataset/clip_file.h"

namespace zoe::author {

struct OneBody {
  std::string body;                      // The file that the body comes from.
  std::vector<dataset::ClipFile> files;  // The files that could be retargeted, under their own names.
  Warnings warnings;                     // About the files that could not.
};

// Uses the body of a file. Its skeleton is not changed except for conversion to metres.
Result<OneBody> put_on_body(std::vector<dataset::ClipFile> files, const std::filesystem::path& body_file);
Result<OneBody> put_on_body(std::vector<dataset::ClipFile> files, const io::Asset& body, const std::string& body_name);

// Uses the body of median height among the files whose body has feet.
Result<OneBody> put_on_median_body(std::vector<dataset::ClipFile> files);

}  // namespace zoe::author
