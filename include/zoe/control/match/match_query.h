// SPDX-License-Identifier: MIT
// Part of Zoetrope. Query and result of a search over frames.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace zoe::control {

constexpr int kMaxMatchDims = 512;  // Of features.

// A frame and its cost: the squared distance in feature space.
struct Match {
  int frame = -1;  // -1: no match.
  float cost = std::numeric_limits<float>::infinity();

  friend bool operator==(const Match&, const Match&) = default;
};

struct MatchQuery {
  std::span<const float> features;  // [num_dims()]. A query that is not finite matches nothing.
  // Candidates have all of all_of and none of none_of.
  std::uint64_t all_of = 0, none_of = 0;
  int skip_begin = 0, skip_end = 0;                         // Frames [begin, end) are skipped.
  float max_cost = std::numeric_limits<float>::infinity();  // Only cheaper frames count.
  // Frames that are likely near, such as the last result. They never change the result, only the time. -1: none.
  std::array<int, 2> hints{-1, -1};
};

}  // namespace zoe::control
