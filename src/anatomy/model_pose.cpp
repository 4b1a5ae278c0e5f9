// SPDX-License-Identifier: MIT
#include "zoe/anatomy/model_pose.h"

#include "zoe/core/index.h"

namespace zoe::anatomy {

void compute_model_pose(const Skeleton& skeleton, const PoseView& pose, ModelPose& out) {
  const std::size_t n = idx(skeleton.num_joints());
  out.rotations.resize(n);
  out.positions.resize(n);
  if (pose.scales.empty()) {
    for (std::size_t j = 0; j < n; ++j) {
      const int parent = skeleton.parent(static_cast<int>(j));
      if (parent == kNoJoint) {
        out.rotations[j] = pose.rotations[j];
        out.positions[j] = pose.translations[j];
        continue;
      }
      out.rotations[j] = normalized(out.rotations[idx(parent)] * pose.rotations[j]);
      out.positions[j] = out.positions[idx(parent)] + rotate(out.rotations[idx(parent)], pose.translations[j]);
    }
    return;
  }
  std::vector<Affine>& model = out.scratch;
  model.resize(n);
  compute_model_from_joint(skeleton, pose, model);
  for (std::size_t j = 0; j < n; ++j) {
    const int parent = skeleton.parent(static_cast<int>(j));
    out.rotations[j] =
        parent == kNoJoint ? pose.rotations[j] : normalized(out.rotations[idx(parent)] * pose.rotations[j]);
    out.positions[j] = model[j].t;
  }
}

Quat model_rotation(const Skeleton& skeleton, const PoseView& pose, int joint) {
  Quat rotation = pose.rotations[idx(joint)];
  for (int j = skeleton.parent(joint); j != kNoJoint; j = skeleton.parent(j))
    rotation = pose.rotations[idx(j)] * rotation;
  return normalized(rotation);
}

}  // namespace zoe::anatomy
