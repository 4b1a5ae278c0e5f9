// SPDX-License-Identifier: MIT
// Part of Zoetrope. A pose: parent-relative transforms of every joint, as three parallel arrays.
#pragma once

#include <span>
#include <vector>

#include "zoe/character/skeleton.h"
#include "zoe/math/transform.h"

namespace zoe {

// Read-only view of one pose: one frame of a Motion, or a Pose. scales may be empty, which means all ones.
struct PoseView {
  std::span<const Vec3> translations;  // [joints] parent_from_joint, metres.
  std::span<const Quat> rotations;     // [joints] unit quaternions.
  std::span<const Vec3> scales;        // [joints] or empty.

  Transform joint(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return {translations[i], rotations[i], scales.empty() ? Vec3{1, 1, 1} : scales[i]};
  }
};

// A pose that owns its arrays. Sized once by make_pose; changing values never allocates.
struct Pose {
  std::vector<Vec3> translations;
  std::vector<Quat> rotations;
  std::vector<Vec3> scales;

  PoseView view() const { return {translations, rotations, scales}; }
};

// The rest pose of a skeleton.
Pose make_pose(const Skeleton& skeleton);

// Forward kinematics of one pose, plain and exact: the reference for the batched kernels. out: [joints]
// model_from_joint.
void compute_model_from_joint(const Skeleton& skeleton, const PoseView& pose, std::span<Affine> out);

}  // namespace zoe
