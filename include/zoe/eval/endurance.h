// SPDX-License-Identifier: MIT
// Part of Zoetrope. A controller on random sticks for minutes: does it stay upright, alive and as
// good as it was at the start?
#pragma once

#include "zoe/control/body.h"
#include "zoe/control/controller.h"

namespace zoe::eval {

struct EnduranceOptions {
  double minutes = 10;
  std::uint64_t seed = 1;
  float top_speed_mps = 0;  // Of the sticks; 0: a quarter above the body's pace.
};

struct Endurance {
  double minutes = 0;
  bool finite = true;           // Every number that was shown.
  int restarts = 0;             // The model lost its way and was started again.
  double stuck_s = 0;           // Progress::kStuck.
  double longest_freeze_s = 0;  // No joint moved by 2 mm a tick while a speed of 0.3 m/s was wanted.
  double worst_root_mps = 0, worst_joint_mps = 0;
  double lowest_top_share = 1;  // Least height of the highest joint, of that of the start.
  // Last minute less first minute (halves of shorter runs): mean height of all joints, and how far
  // the speed is from the wish, averaged over a second.
  double height_drift_cm = 0, speed_error_drift_cm_s = 0;
};
// Ticks at the model's own rate; keeps no motion.
Endurance run_sticks(const control::Controller& controller, const control::Body& body,
                     const EnduranceOptions& options = {});

}  // namespace zoe::eval
