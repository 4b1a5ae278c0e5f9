// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rotations as unit quaternions, memory order x y z w. q * p applies p first, then q.
#pragma once

#include <cmath>

#include "zoe/math/vec.h"

namespace zoe {

template <typename T>
struct QuatT {
  T x{0}, y{0}, z{0}, w{1};

  // Hamilton product: rotate(a * b, v) == rotate(a, rotate(b, v)).
  friend constexpr QuatT operator*(QuatT a, QuatT b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
  }
  friend constexpr QuatT operator-(QuatT q) { return {-q.x, -q.y, -q.z, -q.w}; }
  friend constexpr bool operator==(const QuatT&, const QuatT&) = default;
};

template <typename T>
constexpr T dot(QuatT<T> a, QuatT<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
// The inverse of a unit quaternion.
template <typename T>
constexpr QuatT<T> conjugate(QuatT<T> q) {
  return {-q.x, -q.y, -q.z, q.w};
}
// Identity when q is too short to have a direction.
template <typename T>
QuatT<T> normalized(QuatT<T> q) {
  const T l = std::sqrt(dot(q, q));
  if (!(l > T(1e-20))) return {};
  const T s = T(1) / l;
  return {q.x * s, q.y * s, q.z * s, q.w * s};
}
template <typename T>
constexpr Vec3T<T> rotate(QuatT<T> q, Vec3T<T> v) {
  // v + 2w(u×v) + 2u×(u×v), u the vector part.
  const Vec3T<T> u{q.x, q.y, q.z};
  const Vec3T<T> t = cross(u, v) * T(2);
  return v + t * q.w + cross(u, t);
}
template <typename T>
bool is_finite(QuatT<T> q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}
// The same rotation with w >= 0.
template <typename T>
constexpr QuatT<T> canonical(QuatT<T> q) {
  return q.w < T(0) ? -q : q;
}
// The representative of q's rotation nearest to the reference. Keeps a track of quaternions continuous.
template <typename T>
constexpr QuatT<T> nearest_to(QuatT<T> reference, QuatT<T> q) {
  return dot(reference, q) < T(0) ? -q : q;
}
// Unit axis, angle in radians.
template <typename T>
QuatT<T> from_axis_angle(Vec3T<T> axis, T angle) {
  const T s = std::sin(angle * T(0.5));
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle * T(0.5))};
}
// Angle in radians, 0..pi, between two rotations; accurate for small angles too.
template <typename T>
T angle_between(QuatT<T> a, QuatT<T> b) {
  const QuatT<T> d = conjugate(a) * b;
  return T(2) * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::abs(d.w));
}
// Normalised linear interpolation along the shorter arc; t in [0, 1].
template <typename T>
QuatT<T> nlerp(QuatT<T> a, QuatT<T> b, T t) {
  const T s = dot(a, b) < T(0) ? -t : t;
  const T r = T(1) - t;
  return normalized(QuatT<T>{a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s});
}
// Constant-speed interpolation along the shorter arc; t in [0, 1].
template <typename T>
QuatT<T> slerp(QuatT<T> a, QuatT<T> b, T t) {
  b = nearest_to(a, b);
  const T c = dot(a, b);
  if (c > T(0.9995)) return nlerp(a, b, t);  // Too close for the sine quotient; nlerp differs by < 1e-7 here.
  const T angle = std::acos(c > T(1) ? T(1) : c);
  const T s = T(1) / std::sin(angle);
  const T wa = std::sin((T(1) - t) * angle) * s;
  const T wb = std::sin(t * angle) * s;
  return normalized(QuatT<T>{a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb});
}
// Rotation vector (axis times angle, radians) of the shorter arc; the log map.
template <typename T>
Vec3T<T> to_rotation_vector(QuatT<T> q) {
  q = canonical(q);
  const T s = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const T k = s > T(1e-12) ? T(2) * std::atan2(s, q.w) / s : T(2);
  return {q.x * k, q.y * k, q.z * k};
}
template <typename T>
QuatT<T> from_rotation_vector(Vec3T<T> v) {
  const T angle = length(v);
  const T k = angle > T(1e-6) ? std::sin(angle * T(0.5)) / angle : T(0.5);
  return normalized(QuatT<T>{v.x * k, v.y * k, v.z * k, std::cos(angle * T(0.5))});
}

using Quat = QuatT<float>;
using Quatd = QuatT<double>;

constexpr Quatd to_double(Quat q) { return {q.x, q.y, q.z, q.w}; }
constexpr Quat to_float(Quatd q) { return {float(q.x), float(q.y), float(q.z), float(q.w)}; }

}  // namespace zoe
