// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. `--size WIDTHxHEIGHT`.
#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "zoe/core/result.h"

namespace zoe::cli {

inline Result<std::pair<int, int>> parse_size(const std::string& text) {
  int width = 0, height = 0, used = 0;
  if (std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &used) != 2 ||
      static_cast<std::size_t>(used) != text.size() || width < 16 || height < 16 || width > 16384 || height > 16384) {
    return Error{ErrorCode::kUsage, fmt::format("--size '{}': WIDTHxHEIGHT, 16 to 16384 pixels each", text)};
  }
  return std::pair{width, height};
}

}  // namespace zoe::cli
