// SPDX-License-Identifier: MIT
#include "synth/life.h"

#include <cmath>
#include <numbers>

namespace zoe::synth {

Wander::Wander(Random random, float slowest_hz) {
  for (int i = 0; i < 3; ++i) {
    hz_[i] = slowest_hz * (1 + 0.83F * static_cast<float>(i)) * random.uniform(0.85F, 1.15F);
    phase_[i] = random.uniform(0, 2 * std::numbers::pi_v<float>);
  }
}

float Wander::at(double time_s) const {
  float sum = 0, weight = 0.55F;
  for (int i = 0; i < 3; ++i, weight *= 0.6F)
    sum += weight * std::sin(2 * std::numbers::pi_v<float> * hz_[i] * static_cast<float>(time_s) + phase_[i]);
  return sum;
}

}  // namespace zoe::synth
