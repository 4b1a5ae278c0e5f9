// SPDX-License-Identifier: MIT
// Part of Zoetrope. Polar decomposition of joint motions, for dual quaternions: m = translation * rotation * stretch.
#pragma once

#include <cmath>

#include "zoe/math/affine.h"
#include "zoe/math/transform.h"

namespace zoe {

// The orthogonal factor of the polar decomposition, by Newton's iteration R <- (R + R^-T) / 2 (Higham 1986). Its
// determinant is that of m in sign. A singular m gives the nearest frame decompose() finds.
inline Affined orthogonal_factor(const Affined& m) {
  Affined r{m.x, m.y, m.z, {}};
  constexpr int kMaxSteps = 30;  // Converges quadratically once near. Large scales take one step per factor of two.
  for (int step = 0; step < kMaxSteps; ++step) {
    const double det = determinant(r);
    if (!(std::abs(det) > 1e-30)) return to_affine(decompose(m).rotation);
    // Columns of the inverse transpose.
    const Vec3d x = cross(r.y, r.z) / det, y = cross(r.z, r.x) / det, z = cross(r.x, r.y) / det;
    const Affined next{(r.x + x) * 0.5, (r.y + y) * 0.5, (r.z + z) * 0.5, {}};
    const double change = distance(next.x, r.x) + distance(next.y, r.y) + distance(next.z, r.z);
    r = next;
    if (change < 1e-9) break;
  }
  return r;
}

// The rotation. Where m mirrors, the stretch has the sign.
inline Affined rotation_factor(const Affined& m) {
  const Affined r = orthogonal_factor(m);
  return determinant(r) < 0 ? Affined{-r.x, -r.y, -r.z, {}} : r;
}

// m without its rotation r and its translation: the transpose of r times m.
inline Affined stretch_factor(const Affined& m, const Affined& r) {
  const auto back = [&r](Vec3d v) { return Vec3d{dot(r.x, v), dot(r.y, v), dot(r.z, v)}; };
  return {back(m.x), back(m.y), back(m.z), {}};
}

}  // namespace zoe
