// SPDX-License-Identifier: MIT
// Part of Zoetrope. Knees and elbows: which bones turn about one axis, and how far a pose is from it. Ways of
// joints within their limits.
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

// The way of a servo from q to its goal, both from the reference pose; shortest: that of the shorter rotation. Hard
// pushes throw joints beyond their limits, and the shortest way may lead on beyond them: servo and limit then hold each
// other for good. Such a joint goes back through its reference pose. In the bone's frame.
Vec3d way_within_limit(double limit_rad, Quatd q, Quatd goal, Vec3d shortest);

}  // namespace zoe::physics
