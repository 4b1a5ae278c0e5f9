// SPDX-License-Identifier: MIT
// Part of Zoetrope. Bends the legs of a retargeted motion so that its feet are where the source's are.
#pragma once

#include <span>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::anatomy_detail {

// Model-space rotations and positions of one pose. Rotations are products of local ones: scales do not enter.
struct ModelPose {
  std::vector<Quat> rotations;
  std::vector<Vec3> positions;
};
void compute_model_pose(const Skeleton& skeleton, const PoseView& pose, ModelPose& out);

struct LegGoal {
  std::vector<int> joints;     // From hip to foot, at least three.
  std::vector<Vec3> foot;      // [frames] where the foot shall be, model space.
  Vec3 bend_axis_model;        // About which the knee bends where the motion never shows it; reference pose.
};

// Changes rotations of hip and knee, and of the foot so that it keeps its direction in model space.
void reach_feet(Motion& motion, std::span<const LegGoal> legs, const ModelPose& reference);

}  // namespace zoe::anatomy_detail
