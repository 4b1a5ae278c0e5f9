// SPDX-License-Identifier: MIT
// Part of Zoetrope. Levels of detail in a crowd: characters far from the eye evaluate their model less often, and
// continue their motion in between.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "zoe/core/state_archive.h"
#include "zoe/math/vec.h"

namespace zoe::control {

struct DetailOptions {
  Vec3 eye;                                   // World space.
  float half_from_m = 20, third_from_m = 40;  // Beyond these distances: every second step, every third.
  // Hysteresis: a character returns to more detail when it is nearer than the border by this share of it.
  float slack = 0.1F;
  // The budget: at most this many have every step, and at most this many every second one; the nearest.
  int max_full = std::numeric_limits<int>::max(), max_half = std::numeric_limits<int>::max();
};

class DetailLevels {
 public:
  explicit DetailLevels(std::size_t num_characters);

  // positions: [characters], world space.
  void update(std::span<const Vec3> positions, const DetailOptions& options) noexcept;

  // The model is evaluated at one of this many steps: 1, 2 or 3.
  int steps_an_answer(std::size_t index) const { return levels_[index]; }
  // Whether it is evaluated at this step of the character. Characters of one level take turns.
  bool asks(std::size_t index, std::int64_t step) const {
    const int every = levels_[index];
    return every == 1 || (step + static_cast<std::int64_t>(index)) % every == 0;
  }
  void describe(StateArchive& archive);

 private:
  void keep_nearest(std::uint8_t level, int most) noexcept;

  std::vector<std::uint8_t> levels_;       // [characters] 1, 2 or 3.
  std::vector<std::uint8_t> by_distance_;  // [characters] The same without a budget: what hysteresis remembers.
  std::vector<float> squared_m_;           // [characters] Distance from the eye. Scratch, as is order_.
  std::vector<std::uint32_t> order_;
};

}  // namespace zoe::control
