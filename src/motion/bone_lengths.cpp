// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "zoe/motion/statistics.h"

namespace zoe {

std::vector<BoneLength> bone_lengths(const Motion& motion) {
  const auto n = static_cast<std::size_t>(motion.num_joints());
  std::vector<BoneLength> out(n);
  for (std::size_t joint = 0; joint < n; ++joint) {
    const int parent = motion.skeleton->parent(static_cast<int>(joint));
    if (parent == kNoJoint) continue;
    const Transform& rest_parent = motion.skeleton->rest_local(parent);
    BoneLength& bone = out[joint];
    bone.rest = length(motion.skeleton->rest_local(static_cast<int>(joint)).translation * rest_parent.scale);
    // Welford: stable for long clips of nearly constant lengths.
    double mean = 0, squares = 0;
    for (int frame = 0; frame < motion.num_frames; ++frame) {
      const PoseView pose = motion.frame(frame);
      const float l = length(pose.translations[joint] * pose.joint(parent).scale);
      bone.min = frame == 0 ? l : std::min(bone.min, l);
      bone.max = std::max(bone.max, l);
      const double delta = l - mean;
      mean += delta / (frame + 1);
      squares += delta * (l - mean);
    }
    bone.mean = static_cast<float>(mean);
    bone.deviation = motion.num_frames > 0 ? static_cast<float>(std::sqrt(squares / motion.num_frames)) : 0.0F;
  }
  return out;
}

}  // namespace zoe
