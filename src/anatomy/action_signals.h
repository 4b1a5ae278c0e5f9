// SPDX-License-Identifier: MIT
// Part of Zoetrope. Signals for detecting actions: speed, turning, heights and flight of a body, frame by frame.
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
  double standing_hip_m = 1;  // Height of the hips above the feet when standing, and of head or chest.
  double standing_top_m = 1;
  std::vector<float> speed;  // Of the hips over the ground, without the variation of single steps.
  std::vector<float> turn;   // rad/s of the facing, without sway.
  std::vector<float> hip_height,
      top_height;                   // Above the lower foot; top: head of bipeds, chest of quadrupeds.
  std::vector<float> flight_share;  // Fraction of the time around the frame without a foot in contact.
  std::vector<char> jumps;          // In the air for longer than a running step.
};

Result<ActionSignals> measure_actions(const Motion& motion, const SkeletonAnalysis& analysis);

}  // namespace zoe::anatomy
