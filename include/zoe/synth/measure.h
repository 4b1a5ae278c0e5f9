// SPDX-License-Identifier: MIT
// Part of Zoetrope. How plausible a clip is, measured from the finished motion alone.
#pragma once

#include "zoe/synth/clip.h"

namespace zoe::synth {

struct Plausibility {
  float skate_m_s = 0;         // Fastest that a standing foot moves, in any direction.
  float limit_rad = 0;         // Most that a joint is beyond its limit.
  int limit_joint = kNoJoint;  // Which.
  float fall_error_m_s2 = 0;   // Airborne frames: the centre of mass's acceleration against gravity's, largest.
  int num_fall_frames = 0;     // How many were looked at.
  float sunk_m = 0;            // Deepest that a joint of a leg is below the ground.
  float turn_deg = 0;          // Largest turn of a joint from one frame to the next: flips show here at high rates.
  int turn_joint = kNoJoint;
};
Plausibility measure(const Body& body, const Clip& clip);

}  // namespace zoe::synth
