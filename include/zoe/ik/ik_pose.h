// SPDX-License-Identifier: MIT
// Part of Zoetrope. The pose that the solvers read and write in place, without scales.
#pragma once

#include <span>

#include "zoe/character/pose.h"
#include "zoe/character/pose_batch.h"

namespace zoe {

// Parent-relative translations (metres) and unit rotations of every joint. Joints have no scale here: bake scales into
// translations first where a rig has them.
struct IkPose {
  std::span<Vec3> translations;  // [joints]
  std::span<Quat> rotations;     // [joints]
};
inline IkPose ik_pose(Pose& pose) { return {pose.translations, pose.rotations}; }

// Vectors that differ from character to character (targets, poles), in the blocks of a PoseBatch: at(pose, 0, xyz).
class VectorBatch : public JointBatch {
 public:
  VectorBatch() = default;
  explicit VectorBatch(std::size_t num_poses) { resize(num_poses, 1, 3); }

  void set(std::size_t pose, Vec3 v) {
    for (std::size_t k = 0; k < 3; ++k) at(pose, 0, k) = v[k];
  }
  Vec3 get(std::size_t pose) const { return {at(pose, 0, 0), at(pose, 0, 1), at(pose, 0, 2)}; }
};

}  // namespace zoe
