// SPDX-License-Identifier: MIT
// Part of Zoetrope. What actions are told by: speed, turning, heights and flight of a body, frame
// by frame.
#pragma once

#include <vector>

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"

namespace zoe::anatomy {

// Arrays are [frames]; metres and seconds.
struct ActionSignals {
  bool has_feet = false;
  bool quadruped = false;
  double leg_m = 1;           // Length of the legs; half the height where there are none.
  double standing_hip_m = 1;  // Height of the hips above the feet when it stands, and of head or chest.
  double standing_top_m = 1;
  std::vector<float> speed;  // Of the hips over the ground, without what steps add.
  std::vector<float> turn;   // rad/s of the facing, without sway.
  std::vector<float> hip_height,
      top_height;                   // Above the lower foot; top: head of bipeds, chest of quadrupeds.
  std::vector<float> flight_share;  // Of the time around the frame that no foot stands.
  std::vector<char> jumps;          // In the air for longer than a running step.
};

Result<ActionSignals> measure_actions(const Motion& motion, const SkeletonAnalysis& analysis);

}  // namespace zoe::anatomy
