// SPDX-License-Identifier: MIT
#include "motion/skin_error.h"

#include <algorithm>

namespace zoe::test {
namespace {

Vec3d to_model(const Motion& motion, int frame, int joint, Vec3d point) {
  for (; joint != kNoJoint; joint = motion.skeleton->parent(joint)) {
    const Transformd local = to_double(motion.frame(frame).joint(joint));
    point = local.translation + rotate(normalized(local.rotation), point * local.scale);
  }
  return point;
}

}  // namespace

double worst_skin_error_mm(const Motion& a, const Motion& b, double shell_distance_m) {
  double worst = 0;
  for (int frame = 0; frame < a.num_frames; ++frame) {
    for (int joint = 0; joint < a.num_joints(); ++joint) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3d point{};
        point[axis] = shell_distance_m;
        worst = std::max(worst, distance(to_model(a, frame, joint, point), to_model(b, frame, joint, point)));
      }
    }
  }
  return worst * 1000.0;
}

Motion without_end_sites(const Motion& motion) {
  std::vector<JointDesc> joints;
  std::vector<std::size_t> kept;
  std::vector<int> renumbered;
  for (int i = 0; i < motion.num_joints(); ++i) {
    renumbered.push_back(static_cast<int>(joints.size()));
    if (motion.skeleton->kind(i) == JointKind::kEndSite) continue;
    JointDesc joint = motion.skeleton->joints()[static_cast<std::size_t>(i)];
    if (joint.parent != kNoJoint) joint.parent = renumbered[static_cast<std::size_t>(joint.parent)];
    joints.push_back(joint);
    kept.push_back(static_cast<std::size_t>(i));
  }
  Motion out = make_motion(Skeleton::create(std::move(joints)).value(), motion.name, motion.fps, motion.num_frames, false);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t frame = 0; frame < static_cast<std::size_t>(motion.num_frames); ++frame) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      out.translations[frame * kept.size() + i] = motion.translations[frame * n + kept[i]];
      out.rotations[frame * kept.size() + i] = motion.rotations[frame * n + kept[i]];
    }
  }
  return out;
}

}  // namespace zoe::test
