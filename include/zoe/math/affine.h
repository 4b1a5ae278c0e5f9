// SPDX-License-Identifier: MIT
// Part of Zoetrope. Affine maps: a 3×3 linear part and a translation, as columns; and conversions from and to
// rotations.
#pragma once

#include "zoe/math/quat.h"
#include "zoe/math/vec.h"

namespace zoe {

// Maps p to x*p.x + y*p.y + z*p.z + t. Memory: 12 numbers, four columns of three.
template <typename T>
struct AffineT {
  Vec3T<T> x{T(1), T(0), T(0)}, y{T(0), T(1), T(0)}, z{T(0), T(0), T(1)};  // Columns: images of the axes.
  Vec3T<T> t{};                                                            // Image of the origin.

  constexpr Vec3T<T> apply_vector(Vec3T<T> v) const { return x * v.x + y * v.y + z * v.z; }
  constexpr Vec3T<T> apply_point(Vec3T<T> p) const { return apply_vector(p) + t; }

  // a_from_c = a_from_b * b_from_c.
  friend constexpr AffineT operator*(const AffineT& a, const AffineT& b) {
    return {a.apply_vector(b.x), a.apply_vector(b.y), a.apply_vector(b.z), a.apply_point(b.t)};
  }
  friend constexpr bool operator==(const AffineT&, const AffineT&) = default;
};

template <typename T>
constexpr T determinant(const AffineT<T>& m) {
  return dot(cross(m.x, m.y), m.z);
}
// General inverse. A singular map gives the zero map; check determinant() first where that matters.
template <typename T>
AffineT<T> inverse(const AffineT<T>& m) {
  const T det = determinant(m);
  const T s = det != T(0) ? T(1) / det : T(0);
  // Rows of the inverse are the scaled cross products of the columns.
  const Vec3T<T> r0 = cross(m.y, m.z) * s, r1 = cross(m.z, m.x) * s, r2 = cross(m.x, m.y) * s;
  AffineT<T> r{{r0.x, r1.x, r2.x}, {r0.y, r1.y, r2.y}, {r0.z, r1.z, r2.z}, {}};
  r.t = -r.apply_vector(m.t);
  return r;
}
template <typename T>
bool is_finite(const AffineT<T>& m) {
  return is_finite(m.x) && is_finite(m.y) && is_finite(m.z) && is_finite(m.t);
}

// The rotation matrix of a unit quaternion, zero translation.
template <typename T>
constexpr AffineT<T> to_affine(QuatT<T> q) {
  const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z,
          wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{T(1) - T(2) * (yy + zz), T(2) * (xy + wz), T(2) * (xz - wy)},
          {T(2) * (xy - wz), T(1) - T(2) * (xx + zz), T(2) * (yz + wx)},
          {T(2) * (xz + wy), T(2) * (yz - wx), T(1) - T(2) * (xx + yy)},
          {}};
}
// Quaternion of a pure rotation (orthonormal columns, determinant +1), w >= 0.
template <typename T>
QuatT<T> rotation_of(const AffineT<T>& m) {
  // Shepperd: divide by the largest of the four squares.
  const T m00 = m.x.x, m11 = m.y.y, m22 = m.z.z;
  QuatT<T> q;
  if (const T trace = m00 + m11 + m22; trace > T(0)) {
    const T s = std::sqrt(trace + T(1)) * T(2);
    q = {(m.y.z - m.z.y) / s, (m.z.x - m.x.z) / s, (m.x.y - m.y.x) / s, s * T(0.25)};
  } else if (m00 > m11 && m00 > m22) {
    const T s = std::sqrt(T(1) + m00 - m11 - m22) * T(2);
    q = {s * T(0.25), (m.y.x + m.x.y) / s, (m.z.x + m.x.z) / s, (m.y.z - m.z.y) / s};
  } else if (m11 > m22) {
    const T s = std::sqrt(T(1) + m11 - m00 - m22) * T(2);
    q = {(m.y.x + m.x.y) / s, s * T(0.25), (m.z.y + m.y.z) / s, (m.z.x - m.x.z) / s};
  } else {
    const T s = std::sqrt(T(1) + m22 - m00 - m11) * T(2);
    q = {(m.z.x + m.x.z) / s, (m.z.y + m.y.z) / s, s * T(0.25), (m.x.y - m.y.x) / s};
  }
  return canonical(normalized(q));
}

using Affine = AffineT<float>;
using Affined = AffineT<double>;

constexpr Affined to_double(const Affine& m) {
  return {to_double(m.x), to_double(m.y), to_double(m.z), to_double(m.t)};
}
constexpr Affine to_float(const Affined& m) { return {to_float(m.x), to_float(m.y), to_float(m.z), to_float(m.t)}; }

}  // namespace zoe
