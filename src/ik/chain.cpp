// SPDX-License-Identifier: MIT
#include "ik/chain.h"

#include "zoe/ik/fabrik_settings.h"

namespace zoe::ik_detail {

Frame ancestor_from(const Skeleton& skeleton, const IkPose& pose, int ancestor, int joint) noexcept {
  if (joint == ancestor || joint == kNoJoint) return {};
  Frame frame = local_frame(pose, joint);
  for (joint = skeleton.parent(joint); joint != ancestor && joint != kNoJoint; joint = skeleton.parent(joint))
    frame = local_frame(pose, joint) * frame;
  return frame;
}

Quat arc(Vec3 from, Vec3 to) noexcept {
  const float w = 1 + dot(from, to);
  if (w < 1e-6F) {
    const Vec3 side = std::abs(from.x) < 0.7F ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 axis = normalized(cross(from, side));
    return {axis.x, axis.y, axis.z, 0};
  }
  const Vec3 axis = cross(from, to);
  return normalized(Quat{axis.x, axis.y, axis.z, w});
}

Quat aim_bone(Quat rest, Quat current, Vec3 bone_direction, Vec3 wanted_in_parent) noexcept {
  const Quat twisted = rest * split_swing_twist(conjugate(rest) * current, bone_direction).twist;
  return normalized(arc(rotate(rest, bone_direction), wanted_in_parent) * twisted);
}

const char* check_pose(const Skeleton* skeleton, const IkPose& pose) noexcept {
  if (skeleton == nullptr) return "skeleton is missing";
  const auto n = static_cast<std::size_t>(skeleton->num_joints());
  if (pose.translations.size() != n) return "pose.translations does not have one entry per joint";
  if (pose.rotations.size() != n) return "pose.rotations does not have one entry per joint";
  return nullptr;
}

const char* check_batch(const Skeleton* skeleton, const PoseBatch* poses, const VectorBatch* targets,
                        const VectorBatch* poles) noexcept {
  if (skeleton == nullptr) return "skeleton is missing";
  if (poses == nullptr) return "poses is missing";
  if (targets == nullptr) return "targets_model is missing";
  if (poses->num_joints() != static_cast<std::size_t>(skeleton->num_joints())) {
    return "poses has another number of joints than the skeleton";
  }
  if (poses->has_scales()) return "poses has scales: bake them into the translations first";
  if (targets->num_poses() != poses->num_poses()) return "targets_model has another number of poses than poses";
  if (poles != nullptr && poles->num_poses() != poses->num_poses()) {
    return "poles_model has another number of poses than poses";
  }
  return nullptr;
}

const char* check_chain(const Skeleton& skeleton, std::span<const int> chain) noexcept {
  if (chain.size() < 2) return "chain has fewer than two joints";
  if (chain.size() > kMaxIkChain) return "chain has more than kMaxIkChain joints";
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (chain[i] < 0 || chain[i] >= skeleton.num_joints()) return "chain names a joint that the skeleton does not have";
    if (i > 0 && skeleton.parent(chain[i]) != chain[i - 1]) return "chain: a joint is not the parent of the next one";
  }
  return nullptr;
}

const char* check_limits(std::span<const JointLimit> limits, std::size_t count) noexcept {
  if (limits.empty()) return nullptr;
  if (limits.size() != count) return "limits is neither empty nor one entry a turning joint";
  for (const JointLimit& limit : limits) {
    if (limit.kind == JointLimit::Kind::kFree) continue;
    if (!(limit.min_rad <= limit.max_rad)) return "limits: min_rad is above max_rad";
    if (!(std::abs(dot(limit.axis, limit.axis) - 1) < 1e-3F)) return "limits: an axis is not a unit vector";
    if (!(limit.swing_rad >= 0)) return "limits: a negative swing_rad";
  }
  return nullptr;
}

bool is_above(const Skeleton& skeleton, int ancestor, int joint) noexcept {
  for (joint = skeleton.parent(joint); joint != kNoJoint; joint = skeleton.parent(joint)) {
    if (joint == ancestor) return true;
  }
  return false;
}

}  // namespace zoe::ik_detail
