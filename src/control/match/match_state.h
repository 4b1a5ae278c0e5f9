// SPDX-License-Identifier: MIT
// Part of Zoetrope. What one character of motion matching keeps between steps.
#pragma once

#include "control/match/steering.h"

namespace zoe::control {

class MatchState final : public SteeredState {
 public:
  MatchState(const Body& body, const FeatureSpace& space) : SteeredState(body, space), current(query) {}

  int frame = 0;  // What plays.
  MatchReport report;
  int last_match = -1;
  std::uint64_t searched_all_of = 0, searched_none_of = 0;  // Tags at the last search.
  std::vector<float> current;                               // [dims]

 protected:
  std::uint64_t hash_more(std::uint64_t hash) const override {
    const float values[] = {static_cast<float>(frame)};
    return SteeredState::hash_more(mix_hash(hash, values));
  }
};

}  // namespace zoe::control
