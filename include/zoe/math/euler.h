// SPDX-License-Identifier: MIT
// Part of Zoetrope. Euler angles, as files use them. Inside the engine rotations are quaternions.
#pragma once

#include <array>
#include <cstdint>
#include <numbers>

#include "zoe/math/quat.h"

namespace zoe {

constexpr double kRadiansPerDegree = std::numbers::pi / 180.0;
constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;

// Order of the matrix product for column vectors: kZXY means R = Rz * Rx * Ry (the last one acts first), as in a BVH
// channel list "Zrotation Xrotation Yrotation". FBX and Maya name the opposite: their XYZ is our kZYX.
enum class EulerOrder : std::uint8_t { kXYZ, kXZY, kYXZ, kYZX, kZXY, kZYX };

// Axis indices (0 x, 1 y, 2 z) in product order.
constexpr std::array<int, 3> axes_of(EulerOrder order) {
  constexpr std::array<std::array<int, 3>, 6> kAxes{{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  return kAxes[static_cast<std::size_t>(order)];
}

// Rotation about one coordinate axis (0 x, 1 y, 2 z), radians.
template <typename T>
QuatT<T> axis_rotation(int axis, T angle) {
  const T s = std::sin(angle * T(0.5));
  return {axis == 0 ? s : T(0), axis == 1 ? s : T(0), axis == 2 ? s : T(0), std::cos(angle * T(0.5))};
}

// angles[i] belongs to the i-th axis of the product (not to x, y, z), radians.
template <typename T>
QuatT<T> from_euler(EulerOrder order, std::array<T, 3> angles) {
  const auto axes = axes_of(order);
  return axis_rotation(axes[0], angles[0]) * axis_rotation(axes[1], angles[1]) * axis_rotation(axes[2], angles[2]);
}

// Inverse of from_euler: the middle angle is in [-pi/2, pi/2]; at gimbal lock the last angle is 0.
std::array<double, 3> to_euler(EulerOrder order, Quatd rotation);

}  // namespace zoe
