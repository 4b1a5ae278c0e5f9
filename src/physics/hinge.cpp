// SPDX-License-Identifier: MIT
#include "physics/hinge.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"

#include "physics/fit_shape.h"

namespace zoe::physics {
namespace {

constexpr double kLeastBend_rad = 0.35;  // Bones that bend less do not tell their axis.
constexpr double kMostSlack_rad = 0.6;   // Others are no hinges.
constexpr double kTurnMargin_rad = 0.26, kSlackMargin_rad = 0.17;

bool continues(const BodyPlan& plan, std::size_t bone) {
  const BoneRole role = plan.bones[bone].role;
  if (role != BoneRole::kLeg && role != BoneRole::kArm) return false;
  if (plan.bones[bone].parent < 0 || plan.bones[idx(plan.bones[bone].parent)].role != role) return false;
  return std::ranges::any_of(plan.bones, [&](const Bone& next) {
    return next.parent == static_cast<int>(bone) && (next.role == role || next.role == BoneRole::kFoot);
  });
}

}  // namespace

HingeAngles hinge_angles(Vec3d axis, Quatd q) {
  const double along = q.x * axis.x + q.y * axis.y + q.z * axis.z;
  const Vec3d part = axis * along;
  const Quatd turn = normalized(Quatd{part.x, part.y, part.z, q.w});
  const Quatd across = q * conjugate(turn);
  double angle = 2 * std::atan2(along, q.w);
  if (angle > std::numbers::pi) angle -= 2 * std::numbers::pi;
  if (angle < -std::numbers::pi) angle += 2 * std::numbers::pi;
  return {angle, to_rotation_vector(across)};
}

void set_hinges(BodyPlan& plan, std::span<const Quatd> rotations) {
  const std::size_t num_bones = plan.bones.size();
  if (rotations.size() <= 10 * num_bones) return;  // No clips.
  std::vector<Quatd> turns;
  std::vector<Vec3d> vectors;
  for (std::size_t b = 1; b < num_bones; ++b) {
    if (!continues(plan, b)) continue;
    Bone& bone = plan.bones[b];
    turns.clear(), vectors.clear();
    for (std::size_t at = 0; at < rotations.size(); at += num_bones) {
      turns.push_back(conjugate(bone.rotation) * conjugate(rotations[at + idx(bone.parent)]) * rotations[at + b]);
      vectors.push_back(to_rotation_vector(turns.back()));
      vectors.push_back(-vectors.back());  // So that their mean is the reference pose.
    }
    Hinge hinge{.axis = main_axis(vectors)};
    for (const Quatd& turn : turns) {
      const HingeAngles angles = hinge_angles(hinge.axis, turn);
      hinge.low_rad = std::min(hinge.low_rad, angles.turn_rad);
      hinge.high_rad = std::max(hinge.high_rad, angles.turn_rad);
      hinge.slack_rad = std::max(hinge.slack_rad, length(angles.across_rad));
    }
    if (hinge.high_rad - hinge.low_rad < kLeastBend_rad) continue;
    hinge.low_rad -= kTurnMargin_rad, hinge.high_rad += kTurnMargin_rad, hinge.slack_rad += kSlackMargin_rad;
    if (hinge.slack_rad < kMostSlack_rad) bone.hinge = hinge;
  }
}

Vec3d way_within_limit(double limit_rad, Quatd q, Quatd goal, Vec3d shortest) {
  constexpr double kFar_rad = 1.2, kStep_rad = 1;  // Bodies that follow are never this far off.
  if (dot(shortest, shortest) < kFar_rad * kFar_rad || limit_rad >= std::numbers::pi) return shortest;
  const Vec3d middle = to_rotation_vector(q * from_rotation_vector(shortest * 0.5));
  if (length(middle) < limit_rad || length(to_rotation_vector(goal)) > limit_rad) return shortest;
  const Vec3d from = to_rotation_vector(q);
  return from * (-kStep_rad / std::max(length(from), kStep_rad));
}

}  // namespace zoe::physics
