// SPDX-License-Identifier: MIT
// Part of Zoetrope. Angles in degrees, as findings state them.
#pragma once

#include <cmath>
#include <numbers>

#include "zoe/math/quat.h"

namespace zoe::certify {

constexpr double kDegrees = 180 / std::numbers::pi;  // Per radian.

inline double angle_deg(Vec3 a, Vec3 b) {
  return kDegrees * std::atan2(static_cast<double>(length(cross(a, b))), static_cast<double>(dot(a, b)));
}
inline double angle_deg(Quat a, Quat b) { return kDegrees * static_cast<double>(angle_between(a, b)); }

}  // namespace zoe::certify
