// SPDX-License-Identifier: MIT
// Part of Zoetrope. Lists of names in the metadata of model files: one name per line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zoe::control {

// Every line ends in '\n'. Text after the last '\n' is not a line.
inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    lines.emplace_back(text.substr(0, end));
  }
  return lines;
}

}  // namespace zoe::control
