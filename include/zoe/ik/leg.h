// SPDX-License-Identifier: MIT
// Part of Zoetrope. The joints of a leg, as the jobs on feet need them.
#pragma once

#include "zoe/character/skeleton.h"
#include "zoe/math/vec.h"

namespace zoe {

struct Leg {
  int hip = kNoJoint, knee = kNoJoint, ankle = kNoJoint;  // Each is a descendant of the one before.
  int ball = kNoJoint;                                    // Child of the ankle, or kNoJoint.
  Vec3 knee_axis{1, 0, 0};                                // Unit, in the knee's frame: see TwoBoneIkSettings::mid_axis.
  float ankle_height_m = 0.08F;  // Height of the ankle joint above the ground when the foot stands flat.
  float ball_height_m = 0.02F;   // The same for the ball.
};

}  // namespace zoe
