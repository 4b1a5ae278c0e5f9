// SPDX-License-Identifier: MIT
// Part of Zoetrope. Turns about +Y by (sin, cos) of the facing, for roots. Cheaper than quaternions.
#pragma once

#include <cmath>

#include "zoe/math/portable.h"
#include "zoe/math/vec.h"

namespace zoe::features {

struct Yaw {
  float sine = 0, cosine = 1;

  static Yaw of(float facing_rad) { return {portable_sin(facing_rad), portable_cos(facing_rad)}; }
  // From model axes into the root's axes, and back.
  Vec3 into(Vec3 v) const { return {cosine * v.x - sine * v.z, v.y, sine * v.x + cosine * v.z}; }
  Vec3 out_of(Vec3 v) const { return {cosine * v.x + sine * v.z, v.y, cosine * v.z - sine * v.x}; }
};

}  // namespace zoe::features
