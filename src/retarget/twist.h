// SPDX-License-Identifier: MIT
// Part of Zoetrope. The part of a rotation about an axis.
#pragma once

#include <cmath>

#include "zoe/math/quat.h"

namespace zoe::retarget_detail {

// `axis`: unit. Identity where the rotation turns by half a turn about another axis.
inline Quat twist_about(Quat q, Vec3 axis) {
  const float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
  const float size = std::sqrt(along * along + q.w * q.w);
  if (!(size > 1e-6F)) return {};
  return {axis.x * along / size, axis.y * along / size, axis.z * along / size, q.w / size};
}

}  // namespace zoe::retarget_detail
