// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rotations as six numbers without jumps, for networks (Zhou et al., "On the continuity of rotation
// representations in neural networks", 2019).
#pragma once

#include "zoe/math/affine.h"
#include "zoe/math/quat.h"

namespace zoe {

// The images of the x and y axis: the first two columns of the rotation matrix. Memory: x.x x.y x.z y.x y.y y.z.
template <typename T>
struct Rotation6T {
  Vec3T<T> x{T(1), T(0), T(0)}, y{T(0), T(1), T(0)};

  friend constexpr bool operator==(const Rotation6T&, const Rotation6T&) = default;
};

template <typename T>
constexpr Rotation6T<T> to_6d(QuatT<T> q) {
  const AffineT<T> m = to_affine(q);
  return {m.x, m.y};
}

// The rotation whose x column points along r.x and whose y column is in the plane of r.x and r.y. Any six numbers are
// allowed: a vanishing or parallel pair is replaced by some perpendicular axis, so that the result is always a
// rotation.
template <typename T>
AffineT<T> axes_from_6d(const Rotation6T<T>& r) {
  const Vec3T<T> x = normalized(r.x, {T(1), T(0), T(0)});
  // A fallback perpendicular to x: the axis least parallel to it, made orthogonal below.
  const Vec3T<T> other = std::abs(x.y) < T(0.9) ? Vec3T<T>{T(0), T(1), T(0)} : Vec3T<T>{T(0), T(0), T(1)};
  Vec3T<T> y = r.y - x * dot(x, r.y);
  if (!(dot(y, y) > T(1e-12) * dot(r.y, r.y))) y = other - x * dot(x, other);
  y = normalized(y);
  return {x, y, cross(x, y), {}};
}
template <typename T>
QuatT<T> from_6d(const Rotation6T<T>& r) {
  return rotation_of(axes_from_6d(r));
}

using Rotation6 = Rotation6T<float>;
using Rotation6d = Rotation6T<double>;

}  // namespace zoe
