// SPDX-License-Identifier: MIT
// Part of Zoetrope. One wing's pose.
#pragma once

#include "synth/rig.h"

namespace zoe::synth {

struct WingPose {
  float elevation_rad = 0;  // Of the arm, up.
  float sweep_rad = 0;      // Forward.
  float twist_rad = 0;      // Leading edge down.
  float fold = 0;           // 0 spread, 1 against the body.
};
void pose_wing(Rig& rig, const Wing& wing, const WingPose& pose);

}  // namespace zoe::synth
