// SPDX-License-Identifier: MIT
#include "control/gait/leg_reach.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"
#include "zoe/math/portable_quat.h"

namespace zoe::control {

Quat limb_frame(Vec3 direction, Vec3 normal) noexcept {
  const Vec3 z = normalized(direction, Vec3{0, -1, 0});
  Vec3 x = normal - z * dot(normal, z);
  if (dot(x, x) < 1e-12F) x = std::abs(z.x) < 0.9F ? cross(Vec3{1, 0, 0}, z) : cross(Vec3{0, 1, 0}, z);
  x = normalized(x);
  return rotation_of(Affine{x, cross(z, x), z, {}});
}

LegReach::LegReach(const Skeleton& skeleton, const GaitLeg& leg, std::span<const Affine> model,
                   std::span<const Quat> rotations)
    : leg_(leg) {
  const auto at = [&](int joint) { return model[idx(joint)].t; };
  const auto rotation = [&](int joint) { return rotations[idx(joint)]; };
  const Vec3 hip = at(leg.hip), tip = at(leg.end) + leg.tip_m;
  const Vec3 end = is_rigid() ? tip : at(leg.end);
  const Vec3 normal = cross(normalized(end - hip), leg.pole);
  axis_ = normalized(normal, Vec3{1, 0, 0});
  upper_ = (is_rigid() ? end : at(leg.knee)) - hip;
  length_m_ = length(upper_);
  hip_rotation_ = rotation(leg.hip);
  if (!is_rigid()) {
    lower_ = end - at(leg.knee);
    knee_rotation_ = rotation(leg.knee);
    knee_parent_ = conjugate(rotation(leg.hip)) * rotation(skeleton.parent(leg.knee));
    // Bones need not be in the plane of the knee: legs may be bowed.
    mean_ = dot(upper_, axis_) * dot(lower_, axis_);
    const float along = dot(upper_, lower_) - mean_, across = dot(upper_, cross(axis_, lower_));
    swing_ = portable_hypot(along, across);
    straight_rad_ = portable_atan2(across, along);
    const float squares = dot(upper_, upper_) + dot(lower_, lower_);
    length_m_ = std::sqrt(std::max(squares + 2 * (mean_ + swing_), 0.0F));
    folded_m_ = std::sqrt(std::max(squares + 2 * (mean_ - swing_), 0.0F));
    // Positive angles beyond straight bend the knee away from the pole, or towards it.
    const Vec3 bent = rotate(portable_from_axis_angle(axis_, straight_rad_ + 0.5F), lower_);
    bend_sign_ = dot(cross(upper_, bent), axis_) < 0 ? 1.0F : -1.0F;
  }
  const int above = is_rigid() ? leg.hip : leg.knee;
  if (leg.end != leg.hip) end_parent_ = conjugate(rotation(above)) * rotation(skeleton.parent(leg.end));
  end_rotation_ = rotation(leg.end);
  if (leg.ball != kNoJoint) {
    ball_parent_ = conjugate(rotation(leg.end)) * rotation(skeleton.parent(leg.ball));
    ball_rotation_ = rotation(leg.ball);
    ball_from_tip_ = at(leg.ball) - tip;
  }
  end_from_tip_ = end - tip;
}

float LegReach::knee_angle(float far_m) const noexcept {
  const float far = std::clamp(far_m, folded_m_, length_m_);
  const float wanted = 0.5F * (far * far - dot(upper_, upper_) - dot(lower_, lower_));
  const float cosine = swing_ > 1e-12F ? std::clamp((wanted - mean_) / swing_, -1.0F, 1.0F) : 1.0F;
  return straight_rad_ + bend_sign_ * portable_acos(cosine);
}

Quat LegReach::local_of(const Skeleton& skeleton, int joint, Quat parent_now, Quat rotation,
                        std::span<const JointLimit> limits) const noexcept {
  const Quat local = normalized(skeleton.parent(joint) == kNoJoint ? rotation : conjugate(parent_now) * rotation);
  return limits.empty() ? local : clamp_to_limit(limits[idx(joint)], local);
}

void LegReach::solve(const Skeleton& skeleton, const Target& target, Vec3 hip_m, Quat parent,
                     std::span<const JointLimit> limits, std::span<Quat> local) const noexcept {
  const Vec3 line = target.end_m - hip_m;
  const Vec3 direction = normalized(line, Vec3{0, -1, 0});
  const Vec3 pole = rotate(target.trunk, leg_.pole);
  const Vec3 normal = cross(direction, pole);
  // A leg that cannot reach is stretched, one that is too near is folded.
  const float angle = is_rigid() ? 0.0F : knee_angle(length(line));
  const Quat bend = portable_from_axis_angle(axis_, angle);
  const Vec3 end = upper_ + rotate(bend, lower_);
  const Quat turn = limb_frame(direction, normal) * conjugate(limb_frame(end, axis_));
  local[idx(leg_.hip)] = local_of(skeleton, leg_.hip, parent, turn * hip_rotation_, limits);
  // From here on with what the limits left of it.
  const Quat hip_now = normalized(parent * local[idx(leg_.hip)]);
  Quat above = hip_now;
  if (!is_rigid()) {
    const Quat knee_parent = hip_now * knee_parent_;
    local[idx(leg_.knee)] = local_of(skeleton, leg_.knee, knee_parent, turn * bend * knee_rotation_, limits);
    above = normalized(knee_parent * local[idx(leg_.knee)]);
  }
  if (leg_.end == leg_.hip) return;
  const Quat end_parent = above * end_parent_;
  local[idx(leg_.end)] = local_of(skeleton, leg_.end, end_parent, target.foot * end_rotation_, limits);
  if (leg_.ball == kNoJoint) return;
  const Quat ball_parent = end_parent * local[idx(leg_.end)] * ball_parent_;
  local[idx(leg_.ball)] = local_of(skeleton, leg_.ball, ball_parent, target.toes * ball_rotation_, limits);
}

}  // namespace zoe::control
