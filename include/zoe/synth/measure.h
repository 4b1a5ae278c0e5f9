// SPDX-License-Identifier: MIT
// Part of Zoetrope. Plausibility of a clip, measured from the finished motion alone.
#pragma once

#include "zoe/synth/clip.h"

namespace zoe::synth {

struct Plausibility {
  float skate_m_s = 0;         // Largest speed of a foot in contact, in any direction.
  float limit_rad = 0;         // Largest violation of a joint limit.
  int limit_joint = kNoJoint;  // Its joint.
  // Airborne frames: largest difference between the acceleration of the centre of mass and gravity.
  float fall_error_m_s2 = 0;
  int num_fall_frames = 0;  // Number of measured frames.
  float sunk_m = 0;         // Largest depth of a leg's joint below the ground.
  float turn_deg = 0;       // Largest rotation of a joint between two frames: detects flips at high rates.
  int turn_joint = kNoJoint;
};
Plausibility measure(const Body& body, const Clip& clip);

}  // namespace zoe::synth
