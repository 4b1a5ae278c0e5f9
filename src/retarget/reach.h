// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a limb stretches towards its goal, and where the goal goes when that is not far enough.
#pragma once

#include "zoe/math/vec.h"

namespace zoe::retarget_detail {

// Leg lengths. A leg that is straight in the source stays straight where that moves its foot by no more. The same
// distance would bend a straight knee by twenty degrees.
inline constexpr float kGive = 0.015F;

// Largest stretch of a limb of this length where the source's stretches to the fraction `share` of its own.
float reach(float whole, float share);

// The fraction of its length that a leg stretches to, where its goal needs `share` and the source has `shown`.
float as_straight(float share, float shown);

// Changes the length of a hip-to-foot vector. In contact only its vertical part changes, so that feet do not slide.
Vec3 stretched(Vec3 way, float to, Vec3 up);

// Lengthens a vector without changing its height: for hands, which must not be pushed into the ground.
Vec3 aside(Vec3 way, float to, Vec3 up);

// At least `least`, without a kink. From `margin` above it, the value itself.
float softly_above(float least, float margin, float value);

}  // namespace zoe::retarget_detail
