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

}  // namespace zoe::test
