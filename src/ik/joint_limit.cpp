// SPDX-License-Identifier: MIT
#include "zoe/ik/joint_limit.h"

#include <algorithm>

#include "zoe/math/portable_quat.h"

namespace zoe {
namespace {

// The signed angle, -pi..pi, of a twist about `axis`.
float twist_angle(Quat twist, Vec3 axis) {
  const Quat q = canonical(twist);
  return 2 * portable_atan2(q.x * axis.x + q.y * axis.y + q.z * axis.z, q.w);
}

}  // namespace

JointLimit make_hinge(Quat rest, Vec3 axis, float min_rad, float max_rad) {
  return {JointLimit::Kind::kHinge, rest, axis, 0, min_rad, max_rad};
}
JointLimit make_cone(Quat rest, Vec3 bone_direction, float swing_rad, float min_twist_rad, float max_twist_rad) {
  return {JointLimit::Kind::kCone, rest, bone_direction, swing_rad, min_twist_rad, max_twist_rad};
}

SwingTwist split_swing_twist(Quat q, Vec3 axis) noexcept {
  const float along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
  const Quat twist = normalized(Quat{axis.x * along, axis.y * along, axis.z * along, q.w});
  return {q * conjugate(twist), twist};
}

Quat clamp_to_limit(const JointLimit& limit, Quat parent_from_joint) noexcept {
  if (limit.kind == JointLimit::Kind::kFree) return parent_from_joint;
  const SwingTwist parts = split_swing_twist(conjugate(limit.rest) * parent_from_joint, limit.axis);
  const float angle = twist_angle(parts.twist, limit.axis);
  const float kept_angle = std::clamp(angle, limit.min_rad, limit.max_rad);
  Quat swing;
  if (limit.kind == JointLimit::Kind::kCone) {
    swing = canonical(parts.swing);
    const Vec3 v{swing.x, swing.y, swing.z};
    const float lean = 2 * portable_atan2(length(v), swing.w);
    if (lean <= limit.swing_rad && kept_angle == angle) return parent_from_joint;
    if (lean > limit.swing_rad) swing = portable_from_axis_angle(normalized(v), limit.swing_rad);
  }
  return normalized(limit.rest * swing * portable_from_axis_angle(limit.axis, kept_angle));
}

float limit_violation_rad(const JointLimit& limit, Quat parent_from_joint) noexcept {
  return angle_between(parent_from_joint, clamp_to_limit(limit, parent_from_joint));
}

}  // namespace zoe
