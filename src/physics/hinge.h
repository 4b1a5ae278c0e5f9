// SPDX-License-Identifier: MIT
// Part of Zoetrope. Knees and elbows: which bones turn about one axis, and how far a pose is from it.
#pragma once

#include <span>

#include "zoe/physics/body_plan.h"

namespace zoe::physics {

// A rotation of the bone from its reference pose: first about the hinge, then across it.
struct HingeAngles {
  double turn_rad = 0;
  Vec3d across_rad;  // Rotation vector in the frame of the reference pose.
};
HingeAngles hinge_angles(Vec3d axis, Quatd reference_from_bone);

// Bones in the middle of legs and arms that bend about one axis in the poses. rotations: [poses × bones] in the model.
void set_hinges(BodyPlan& plan, std::span<const Quatd> rotations);

}  // namespace zoe::physics
