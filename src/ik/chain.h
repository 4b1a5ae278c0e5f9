// SPDX-License-Identifier: MIT
// Part of Zoetrope. Shared by all solvers: checks a chain of joints and computes its frames.
#pragma once

#include <span>

#include "zoe/ik/ik_pose.h"
#include "zoe/ik/joint_limit.h"

namespace zoe::ik_detail {

// A rigid map: a_from_b.
struct Frame {
  Quat rotation;
  Vec3 position;

  Vec3 apply(Vec3 p) const { return position + rotate(rotation, p); }
  friend Frame operator*(const Frame& a, const Frame& b) {
    return {a.rotation * b.rotation, a.position + rotate(a.rotation, b.position)};
  }
};

inline Frame local_frame(const IkPose& pose, int joint) {
  return {pose.rotations[static_cast<std::size_t>(joint)], pose.translations[static_cast<std::size_t>(joint)]};
}
// ancestor_from_joint, where `ancestor` is above `joint`, or kNoJoint for model space. Identity when they are the same.
Frame ancestor_from(const Skeleton& skeleton, const IkPose& pose, int ancestor, int joint) noexcept;

// The shortest rotation of one unit vector onto another; about some perpendicular axis when they are opposite.
Quat arc(Vec3 from, Vec3 to) noexcept;

// The local rotation that points a bone in the desired direction (unit, in the parent's frame) and keeps the bone's
// twist against its rest rotation. bone_direction: unit, in the joint's own frame.
Quat aim_bone(Quat rest, Quat current, Vec3 bone_direction, Vec3 wanted_in_parent) noexcept;

// The limit at `index`, or null where there are none.
inline const JointLimit* limit_at(std::span<const JointLimit> limits, std::size_t index) {
  return limits.empty() ? nullptr : &limits[index];
}

// Reasons or nullptr.
const char* check_pose(const Skeleton* skeleton, const IkPose& pose) noexcept;
const char* check_batch(const Skeleton* skeleton, const PoseBatch* poses, const VectorBatch* targets,
                        const VectorBatch* poles) noexcept;
const char* check_chain(const Skeleton& skeleton, std::span<const int> chain) noexcept;
const char* check_limits(std::span<const JointLimit> limits, std::size_t count) noexcept;
bool is_above(const Skeleton& skeleton, int ancestor, int joint) noexcept;
inline bool is_share(float value) { return value >= 0 && value <= 1; }

}  // namespace zoe::ik_detail
