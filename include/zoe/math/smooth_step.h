// SPDX-License-Identifier: MIT
// Part of Zoetrope. Curves from 0 to 1 with smooth ends; 0 before and 1 after.
#pragma once

#include <algorithm>

namespace zoe {

// No slope at either end.
inline float smooth_step(float t) {
  t = std::clamp(t, 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

// No slope and no curvature at either end.
inline float smoother_step(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return static_cast<float>(t * t * t * (t * (6 * t - 15) + 10));
}

}  // namespace zoe
