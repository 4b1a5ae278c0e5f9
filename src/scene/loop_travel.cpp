// SPDX-License-Identifier: MIT
#include "scene/loop_travel.h"

#include <cmath>

namespace zoe::scene {
namespace {

constexpr float kStillM = 1e-3F, kStillRad = 1e-3F;

bool moves(const Motion& motion, int joint) {
  const Transform first = motion.frame(0).joint(joint);
  for (int frame = 1; frame < motion.num_frames; ++frame) {
    const Transform now = motion.frame(frame).joint(joint);
    if (distance(now.translation, first.translation) > kStillM ||
        angle_between(now.rotation, first.rotation) > kStillRad) {
      return true;
    }
  }
  return false;
}

// Turn about +Y, of the swing-twist decomposition.
float yaw_of(Quat q) { return 2 * std::atan2(q.w < 0 ? -q.y : q.y, std::abs(q.w)); }

}  // namespace

Affine to_affine(const GroundMove& move) {
  Affine m = zoe::to_affine(from_axis_angle(Vec3{0, 1, 0}, move.yaw_rad));
  m.t = move.way;
  return m;
}

GroundMove operator*(const GroundMove& a, const GroundMove& b) {
  return {a.yaw_rad + b.yaw_rad, to_affine(a).apply_point(b.way)};
}

GroundMove inverse(const GroundMove& move) {
  return {-move.yaw_rad, -to_affine(GroundMove{-move.yaw_rad, {}}).apply_vector(move.way)};
}

GroundMove power(const GroundMove& move, std::int64_t exponent) {
  GroundMove factor = exponent < 0 ? inverse(move) : move, result;
  for (std::uint64_t e = exponent < 0 ? 0 - static_cast<std::uint64_t>(exponent) : static_cast<std::uint64_t>(exponent);
       e != 0; e >>= 1) {
    if ((e & 1) != 0) result = factor * result;
    factor = factor * factor;
  }
  return result;
}

LoopTravel::LoopTravel(const Motion& motion) {
  if (motion.num_frames < 2) return;
  const Skeleton& skeleton = *motion.skeleton;
  // The first joint that moves has parents that do not: they come before it.
  int joint = 0;
  while (joint < skeleton.num_joints() && !moves(motion, joint)) ++joint;
  if (joint == skeleton.num_joints()) return;
  const PoseView first = motion.frame(0), last = motion.frame(motion.num_frames - 1);
  for (int up = skeleton.parent(joint); up != kNoJoint; up = skeleton.parent(up)) {
    model_from_parent_ = to_affine(first.joint(up)) * model_from_parent_;
  }
  const Affine begin = model_from_parent_ * to_affine(first.joint(joint));
  const Affine end = model_from_parent_ * to_affine(last.joint(joint));
  joint_ = joint;
  round_.yaw_rad = yaw_of(decompose(end).rotation * conjugate(decompose(begin).rotation));
  round_.way = end.t - to_affine(GroundMove{round_.yaw_rad, {}}).apply_point(begin.t);
  round_.way.y = 0;
}

void LoopTravel::apply(std::int64_t rounds, Pose& pose) const {
  if (rounds == 0 || joint_ == kNoJoint) return;
  const Affine moved = zoe::inverse(model_from_parent_) * to_affine(power(round_, rounds)) * model_from_parent_;
  const auto j = static_cast<std::size_t>(joint_);
  const Transform local = decompose(moved * to_affine(Transform{pose.translations[j], pose.rotations[j], {1, 1, 1}}));
  pose.translations[j] = local.translation;
  pose.rotations[j] = nearest_to(pose.rotations[j], local.rotation);
}

}  // namespace zoe::scene
