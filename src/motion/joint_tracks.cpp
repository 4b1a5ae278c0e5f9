// SPDX-License-Identifier: MIT
#include "zoe/motion/joint_tracks.h"

#include <algorithm>

#include "zoe/core/check.h"

namespace zoe {

bool are_joints(const Motion& motion, std::span<const int> joints) {
  return std::all_of(joints.begin(), joints.end(), [&](int j) { return j >= 0 && j < motion.num_joints(); });
}

std::vector<Vec3> model_positions(const Motion& motion, std::span<const int> joints) {
  ZOE_CHECK(are_joints(motion, joints), "model_positions: a joint index is out of range");
  const auto n = static_cast<std::size_t>(motion.num_joints());
  std::vector<char> needed(n, 0);
  for (int joint : joints) {
    for (int j = joint; j != kNoJoint; j = motion.skeleton->parent(j)) needed[static_cast<std::size_t>(j)] = 1;
  }
  std::vector<std::size_t> chain;  // Needed joints, parents first.
  for (std::size_t j = 0; j < n; ++j)
    if (needed[j] != 0) chain.push_back(j);
  const std::span<const int> parents = motion.skeleton->parents();
  std::vector<Affine> model_from_joint(n);
  std::vector<Vec3> out(static_cast<std::size_t>(motion.num_frames) * joints.size());
  Vec3* to = out.data();
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    const PoseView pose = motion.frame(frame);
    for (const std::size_t j : chain) {
      const int parent = parents[j];
      const Affine local = to_affine(pose.joint(static_cast<int>(j)));
      model_from_joint[j] = parent == kNoJoint ? local : model_from_joint[static_cast<std::size_t>(parent)] * local;
    }
    for (int joint : joints) *to++ = model_from_joint[static_cast<std::size_t>(joint)].t;
  }
  return out;
}

}  // namespace zoe
