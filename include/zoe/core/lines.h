// SPDX-License-Identifier: MIT
// Part of Zoetrope. Lists of names in the metadata of model files: one name per line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zoe {

// Without the '\n' that ends each. The last line may lack it; an empty line counts only where a '\n' ends it.
inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace zoe
