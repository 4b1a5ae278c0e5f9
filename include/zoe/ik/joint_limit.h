// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a joint may turn: not at all limited, a hinge, or a cone with a range of twist.
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
  Vec3 axis{1, 0, 0};  // Unit, in the joint's own frame. Hinge: what it turns about. Cone: the bone's direction.
  float swing_rad = std::numbers::pi_v<float>;  // Cone: the most that the bone may lean from its rest direction.
  float min_rad = -std::numbers::pi_v<float>;   // Hinge: least turn. Cone: least twist about the bone.
  float max_rad = std::numbers::pi_v<float>;    // The largest; min_rad <= max_rad, both within -pi..pi.
};

JointLimit make_hinge(Quat rest, Vec3 axis, float min_rad, float max_rad);
JointLimit make_cone(Quat rest, Vec3 bone_direction, float swing_rad, float min_twist_rad, float max_twist_rad);

// The allowed rotation that is reached by cutting swing and turn to their ranges; the rotation itself when it is
// allowed.
Quat clamp_to_limit(const JointLimit& limit, Quat parent_from_joint) noexcept;

// By how much the rotation leaves its limit: the angle in radians that clamp_to_limit would take away.
float limit_violation_rad(const JointLimit& limit, Quat parent_from_joint) noexcept;

// Splits q into swing * twist, the twist about `axis` (unit). At a half turn of swing the twist is taken as none.
struct SwingTwist {
  Quat swing, twist;
};
SwingTwist split_swing_twist(Quat q, Vec3 axis) noexcept;

}  // namespace zoe
