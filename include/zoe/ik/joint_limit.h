// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joint limits: free, a hinge, or a cone with a range of twist.
#pragma once

#include <cstdint>
#include <numbers>

#include "zoe/math/quat.h"

namespace zoe {

// Angles are measured from `rest`, radians.
struct JointLimit {
  enum class Kind : std::uint8_t { kFree, kHinge, kCone };

  Kind kind = Kind::kFree;
  Quat rest;           // parent_from_joint where all angles are zero.
  Vec3 axis{1, 0, 0};  // Unit, in the joint's own frame. Hinge: its axis. Cone: the bone's direction.
  float swing_rad = std::numbers::pi_v<float>;  // Cone: largest angle of the bone from its rest direction.
  float min_rad = -std::numbers::pi_v<float>;   // Hinge: least angle. Cone: least twist about the bone.
  float max_rad = std::numbers::pi_v<float>;    // The largest; min_rad <= max_rad, both within -pi..pi.
};

JointLimit make_hinge(Quat rest, Vec3 axis, float min_rad, float max_rad);
JointLimit make_cone(Quat rest, Vec3 bone_direction, float swing_rad, float min_twist_rad, float max_twist_rad);

// Clamps swing and twist to their ranges. An allowed rotation does not change.
Quat clamp_to_limit(const JointLimit& limit, Quat parent_from_joint) noexcept;

// Angle in radians that clamp_to_limit would remove.
float limit_violation_rad(const JointLimit& limit, Quat parent_from_joint) noexcept;

// Splits q into swing * twist, the twist about `axis` (unit). At a half turn of swing the twist is zero.
struct SwingTwist {
  Quat swing, twist;
};
SwingTwist split_swing_twist(Quat q, Vec3 axis) noexcept;

}  // namespace zoe
