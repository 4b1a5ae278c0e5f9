// SPDX-License-Identifier: MIT
// Part of Zoetrope. Slow noise of about -1 to 1: what a style differs by from moment to moment.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "zoe/core/random.h"

namespace zoe::style {

struct Mood {
  Mood(Random random, float slowest_hz) {
    constexpr float kCircle = 2 * std::numbers::pi_v<float>;
    for (std::size_t i = 0; i < 3; ++i) {
      hz[i] = slowest_hz * (1 + 0.8F * static_cast<float>(i)) * random.uniform(0.8F, 1.2F);
      phase[i] = random.uniform(0, kCircle);
    }
  }
  float at(float time_s) const {
    constexpr float kCircle = 2 * std::numbers::pi_v<float>;
    float sum = 0, weight = 0.55F;
    for (std::size_t i = 0; i < 3; ++i, weight *= 0.6F) sum += weight * std::sin(kCircle * hz[i] * time_s + phase[i]);
    return sum;
  }
  std::array<float, 3> hz{}, phase{};
};

}  // namespace zoe::style
