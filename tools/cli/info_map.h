// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `zoe info FOLDER --map FILE`: a map of motions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace zoe::cli {

struct MapRequest {
  std::vector<std::string> inputs;
  std::string output;  // .html or .svg
  std::string by = "auto", encoder;
  int max_points = 4000;
  std::uint64_t seed = 1;
  bool json = false;
};
// Returns an exit code.
int write_map(const MapRequest& request);

}  // namespace zoe::cli
