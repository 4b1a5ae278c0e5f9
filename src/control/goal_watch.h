// SPDX-License-Identifier: MIT
// Part of Zoetrope. Whether a character comes nearer to its goal.
#pragma once

#include "zoe/math/portable.h"
#include "zoe/math/vec.h"

namespace zoe::control {

// A goal is out of reach when the distance to it did not decrease by this amount for a while.
inline constexpr float kNearerBy_m = 0.05F;
inline constexpr float kArrived_m = 0.15F;

inline float planar_distance(Vec3 a, Vec3 b) { return portable_hypot(a.x - b.x, a.z - b.z); }

}  // namespace zoe::control
