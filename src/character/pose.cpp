// SPDX-License-Identifier: MIT
#include "zoe/character/pose.h"

namespace zoe {

Pose make_pose(const Skeleton& skeleton) {
  Pose pose;
  const auto n = static_cast<std::size_t>(skeleton.num_joints());
  pose.translations.reserve(n);
  pose.rotations.reserve(n);
  pose.scales.reserve(n);
  for (const JointDesc& joint : skeleton.joints()) {
    pose.translations.push_back(joint.rest_local.translation);
    pose.rotations.push_back(joint.rest_local.rotation);
    pose.scales.push_back(joint.rest_local.scale);
  }
  return pose;
}

void compute_model_from_joint(const Skeleton& skeleton, const PoseView& pose, std::span<Affine> out) {
  const auto n = static_cast<std::size_t>(skeleton.num_joints());
  ZOE_CHECK(pose.translations.size() == n && pose.rotations.size() == n, "pose does not fit the skeleton");
  ZOE_CHECK(pose.scales.empty() || pose.scales.size() == n, "pose scales do not fit the skeleton");
  ZOE_CHECK(out.size() >= n, "output is smaller than the skeleton");
  const std::span<const int> parents = skeleton.parents();
  for (std::size_t i = 0; i < n; ++i) {
    const Affine local = to_affine(pose.joint(static_cast<int>(i)));
    out[i] = parents[i] == kNoJoint ? local : out[static_cast<std::size_t>(parents[i])] * local;
  }
}

}  // namespace zoe
