// SPDX-License-Identifier: MIT
#include "ik/leg_pose.h"

#include <algorithm>
#include <cmath>

namespace zoe::ik_detail {

float LegPose::length() const {
  return zoe::length(ancestor_from(*skeleton, pose, leg->hip, leg->knee).position) +
         zoe::length(ancestor_from(*skeleton, pose, leg->knee, leg->ankle).position);
}

float LegPose::foot_length() const {
  return zoe::length(ancestor_from(*skeleton, pose, leg->ankle, leg->ball).position);
}

Vec3 LegPose::knee_pole(const LimbFrames& limb) const {
  constexpr float kLeast = 0.2F;
  const Vec3 hip = limb.start.position, ankle = limb.end.position;
  const Frame& knee = limb.mid;
  const Vec3 hinge = rotate(knee.rotation, leg->knee_axis);
  const Vec3 bend = cross(normalized(knee.position - hip), normalized(ankle - knee.position));
  const float along = dot(bend, hinge);
  const Vec3 axis = bend + hinge * (std::sqrt(along * along + kLeast * kLeast) - along);
  return normalized(cross(ankle - hip, axis), Vec3{});
}

void LegPose::reach(const LimbFrames& limb, Vec3 ankle_target, Vec3 knee_pole, float soften) const {
  if (!is_finite(ankle_target) || !is_finite(knee_pole)) return;
  const TwoBoneIkSettings settings{.start_joint = leg->hip,
                                   .mid_joint = leg->knee,
                                   .end_joint = leg->ankle,
                                   .mid_axis = leg->knee_axis,
                                   .soften = soften};
  turn_limb(limb, settings, ankle_target, knee_pole, pose);
}

void LegPose::aim_foot(const Frame& ankle, Vec3 ball_target) const {
  const Vec3 offset = ancestor_from(*skeleton, pose, leg->ankle, leg->ball).position;
  const Vec3 from = normalized(rotate(ankle.rotation, offset)), to = normalized(ball_target - ankle.position);
  if (dot(from, from) < 0.5F || dot(to, to) < 0.5F) return;
  const Quat turn = arc(from, to);
  Quat& local = pose.rotations[static_cast<std::size_t>(leg->ankle)];
  local = normalized(local * conjugate(ankle.rotation) * turn * ankle.rotation);
}

float LegPose::needed_drop(Vec3 hip, Vec3 ankle_target, float max_reach) const {
  const float reach_m = max_reach * length();
  const Vec3 down = hip - ankle_target;
  const float aside = down.x * down.x + down.z * down.z;
  const float below = std::sqrt(std::max(reach_m * reach_m - aside, 0.0F));
  return std::max(down.y - below, 0.0F);
}

const char* check_legs(const Skeleton& skeleton, std::span<const Leg> legs) noexcept {
  const int n = skeleton.num_joints();
  for (const Leg& leg : legs) {
    for (const int joint : {leg.hip, leg.knee, leg.ankle}) {
      if (joint < 0 || joint >= n) return "legs: a joint that the skeleton does not have";
    }
    if (!is_above(skeleton, leg.hip, leg.knee)) return "legs: a knee is not below its hip";
    if (!is_above(skeleton, leg.knee, leg.ankle)) return "legs: an ankle is not below its knee";
    if (!(std::abs(dot(leg.knee_axis, leg.knee_axis) - 1) < 1e-3F)) return "legs: a knee_axis is not a unit vector";
    if (leg.ball == kNoJoint) continue;
    if (leg.ball < 0 || leg.ball >= n || !is_above(skeleton, leg.ankle, leg.ball)) {
      return "legs: a ball is not below its ankle";
    }
  }
  return nullptr;
}

}  // namespace zoe::ik_detail
