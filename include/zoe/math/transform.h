// SPDX-License-Identifier: MIT
// Part of Zoetrope. Translation, rotation, scale: the parts of a joint's local pose.
#pragma once

#include <algorithm>
#include <cmath>

#include "zoe/math/affine.h"
#include "zoe/math/quat.h"
#include "zoe/math/vec.h"

namespace zoe {

// Maps p to translation + rotation * (scale ∘ p). Scale may be negative or uneven; products of such maps can shear,
// which is why chains are composed as AffineT, not as TransformT.
template <typename T>
struct TransformT {
  Vec3T<T> translation{};
  QuatT<T> rotation{};
  Vec3T<T> scale{T(1), T(1), T(1)};

  friend constexpr bool operator==(const TransformT&, const TransformT&) = default;
};

template <typename T>
constexpr AffineT<T> to_affine(const TransformT<T>& transform) {
  AffineT<T> m = to_affine(transform.rotation);
  m.x *= transform.scale.x;
  m.y *= transform.scale.y;
  m.z *= transform.scale.z;
  m.t = transform.translation;
  return m;
}

// Nearest translation-rotation-scale: exact when the map has no shear. A mirroring map gets its sign in scale.x.
// When `shear` is given it receives the largest |cosine| between the columns (0 = exact).
template <typename T>
TransformT<T> decompose(const AffineT<T>& m, T* shear = nullptr) {
  Vec3T<T> s{length(m.x), length(m.y), length(m.z)};
  const T tiny = T(1e-20);
  // Orthonormalise x, then y, then z; a collapsed axis is rebuilt from the others.
  Vec3T<T> x = s.x > tiny ? m.x / s.x : normalized(cross(m.y, m.z), {T(1), T(0), T(0)});
  Vec3T<T> y = s.y > tiny ? m.y / s.y : normalized(cross(m.z, x), {T(0), T(1), T(0)});
  Vec3T<T> z = s.z > tiny ? m.z / s.z : cross(x, y);
  if (shear != nullptr) *shear = std::max(std::abs(dot(x, y)), std::max(std::abs(dot(y, z)), std::abs(dot(x, z))));
  if (dot(cross(x, y), z) < T(0)) {
    x = -x;
    s.x = -s.x;
  }
  const Vec3T<T> fallback = std::abs(x.x) < T(0.9) ? Vec3T<T>{T(1), T(0), T(0)} : Vec3T<T>{T(0), T(1), T(0)};
  y = normalized(y - x * dot(x, y), normalized(cross(x, fallback)));
  z = cross(x, y);
  return {m.t, rotation_of(AffineT<T>{x, y, z, {}}), s};
}

using Transform = TransformT<float>;
using Transformd = TransformT<double>;

constexpr Transformd to_double(const Transform& t) {
  return {to_double(t.translation), to_double(t.rotation), to_double(t.scale)};
}
constexpr Transform to_float(const Transformd& t) {
  return {to_float(t.translation), to_float(t.rotation), to_float(t.scale)};
}

}  // namespace zoe
