// SPDX-License-Identifier: MIT
// Part of Zoetrope. Poses of many characters with one skeleton, arranged for vector units: blocks of 16 characters, and
// within a block [joint][component][character]. A block of a human fits into the second-level cache, so that a chain of
// joints never waits for memory.
#pragma once

#include <cstddef>
#include <span>

#include "zoe/character/pose.h"
#include "zoe/math/aligned_vector.h"

namespace zoe {

constexpr std::size_t kPosesPerBlock = 16;

// Numbers for every joint of every pose: `num_components` values each, in blocks of kPosesPerBlock poses. The last
// block is padded. Kernels process the padding too, so it must hold finite numbers (resize() ensures this).
class JointBatch {
 public:
  std::size_t num_poses() const { return num_poses_; }
  std::size_t num_joints() const { return num_joints_; }
  std::size_t num_components() const { return num_components_; }
  std::size_t num_blocks() const { return (num_poses_ + kPosesPerBlock - 1) / kPosesPerBlock; }
  std::size_t block_size() const { return num_joints_ * num_components_ * kPosesPerBlock; }

  // [joints][components][kPosesPerBlock], aligned to a cache line.
  const float* block(std::size_t index) const { return data_.data() + index * block_size(); }
  float* block(std::size_t index) { return data_.data() + index * block_size(); }

  float& at(std::size_t pose, std::size_t joint, std::size_t component) {
    return block(pose / kPosesPerBlock)[(joint * num_components_ + component) * kPosesPerBlock + pose % kPosesPerBlock];
  }
  float at(std::size_t pose, std::size_t joint, std::size_t component) const {
    return const_cast<JointBatch*>(this)->at(pose, joint, component);
  }

 protected:
  JointBatch() = default;
  void resize(std::size_t num_poses, std::size_t num_joints, std::size_t num_components) {
    num_poses_ = num_poses;
    num_joints_ = num_joints;
    num_components_ = num_components;
    data_.assign(num_blocks() * block_size(), 0.0F);
  }

 private:
  std::size_t num_poses_ = 0, num_joints_ = 0, num_components_ = 0;
  AlignedVector<float> data_;
};

// Parent-relative transforms. Components: translation x y z, rotation x y z w, and scale x y z where it has scales.
class PoseBatch : public JointBatch {
 public:
  static constexpr std::size_t kTranslation = 0, kRotation = 3, kScale = 7;

  PoseBatch() = default;
  // All zero: pack poses, or write every joint, before use. Without scales all scales are one, and kernels are faster.
  PoseBatch(std::size_t num_poses, std::size_t num_joints, bool with_scales) {
    resize(num_poses, num_joints, with_scales ? 10 : 7);
  }
  bool has_scales() const { return num_components() == 10; }
};

// model_from_joint. Components: the twelve numbers of Affine in memory order.
class ModelBatch : public JointBatch {
 public:
  ModelBatch() = default;
  ModelBatch(std::size_t num_poses, std::size_t num_joints) { resize(num_poses, num_joints, 12); }
};

// Copies poses [first_pose, first_pose + poses.size()) in. A view without scales packs ones; a batch without scales
// drops them (see all_scales_are_one). Joint counts must be equal.
void pack_poses(std::span<const PoseView> poses, std::size_t first_pose, PoseBatch& batch);
// Copies one pose out. Scales of the pose are set to one when the batch has none, and not changed when the pose has
// none.
void unpack_pose(const PoseBatch& batch, std::size_t pose_index, Pose& pose);
// [poses][joints] in pose order, for AoS code (skinning, rendering, streaming).
void unpack_models(const ModelBatch& batch, std::span<Affine> model_from_joint);

// Within a relative 1e-6, the precision of exporters.
bool all_scales_are_one(const PoseView& pose);

}  // namespace zoe
