// SPDX-License-Identifier: MIT
// Part of Zoetrope. Axes and directions in the form that rows have.
#pragma once

#include <cmath>

#include "zoe/math/affine.h"
#include "zoe/math/portable.h"
#include "zoe/math/quat.h"

#include "features/yaw.h"

namespace zoe::features {

inline void put(float* out, Vec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

// Axes of a joint that may be scaled. For a mirrored one (some rigs scale nubs by -1) the opposite ones.
inline float handedness(const Affine& m) { return dot(cross(m.x, m.y), m.z) < 0 ? -1.0F : 1.0F; }
inline Quat unscaled_rotation(const Affine& m) {
  const float sign = handedness(m);
  return rotation_of(Affine{normalized(m.x) * sign, normalized(m.y) * sign, normalized(m.z) * sign, {}});
}

// Heading of a direction on the ground. Forward where it has none.
inline Yaw yaw_along(Vec3 direction) {
  const float length = portable_hypot(direction.x, direction.z);
  return length > 1e-6F ? Yaw{direction.x / length, direction.z / length} : Yaw{};
}

}  // namespace zoe::features
