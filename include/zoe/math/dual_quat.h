// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rigid motions as unit dual quaternions (Kavan et al., "Geometric skinning with approximate dual
// quaternion blending", 2008).
#pragma once

#include "zoe/math/affine.h"
#include "zoe/math/quat.h"

namespace zoe {

// Rotates by `real`, then moves by 2 * dual * conjugate(real). q and -q (both parts) are the same motion.
struct DualQuat {
  Quat real;
  Quat dual{0, 0, 0, 0};

  friend constexpr bool operator==(const DualQuat&, const DualQuat&) = default;
};

constexpr DualQuat to_dual_quat(Quat rotation, Vec3 translation) {
  const Quat half{translation.x * 0.5F, translation.y * 0.5F, translation.z * 0.5F, 0};
  return {rotation, half * rotation};
}
constexpr Vec3 translation_of(const DualQuat& d) {
  const Quat t = d.dual * conjugate(d.real);
  return {2 * t.x, 2 * t.y, 2 * t.z};
}

}  // namespace zoe
