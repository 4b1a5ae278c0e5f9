// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joints whose rotation about their own bone is limited by the body.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::certify {

struct TwistJoint {
  int joint = kNoJoint;
  Vec3 axis;  // Unit, joint space: towards its child.
};
// Spine, neck, head, and limbs below their upper joint.
std::vector<TwistJoint> find_twist_joints(const Skeleton& skeleton, const SkeletonAnalysis& analysis);

// Radians, -π to π: the part of a rotation about an axis.
float twist_about(Quat rotation, Vec3 axis);

// The geometric median of a joint's rotations over the clip: a third of the frames may be wrong. Weiszfeld's iteration.
Quat usual_rotation(const Motion& motion, int joint);

}  // namespace zoe::certify
