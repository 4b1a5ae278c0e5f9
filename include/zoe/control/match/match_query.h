// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a search over frames is asked, and its answer.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace zoe::control {

// A frame and what it costs: the squared distance in feature space.
struct Match {
  int frame = -1;  // -1: nothing fits.
  float cost = std::numeric_limits<float>::infinity();

  friend bool operator==(const Match&, const Match&) = default;
};

struct MatchQuery {
  std::span<const float> features;  // [num_dims()]; nothing fits one that is not finite.
  // Frames that have all of these tags and none of those.
  std::uint64_t all_of = 0, none_of = 0;
  int skip_begin = 0, skip_end = 0;                         // Frames [begin, end) do not count.
  float max_cost = std::numeric_limits<float>::infinity();  // Only what is cheaper counts.
  // Frames that are likely near, such as the last answer: they never change the answer, only the
  // time it takes. -1: none.
  std::array<int, 2> hints{-1, -1};
};

}  // namespace zoe::control
