// SPDX-License-Identifier: MIT
// Part of Zoetrope. Clips of several actors on one actor's body, metres, feet on y = 0. A controller moves one body, and
// learns badly from legs of many lengths.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/dataset/clip_file.h"

namespace zoe::author {

struct OneBody {
  std::string body;                      // The file whose body it is.
  std::vector<dataset::ClipFile> files;  // Those that could be put onto it, under their own names.
  Warnings warnings;                     // About the others.
};

// The body of a file; its skeleton is used as the file has it, in metres.
Result<OneBody> put_on_body(std::vector<dataset::ClipFile> files, const std::filesystem::path& body_file);
Result<OneBody> put_on_body(std::vector<dataset::ClipFile> files, const io::Asset& body, const std::string& body_name);

// The body of median height among the files whose body has feet.
Result<OneBody> put_on_median_body(std::vector<dataset::ClipFile> files);

}  // namespace zoe::author
