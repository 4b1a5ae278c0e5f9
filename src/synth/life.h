// SPDX-License-Identifier: MIT
// Part of Zoetrope. Small movements that make a body look alive.
#pragma once

#include "zoe/core/random.h"

namespace zoe::synth {

// A smooth random number of about -1..1 over time, the same for the same stream.
class Wander {
 public:
  Wander() = default;
  Wander(Random random, float slowest_hz);
  float at(double time_s) const;

 private:
  float hz_[3]{}, phase_[3]{};
};

}  // namespace zoe::synth
