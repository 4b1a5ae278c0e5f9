// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Options of two numbers, as `--sizes 0.8,1.2`.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "zoe/core/result.h"

namespace zoe::cli {

using FloatRange = std::pair<float, float>;

// "0.8,1.2", the first not above the second, both within low … high.
inline Result<FloatRange> parse_range(const char* option, const std::string& text, FloatRange within) {
  FloatRange range;
  int used = 0;
  if (std::sscanf(text.c_str(), "%f,%f%n", &range.first, &range.second, &used) == 2 &&
      static_cast<std::size_t>(used) == text.size() && range.first >= within.first && range.second <= within.second &&
      range.first <= range.second) {
    return range;
  }
  return Error{ErrorCode::kUsage,
               fmt::format("{} '{}': two numbers from {} to {}, the smaller one first, as {},{}", option, text,
                           within.first, within.second, within.first, within.second),
               {}};
}

struct RangeOption {
  const char* name;
  const std::string* text;  // Empty: not given.
  FloatRange within;
  std::optional<FloatRange>* out;
};
inline Result<void> read_ranges(std::initializer_list<RangeOption> options) {
  for (const RangeOption& option : options) {
    if (option.text->empty()) continue;
    ZOE_TRY_ASSIGN(*option.out, parse_range(option.name, *option.text, option.within));
  }
  return {};
}

}  // namespace zoe::cli
