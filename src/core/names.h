// SPDX-License-Identifier: MIT
// Part of Zoetrope. Names inside containers.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "zoe/core/array.h"

namespace zoe {

inline bool names_are_unique(std::span<const NamedArray> arrays) {
  std::vector<std::string_view> names;
  for (const NamedArray& array : arrays) names.push_back(array.name);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

}  // namespace zoe
