// SPDX-License-Identifier: MIT
// Part of Zoetrope. Level of detail of a crowd. Characters far from the camera run their model less often, and
// extrapolate in between.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "zoe/core/state_archive.h"
#include "zoe/math/vec.h"

namespace zoe::control {

struct DetailOptions {
  Vec3 eye;  // World space.
  // Distances beyond which a character runs every second and every third step.
  float half_from_m = 20, third_from_m = 40;
  // Hysteresis: a character must be nearer by this fraction of the distance before its detail increases.
  float slack = 0.1F;
  // The budget: at most this number of characters, the nearest, run every step, and every second step.
  int max_full = std::numeric_limits<int>::max(), max_half = std::numeric_limits<int>::max();
};

class DetailLevels {
 public:
  explicit DetailLevels(std::size_t num_characters);

  // positions: [characters], world space.
  void update(std::span<const Vec3> positions, const DetailOptions& options) noexcept;

  // A new character: as after the constructor.
  void forget(std::size_t index) noexcept { levels_[index] = by_distance_[index] = 1; }
  // The model runs at one step of this number: 1, 2 or 3.
  int steps_an_answer(std::size_t index) const { return levels_[index]; }
  // True if the model runs at this step of the character. Characters of one level take turns.
  bool asks(std::size_t index, std::int64_t step) const {
    const int every = levels_[index];
    return every == 1 || (step + static_cast<std::int64_t>(index)) % every == 0;
  }
  void describe(StateArchive& archive);

 private:
  void keep_nearest(std::uint8_t level, int most) noexcept;

  std::vector<std::uint8_t> levels_;       // [characters] 1, 2 or 3.
  std::vector<std::uint8_t> by_distance_;  // [characters] The same without a budget, for the hysteresis.
  std::vector<float> squared_m_;           // [characters] Distance from the eye. Scratch, as is order_.
  std::vector<std::uint32_t> order_;
};

}  // namespace zoe::control
