// SPDX-License-Identifier: MIT
// Part of Zoetrope. Who of a crowd is worth how much: characters far from the eye ask their model
// less often, and go on as before in between.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::control {

struct DetailOptions {
  Vec3 eye;                                   // World space.
  float half_from_m = 20, third_from_m = 40;  // From so far on every second, every third step.
  float slack = 0.1F;                         // So much nearer, in shares of the distance, before it gets more again.
  // The budget: at most so many have every step, and every second; the nearest ones.
  int max_full = std::numeric_limits<int>::max(), max_half = std::numeric_limits<int>::max();
};

class DetailLevels {
 public:
  explicit DetailLevels(std::size_t max_places);

  void update(std::span<const Vec3> places, const DetailOptions& options) noexcept;

  // The model is asked at one step of so many: 1, 2 or 3.
  int steps_an_answer(std::size_t index) const { return levels_[index]; }
  // Whether it is asked at this step of the character; those of one level take turns.
  bool asks(std::size_t index, std::int64_t step) const {
    const int every = levels_[index];
    return every == 1 || (step + static_cast<std::int64_t>(index)) % every == 0;
  }

 private:
  void keep_nearest(std::uint8_t level, int most) noexcept;

  std::vector<std::uint8_t> levels_, by_distance_;  // [places]
  std::vector<float> squared_m_;                    // [places] From the eye.
  std::vector<std::uint32_t> order_;
};

}  // namespace zoe::control
