// SPDX-License-Identifier: MIT
// Part of Zoetrope. Settings of two-bone IK: the limb, and how it bends.
#pragma once

#include "zoe/character/skeleton.h"

namespace zoe {

// Settings that all characters of a batch share.
struct TwoBoneIkSettings {
  int start_joint = kNoJoint;  // Hip or shoulder.
  int mid_joint = kNoJoint;    // Knee or elbow, below start.
  int end_joint = kNoJoint;    // Ankle or wrist, below mid. Joints between the three do not change.
  // Unit, in mid's frame: a positive rotation about it bends the limb in the natural direction.
  Vec3 mid_axis{1, 0, 0};
  // In (0, 1]: from this fraction of its length on the limb straightens more and more slowly.
  float soften = 1;
  float twist_rad = 0;  // Rotates the bent limb about the line from start to target, in addition to the pole.
  float weight = 1;     // 0: the original pose, 1: the solution; 0..1.
};

}  // namespace zoe
