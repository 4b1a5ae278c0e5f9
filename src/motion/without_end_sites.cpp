// SPDX-License-Identifier: MIT
#include "zoe/motion/edit.h"

#include "motion/frame_copy.h"

namespace zoe {

Motion without_end_sites(const Motion& motion) {
  std::vector<JointDesc> joints;
  std::vector<std::size_t> kept;
  std::vector<int> renumbered;  // [old joints] Nearest kept joint at or above.
  for (int i = 0; i < motion.num_joints(); ++i) {
    JointDesc joint = motion.skeleton->joints()[static_cast<std::size_t>(i)];
    if (joint.parent != kNoJoint) joint.parent = renumbered[static_cast<std::size_t>(joint.parent)];
    if (joint.kind == JointKind::kEndSite) {
      renumbered.push_back(joint.parent);
      continue;
    }
    renumbered.push_back(static_cast<int>(joints.size()));
    joints.push_back(std::move(joint));
    kept.push_back(static_cast<std::size_t>(i));
  }
  Motion out = empty_like(motion);
  out.skeleton = Skeleton::create(std::move(joints)).value();
  out.num_frames = motion.num_frames;
  out.morph_weights = motion.morph_weights;
  const auto n = static_cast<std::size_t>(motion.num_joints());
  const auto pick = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    to.reserve(from.size() / n * kept.size());
    for (std::size_t first = 0; first < from.size(); first += n) {
      for (const std::size_t joint : kept) to.push_back(from[first + joint]);
    }
  };
  pick(motion.translations, out.translations);
  pick(motion.rotations, out.rotations);
  pick(motion.scales, out.scales);
  return out;
}

}  // namespace zoe
