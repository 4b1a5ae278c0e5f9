// SPDX-License-Identifier: MIT
#include "zoe/character/pose_batch.h"

#include <algorithm>

#include "character/local_to_model_kernels.h"

namespace zoe {
namespace {

// Component 0 of one pose and joint. Component k is k * kPosesPerBlock further.
float* first_component(PoseBatch& batch, std::size_t pose, std::size_t joint) { return &batch.at(pose, joint, 0); }

void put(float* out, std::size_t component, Vec3 v) {
  for (std::size_t k = 0; k < 3; ++k) out[(component + k) * kPosesPerBlock] = v[k];
}
Vec3 vec_at(const float* in, std::size_t component) {
  return {in[component * kPosesPerBlock], in[(component + 1) * kPosesPerBlock], in[(component + 2) * kPosesPerBlock]};
}

}  // namespace

void pack_poses(std::span<const PoseView> poses, std::size_t first_pose, PoseBatch& batch) {
  ZOE_CHECK(first_pose + poses.size() <= batch.num_poses(), "more poses than the batch has room for");
  const std::size_t num_joints = batch.num_joints();
  for (const PoseView& pose : poses) {
    ZOE_CHECK(pose.translations.size() == num_joints && pose.rotations.size() == num_joints &&
                  (pose.scales.empty() || pose.scales.size() == num_joints),
              "pose does not fit the batch");
  }
  // Joints outside, poses inside: the batch is written in memory order, a cache line of characters at a time.
  for (std::size_t first = 0; first < poses.size();) {
    const std::size_t target = first_pose + first;
    const std::size_t count = std::min(poses.size() - first, kPosesPerBlock - target % kPosesPerBlock);
    for (std::size_t joint = 0; joint < num_joints; ++joint) {
      float* out = first_component(batch, target, joint);
      for (std::size_t i = 0; i < count; ++i) {
        const PoseView& pose = poses[first + i];
        put(out + i, PoseBatch::kTranslation, pose.translations[joint]);
        const Quat q = pose.rotations[joint];
        put(out + i, PoseBatch::kRotation, {q.x, q.y, q.z});
        out[i + (PoseBatch::kRotation + 3) * kPosesPerBlock] = q.w;
        if (batch.has_scales()) {
          put(out + i, PoseBatch::kScale, pose.scales.empty() ? Vec3{1, 1, 1} : pose.scales[joint]);
        }
      }
    }
    first += count;
  }
}

void unpack_pose(const PoseBatch& batch, std::size_t pose_index, Pose& pose) {
  const std::size_t num_joints = batch.num_joints();
  ZOE_CHECK(pose_index < batch.num_poses(), "no such pose in the batch");
  ZOE_CHECK(pose.translations.size() == num_joints && pose.rotations.size() == num_joints,
            "pose does not fit the batch");
  for (std::size_t joint = 0; joint < num_joints; ++joint) {
    const float* in = batch.block(pose_index / kPosesPerBlock) + joint * batch.num_components() * kPosesPerBlock +
                      pose_index % kPosesPerBlock;
    pose.translations[joint] = vec_at(in, PoseBatch::kTranslation);
    const Vec3 q = vec_at(in, PoseBatch::kRotation);
    pose.rotations[joint] = {q.x, q.y, q.z, in[(PoseBatch::kRotation + 3) * kPosesPerBlock]};
    if (!pose.scales.empty()) pose.scales[joint] = batch.has_scales() ? vec_at(in, PoseBatch::kScale) : Vec3{1, 1, 1};
  }
}

void unpack_models(const ModelBatch& batch, std::span<Affine> model_from_joint) {
  const std::size_t num_joints = batch.num_joints();
  ZOE_CHECK(model_from_joint.size() >= batch.num_poses() * num_joints, "output is smaller than the batch");
  for (std::size_t block = 0; block < batch.num_blocks() && num_joints > 0; ++block) {
    const std::size_t first = block * kPosesPerBlock;
    kernels::unpack_model_block(num_joints, std::min(kPosesPerBlock, batch.num_poses() - first), batch.block(block),
                                &model_from_joint[first * num_joints].x.x, num_joints * 12);
  }
}

bool all_scales_are_one(const PoseView& pose) {
  return std::all_of(pose.scales.begin(), pose.scales.end(), [](Vec3 s) {
    return std::abs(s.x - 1) <= 1e-6F && std::abs(s.y - 1) <= 1e-6F && std::abs(s.z - 1) <= 1e-6F;
  });
}

}  // namespace zoe
