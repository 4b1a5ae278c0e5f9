// SPDX-License-Identifier: MIT
// Part of Zoetrope. Four numbers at a time, for loops over the joints of one pose. Each lane computes what float would,
// operation by operation, so results have the same bits as those of a loop over single joints, on every machine.
// Vec3T, QuatT and AffineT work with Float4 as their number: a Quat4 is four rotations.
//
//   Quat4 q = load4(&rotations[j]);
//   store4(normalized(q), &rotations[j]);
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "zoe/math/affine.h"
#include "zoe/math/quat.h"
#include "zoe/math/rotation_6d.h"
#include "zoe/math/vec.h"

namespace zoe {

// Lanes where a condition holds have all bits set.
struct Mask4 {
  using Bits = std::int32_t __attribute__((vector_size(16)));
  Bits bits;

  friend Mask4 operator&(Mask4 a, Mask4 b) { return {a.bits & b.bits}; }
  friend Mask4 operator|(Mask4 a, Mask4 b) { return {a.bits | b.bits}; }
  friend Mask4 operator~(Mask4 a) { return {~a.bits}; }
};
inline bool any(Mask4 mask) {
#if defined(__SSE2__)
  return _mm_movemask_ps(std::bit_cast<__m128>(mask.bits)) != 0;
#else
  return (mask.bits[0] | mask.bits[1] | mask.bits[2] | mask.bits[3]) != 0;
#endif
}

struct Float4 {
  using Lanes = float __attribute__((vector_size(16)));
  Lanes lanes;

  Float4() = default;
  Float4(Lanes values) : lanes(values) {}                     // NOLINT(google-explicit-constructor)
  Float4(float value) : lanes{value, value, value, value} {}  // NOLINT(google-explicit-constructor)

  friend Float4 operator+(Float4 a, Float4 b) { return a.lanes + b.lanes; }
  friend Float4 operator-(Float4 a, Float4 b) { return a.lanes - b.lanes; }
  friend Float4 operator-(Float4 a) { return -a.lanes; }
  friend Float4 operator*(Float4 a, Float4 b) { return a.lanes * b.lanes; }
  friend Float4 operator/(Float4 a, Float4 b) { return a.lanes / b.lanes; }
  friend Mask4 operator<(Float4 a, Float4 b) { return {a.lanes < b.lanes}; }
  friend Mask4 operator>(Float4 a, Float4 b) { return {a.lanes > b.lanes}; }
};

inline Float4 select(Mask4 mask, Float4 yes, Float4 no) {
  const auto a = std::bit_cast<Mask4::Bits>(yes.lanes), b = std::bit_cast<Mask4::Bits>(no.lanes);
  return std::bit_cast<Float4::Lanes>((a & mask.bits) | (b & ~mask.bits));
}
inline Float4 square_root(Float4 a) {
#if defined(__SSE2__)
  return std::bit_cast<Float4::Lanes>(_mm_sqrt_ps(std::bit_cast<__m128>(a.lanes)));
#else
  return Float4::Lanes{std::sqrt(a.lanes[0]), std::sqrt(a.lanes[1]), std::sqrt(a.lanes[2]), std::sqrt(a.lanes[3])};
#endif
}
inline Float4 absolute(Float4 a) {
  return std::bit_cast<Float4::Lanes>(std::bit_cast<Mask4::Bits>(a.lanes) & 0x7fffffff);
}

using Vec3x4 = Vec3T<Float4>;
using Quat4 = QuatT<Float4>;
using Affine4 = AffineT<Float4>;

inline Vec3x4 select(Mask4 mask, const Vec3x4& yes, const Vec3x4& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}
inline Quat4 select(Mask4 mask, const Quat4& yes, const Quat4& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z), select(mask, yes.w, no.w)};
}

// The same value in all lanes.
inline Vec3x4 in_all_lanes(Vec3 v) { return {v.x, v.y, v.z}; }
inline Quat4 in_all_lanes(Quat q) { return {q.x, q.y, q.z, q.w}; }

// As the functions of the same names on single values.
inline Quat4 normalized(const Quat4& q) {
  const Float4 l = square_root(dot(q, q)), s = Float4(1.0F) / l;
  return select(l > Float4(1e-20F), Quat4{q.x * s, q.y * s, q.z * s, q.w * s}, in_all_lanes(Quat{}));
}
inline Vec3x4 normalized(const Vec3x4& a, Vec3 fallback = {}) {
  const Float4 l = square_root(dot(a, a));
  return select(l > Float4(1e-20F), a / l, in_all_lanes(fallback));
}
inline Quat4 canonical(const Quat4& q) { return select(q.w < Float4(0.0F), -q, q); }
inline Quat4 nearest_to(const Quat4& reference, const Quat4& q) {
  return select(dot(reference, q) < Float4(0.0F), -q, q);
}
inline Quat4 nlerp(const Quat4& a, const Quat4& b, float t) {
  const Float4 s = select(dot(a, b) < Float4(0.0F), Float4(-t), Float4(t)), r = 1 - t;
  return normalized(Quat4{a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s});
}
// Shepperd's four cases as selections.
inline Quat4 rotation_of(const Affine4& m) {
  const Float4 one(1.0F), m00 = m.x.x, m11 = m.y.y, m22 = m.z.z, trace = m00 + m11 + m22;
  const Mask4 by_w = trace > Float4(0.0F), by_x = ~by_w & (m00 > m11) & (m00 > m22), by_y = ~by_w & ~by_x & (m11 > m22);
  const Float4 square =
      select(by_w, trace + one,
             select(by_x, one + m00 - m11 - m22, select(by_y, one + m11 - m00 - m22, one + m22 - m00 - m11)));
  const Float4 s = square_root(square) * Float4(2.0F), main = s * Float4(0.25F);
  const Float4 xy = m.y.x + m.x.y, xz = m.z.x + m.x.z, yz = m.z.y + m.y.z;
  const Float4 wx = m.y.z - m.z.y, wy = m.z.x - m.x.z, wz = m.x.y - m.y.x;
  const Mask4 by_z = ~by_w & ~by_x & ~by_y;
  const Quat4 q{select(by_x, main, select(by_w, wx, select(by_y, xy, xz)) / s),
                select(by_y, main, select(by_w, wy, select(by_x, xy, yz)) / s),
                select(by_z, main, select(by_w, wz, select(by_x, xz, yz)) / s),
                select(by_w, main, select(by_x, wx, select(by_y, wy, wz)) / s)};
  return canonical(normalized(q));
}

inline Affine4 axes_from_6d(const Rotation6T<Float4>& r) {
  const Vec3x4 x = normalized(r.x, {1, 0, 0});
  const Vec3x4 other = select(absolute(x.y) < Float4(0.9F), in_all_lanes(Vec3{0, 1, 0}), in_all_lanes(Vec3{0, 0, 1}));
  const Vec3x4 y = r.y - x * dot(x, r.y);
  const Mask4 has_plane = dot(y, y) > Float4(1e-12F) * dot(r.y, r.y);
  const Vec3x4 unit_y = normalized(select(has_plane, y, other - x * dot(x, other)));
  return {x, unit_y, cross(x, unit_y), in_all_lanes(Vec3{})};
}

// Four vectors of four numbers each, from four places, become four lanes.
inline Quat4 transposed(Float4::Lanes a, Float4::Lanes b, Float4::Lanes c, Float4::Lanes d) {
  const Float4::Lanes ab01 = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                      ab23 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Float4::Lanes cd01 = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                      cd23 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return {Float4::Lanes(__builtin_shufflevector(ab01, cd01, 0, 1, 4, 5)),
          Float4::Lanes(__builtin_shufflevector(ab01, cd01, 2, 3, 6, 7)),
          Float4::Lanes(__builtin_shufflevector(ab23, cd23, 0, 1, 4, 5)),
          Float4::Lanes(__builtin_shufflevector(ab23, cd23, 2, 3, 6, 7))};
}
inline Float4::Lanes lanes_at(const float* four) {
  Float4::Lanes lanes;
  std::memcpy(&lanes, four, sizeof(lanes));
  return lanes;
}

// Four in a row.
inline Quat4 load4(const Quat* q) {
  return transposed(lanes_at(&q[0].x), lanes_at(&q[1].x), lanes_at(&q[2].x), lanes_at(&q[3].x));
}
inline Vec3x4 load4(const Vec3* v) {
  return {Float4::Lanes{v[0].x, v[1].x, v[2].x, v[3].x}, Float4::Lanes{v[0].y, v[1].y, v[2].y, v[3].y},
          Float4::Lanes{v[0].z, v[1].z, v[2].z, v[3].z}};
}
inline void store4(const Quat4& q, Quat* out) {
  const Quat4 rows = transposed(q.x.lanes, q.y.lanes, q.z.lanes, q.w.lanes);
  out[0] = std::bit_cast<Quat>(rows.x.lanes);
  out[1] = std::bit_cast<Quat>(rows.y.lanes);
  out[2] = std::bit_cast<Quat>(rows.z.lanes);
  out[3] = std::bit_cast<Quat>(rows.w.lanes);
}
inline void store4(const Vec3x4& v, Vec3* out) {
  for (int i = 0; i < 4; ++i) out[i] = {v.x.lanes[i], v.y.lanes[i], v.z.lanes[i]};
}

}  // namespace zoe
