// SPDX-License-Identifier: MIT
// Part of Zoetrope. Vectors of characters and props: turns about the vertical, and limits.
#pragma once

#include "zoe/math/portable.h"
#include "zoe/math/vec.h"

namespace zoe::control {

// About +Y.
inline Vec3 turned_level(Vec3 v, float angle_rad) noexcept {
  const float s = portable_sin(angle_rad), c = portable_cos(angle_rad);
  return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}
inline Vec3 limited(Vec3 v, float most) noexcept {
  const float far = length(v);
  return far > most ? v * (most / far) : v;
}

}  // namespace zoe::control
