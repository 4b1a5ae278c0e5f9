// SPDX-License-Identifier: MIT
// States of one foot: one contact with the ground, and the pose at one time.
#pragma once

#include "zoe/math/quat.h"

namespace zoe::synth {

// Target of a foot for solve_leg().
struct FootPose {
  Vec3 ball;             // Of distal.back(), world, metres.
  Quat sole;             // Yaw, and the tilt of the ground.
  float roll_rad = 0;    // Of the foot about the sole's x axis: toes down is positive. Plantigrade:
                         // from heel to toe.
  float toe_rad = 0;     // Of the toes against the foot.
  float fold = 0;        // 0..1: fold of the distal bones in mid-swing.
  bool planted = false;  // distal.back() is in contact.
  bool loaded = false;   // Heel or ball is in contact.
};

// One contact of a foot with the ground.
struct Stance {
  double down_s = 0, up_s = 0;
  double anchor_s = kMiddle;  // Time at which the body is right above. Else the middle.
  static constexpr double kMiddle = -1e9;
  Vec3 place;  // Of distal.back() with the sole flat, world.
  Quat sole;
  float facing_rad = 0;
  float strike_rad = 0;  // Plantigrade: roll at touchdown (<= 0) and at lift-off (>= 0).
  float lift_rad = 0;
  float swing_lift_m = 0;  // Of the swing after it, where an action needs more than a step.
  float swing_rise_m = 0;  // In addition: height of the whole body's flight meanwhile.
};

}  // namespace zoe::synth
