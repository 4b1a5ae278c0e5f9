// SPDX-License-Identifier: MIT
// Part of Zoetrope. The speeds of a body, measured on the training motions of its model. So a dog is not asked to walk
// as fast as a person.
#pragma once

#include "zoe/control/intent.h"

namespace zoe::control {

// Speeds over the ground of the model's own body. A character of other proportions moves in proportion. The defaults
// are a person's.
struct MotionRange {
  float pace_mps = 1.3F;  // Median speed while it moves. Courses use it by default.
  // Speeds towards a goal, by gait.
  float walk_mps = 1.4F, jog_mps = 2.5F, run_mps = 4, crouch_mps = 0.8F;
  float turn_speed_rad_s = 6.3F;  // 95 % of the moments turn slower.

  // fast_mps: 95 of 100 moving moments are slower; empty: in the same ratio to the pace as a person's.
  static MotionRange measured(float pace_mps, std::optional<float> fast_mps = {},
                              std::optional<float> turn_speed_rad_s = {});

  float speed_mps(Gait gait) const;
  // Of a stick: fully tilted; with the walk button; with the run button.
  float stick_mps() const { return walk_mps * (1.6F / 1.4F); }
  float stick_walk_mps() const { return 0.5F * stick_mps(); }
  float stick_run_mps() const;

  friend bool operator==(const MotionRange&, const MotionRange&) = default;
};

}  // namespace zoe::control
