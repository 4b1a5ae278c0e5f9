// SPDX-License-Identifier: MIT
// Part of Zoetrope. A pose in the model.
#pragma once

#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::anatomy {

// Model-space rotations and positions of one pose. Rotations are products of local ones. Scales are ignored.
struct ModelPose {
  std::vector<Quat> rotations;
  std::vector<Vec3> positions;
  std::vector<Affine> scratch;  // Of compute_model_pose().
};
void compute_model_pose(const Skeleton& skeleton, const PoseView& pose, ModelPose& out);

// Model-space rotation of one joint.
Quat model_rotation(const Skeleton& skeleton, const PoseView& pose, int joint);

}  // namespace zoe::anatomy
