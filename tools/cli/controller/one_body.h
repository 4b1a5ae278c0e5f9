// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Clips of several actors on one actor's body, metres, feet on y = 0: a controller moves one
// body, and learns badly from legs of many lengths.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "zoe/core/result.h"

namespace zoe::cli {

struct OneBody {
  std::string body;  // The file whose body it is.
  int num_files = 0;
  Warnings warnings;  // Files that could not be put onto it.
};

// Writes GLB files below `output`, at the same relative places. `body_file` empty: the file of median height.
Result<OneBody> put_on_one_body(const std::vector<std::string>& inputs, const std::string& body_file,
                                const std::filesystem::path& output);

}  // namespace zoe::cli
