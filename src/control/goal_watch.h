// SPDX-License-Identifier: MIT
// Part of Zoetrope. Of a character on its way to a goal: whether it comes nearer, and how slow it may be.
#pragma once

#include "zoe/math/portable.h"
#include "zoe/math/vec.h"

namespace zoe::control {

// A goal is out of reach when the distance to it did not decrease by this amount for a while.
inline constexpr float kNearerBy_m = 0.05F;
inline constexpr float kArrived_m = 0.15F;

// Led to a goal at less than this fraction of their speed, bodies tread on the spot: CMU's walkers at 0.43.
inline constexpr float kSlowestShare = 0.6F;

inline float planar_distance(Vec3 a, Vec3 b) { return portable_hypot(a.x - b.x, a.z - b.z); }

}  // namespace zoe::control
