// SPDX-License-Identifier: MIT
// Part of Zoetrope. What two-bone IK is told once: the limb, and how it bends.
#pragma once

#include "zoe/character/skeleton.h"

namespace zoe {

// What is the same for every character of a batch.
struct TwoBoneIkSettings {
  int start_joint = kNoJoint;  // Hip or shoulder.
  int mid_joint = kNoJoint;    // Knee or elbow, below start.
  int end_joint = kNoJoint;    // Ankle or wrist, below mid. Joints between the three stay as they are.
  Vec3 mid_axis{1, 0, 0};      // Unit, in mid's frame: a positive turn about it bends the limb the natural way.
  float soften = 1;            // In (0, 1]: from this share of its length on the limb straightens ever more slowly.
  float twist_rad = 0;         // Turns the bent limb about the line from start to target, on top of the pole.
  float weight = 1;            // 0: the pose as it is, 1: the solution; 0..1.
};

}  // namespace zoe
