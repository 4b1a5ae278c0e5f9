// SPDX-License-Identifier: MIT
// Part of Zoetrope. Small vectors: plain data without alignment, so that arrays of them are arrays of numbers.
#pragma once

#include <cmath>
#include <cstddef>

namespace zoe {

template <typename T>
struct Vec2T {
  T x{}, y{};
  friend constexpr bool operator==(const Vec2T&, const Vec2T&) = default;
};

template <typename T>
struct Vec3T {
  T x{}, y{}, z{};

  constexpr T& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }

  friend constexpr Vec3T operator+(Vec3T a, Vec3T b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3T operator-(Vec3T a, Vec3T b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3T operator-(Vec3T a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3T operator*(Vec3T a, T s) { return {a.x * s, a.y * s, a.z * s}; }
  friend constexpr Vec3T operator*(T s, Vec3T a) { return a * s; }
  friend constexpr Vec3T operator*(Vec3T a, Vec3T b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }  // Component-wise.
  friend constexpr Vec3T operator/(Vec3T a, T s) { return {a.x / s, a.y / s, a.z / s}; }
  friend constexpr bool operator==(const Vec3T&, const Vec3T&) = default;
  constexpr Vec3T& operator+=(Vec3T b) { return *this = *this + b; }
  constexpr Vec3T& operator-=(Vec3T b) { return *this = *this - b; }
  constexpr Vec3T& operator*=(T s) { return *this = *this * s; }
};

template <typename T>
struct Vec4T {
  T x{}, y{}, z{}, w{};
  friend constexpr bool operator==(const Vec4T&, const Vec4T&) = default;
};

template <typename T>
constexpr T dot(Vec3T<T> a, Vec3T<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <typename T>
constexpr Vec3T<T> cross(Vec3T<T> a, Vec3T<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <typename T>
T length(Vec3T<T> a) {
  return std::sqrt(dot(a, a));
}
template <typename T>
T distance(Vec3T<T> a, Vec3T<T> b) {
  return length(a - b);
}
// Unit vector. The fallback when `a` is too short to have a direction.
template <typename T>
Vec3T<T> normalized(Vec3T<T> a, Vec3T<T> fallback = {T(0), T(0), T(0)}) {
  const T l = length(a);
  return l > T(1e-20) ? a / l : fallback;
}
template <typename T>
constexpr Vec3T<T> lerp(Vec3T<T> a, Vec3T<T> b, T t) {
  return a + (b - a) * t;
}
template <typename T>
bool is_finite(Vec3T<T> a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

using Vec2 = Vec2T<float>;
using Vec3 = Vec3T<float>;
using Vec4 = Vec4T<float>;
using Vec3d = Vec3T<double>;

constexpr Vec3d to_double(Vec3 a) { return {a.x, a.y, a.z}; }
constexpr Vec3 to_float(Vec3d a) { return {float(a.x), float(a.y), float(a.z)}; }

}  // namespace zoe
