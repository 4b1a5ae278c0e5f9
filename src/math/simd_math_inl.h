// SPDX-License-Identifier: MIT
// Part of Zoetrope. Vectors, quaternions and affine maps whose numbers are SIMD registers: many at once. Formulas are
// those of the scalar types in include/zoe/math. Included once per target.

#if defined(ZOE_MATH_SIMD_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_MATH_SIMD_MATH_INL_H
#undef ZOE_MATH_SIMD_MATH_INL_H
#else
#define ZOE_MATH_SIMD_MATH_INL_H
#endif

#include "core/simd_sine_inl.h"
#include "math/simd_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::simd {
namespace HWY_NAMESPACE {
inline namespace ZOE_SIMD_ARITHMETIC {

struct Vec3s {
  F x, y, z;
};
struct Quats {
  F x, y, z, w;
};
// Columns, as AffineT.
struct Affines {
  Vec3s x, y, z, t;
};

inline Vec3s operator+(Vec3s a, Vec3s b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3s operator*(Vec3s a, F s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vec3s mul_add(Vec3s a, F s, Vec3s c) {
  return {mul_add(a.x, s, c.x), mul_add(a.y, s, c.y), mul_add(a.z, s, c.z)};
}
inline F dot(Vec3s a, Vec3s b) { return mul_add(a.x, b.x, mul_add(a.y, b.y, a.z * b.z)); }
inline Vec3s cross(Vec3s a, Vec3s b) {
  return {mul_sub(a.y, b.z, a.z * b.y), mul_sub(a.z, b.x, a.x * b.z), mul_sub(a.x, b.y, a.y * b.x)};
}
inline F dot(Quats a, Quats b) { return mul_add(a.x, b.x, mul_add(a.y, b.y, mul_add(a.z, b.z, a.w * b.w))); }

// Unit vector; zero where a is too short to have a direction.
inline Vec3s normalized(Vec3s a) {
  const F square = dot(a, a);
  return a * select_less(square, set(1e-30F), set(0), set(1) / square_root(square));
}
// Identity where q is too short to have a direction.
inline Quats normalized(Quats q) {
  const F square = dot(q, q);
  const F tiny = set(1e-30F);
  const F s = select_less(square, tiny, set(0), set(1) / square_root(square));
  return {q.x * s, q.y * s, q.z * s, select_less(square, tiny, set(1), q.w * s)};
}
inline Quats operator*(Quats a, Quats b) {
  return {mul_add(a.w, b.x, mul_add(a.x, b.w, mul_sub(a.y, b.z, a.z * b.y))),
          mul_add(a.w, b.y, mul_add(a.y, b.w, mul_sub(a.z, b.x, a.x * b.z))),
          mul_add(a.w, b.z, mul_add(a.z, b.w, mul_sub(a.x, b.y, a.y * b.x))),
          mul_sub(a.w, b.w, mul_add(a.x, b.x, mul_add(a.y, b.y, a.z * b.z)))};
}
inline Vec3s rotate(Quats q, Vec3s v) {
  const Vec3s u{q.x, q.y, q.z};
  Vec3s t = cross(u, v);
  t = t + t;
  return mul_add(t, q.w, v) + cross(u, t);
}
inline Affines rotation_matrix(Quats q) {
  const F one = set(1), x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const F wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const F xx = q.x * x2, yy = q.y * y2;
  return {{neg_mul_add(q.z, z2, one - yy), mul_add(q.x, y2, wz), mul_sub(q.x, z2, wy)},
          {mul_sub(q.x, y2, wz), neg_mul_add(q.z, z2, one - xx), mul_add(q.y, z2, wx)},
          {mul_add(q.x, z2, wy), mul_sub(q.y, z2, wx), one - xx - yy},
          {set(0), set(0), set(0)}};
}
inline Vec3s apply_vector(const Affines& m, Vec3s v) { return mul_add(m.x, v.x, mul_add(m.y, v.y, m.z * v.z)); }
inline Vec3s apply_point(const Affines& m, Vec3s p) {
  return mul_add(m.x, p.x, mul_add(m.y, p.y, mul_add(m.z, p.z, m.t)));
}
inline Affines operator*(const Affines& a, const Affines& b) {
  return {apply_vector(a, b.x), apply_vector(a, b.y), apply_vector(a, b.z), apply_point(a, b.t)};
}

// Quaternion of a rotation matrix, w >= 0: Shepperd's four cases, all computed by selection.
inline Quats rotation_of(const Affines& m) {
  const F zero = set(0), one = set(1);
  const F m00 = m.x.x, m11 = m.y.y, m22 = m.z.z;
  const F xy_sum = m.y.x + m.x.y, xz_sum = m.z.x + m.x.z, yz_sum = m.z.y + m.y.z;
  const F x_part = m.y.z - m.z.y, y_part = m.z.x - m.x.z, z_part = m.x.y - m.y.x;
  // z is small: x or y is largest. z is not small: z or w is largest.
  const auto pick = [&](F x_case, F y_case, F z_case, F w_case) {
    return select_less(m22, zero, select_less(m11, m00, x_case, y_case), select_less(m00, negate(m11), z_case, w_case));
  };
  const F largest = pick(one + m00 - m11 - m22, one - m00 + m11 - m22, one - m00 - m11 + m22, one + m00 + m11 + m22);
  Quats q{pick(largest, xy_sum, xz_sum, x_part), pick(xy_sum, largest, yz_sum, y_part),
          pick(xz_sum, yz_sum, largest, z_part), pick(x_part, y_part, z_part, largest)};
  const F sign = select_less(q.w, zero, set(-1), one);
  q = {q.x * sign, q.y * sign, q.z * sign, q.w * sign};
  return normalized(q);
}

// Arc cosine for 0 <= c <= 1; Abramowitz & Stegun 4.4.46, error below 2e-8 before rounding.
inline F arc_cosine_positive(F c) {
  F p = mul_add(c, set(-0.0012624911F), set(0.0066700901F));
  p = mul_add(c, p, set(-0.0170881256F));
  p = mul_add(c, p, set(0.0308918810F));
  p = mul_add(c, p, set(-0.0501743046F));
  p = mul_add(c, p, set(0.0889789874F));
  p = mul_add(c, p, set(-0.2145988016F));
  p = mul_add(c, p, set(1.5707963050F));
  return square_root(set(1) - c) * p;
}

inline Quats weighted_sum(Quats a, F wa, Quats b, F wb) {
  return {mul_add(a.x, wa, b.x * wb), mul_add(a.y, wa, b.y * wb), mul_add(a.z, wa, b.z * wb),
          mul_add(a.w, wa, b.w * wb)};
}
// Both along the shorter arc; t in [0, 1].
inline Quats nlerp(Quats a, Quats b, F t) {
  return normalized(weighted_sum(a, set(1) - t, b, select_less(dot(a, b), set(0), negate(t), t)));
}
inline Quats slerp(Quats a, Quats b, F t) {
  const F c = dot(a, b);
  const F angle = arc_cosine_positive(minimum(absolute(c), set(1)));
  const F r = set(1) - t;
  // Below a thousandth of a radian the sine quotient is t to 2e-7, and would finally divide by zero.
  const F limit = set(1e-3F);
  const F s = set(1) / sine_quarter(maximum(angle, limit));
  const F wa = select_less(angle, limit, r, sine_quarter(r * angle) * s);
  const F wb = select_less(angle, limit, t, sine_quarter(t * angle) * s);
  return normalized(weighted_sum(a, wa, b, select_less(c, set(0), negate(wb), wb)));
}

}  // namespace ZOE_SIMD_ARITHMETIC
}  // namespace HWY_NAMESPACE
}  // namespace zoe::simd
HWY_AFTER_NAMESPACE();

#endif
