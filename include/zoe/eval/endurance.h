// SPDX-License-Identifier: MIT
// Part of Zoetrope. A controller on random sticks for minutes. Measures whether it stays upright, keeps moving and does
// not drift.
#pragma once

#include "zoe/control/body.h"
#include "zoe/control/controller.h"

namespace zoe::eval {

struct EnduranceOptions {
  double minutes = 10;
  std::uint64_t seed = 1;
  float top_speed_mps = 0;  // Of the sticks. 0: a quarter above the body's pace.
};

struct Endurance {
  double minutes = 0;
  bool finite = true;           // True if every output was finite.
  int restarts = 0;             // Restarts after a failure of the model.
  double stuck_s = 0;           // Time in Progress::kStuck.
  double longest_freeze_s = 0;  // Longest time in which no joint moved by 2 mm per tick at a desired speed of 0.3 m/s.
  double worst_root_mps = 0, worst_joint_mps = 0;
  double lowest_top_share = 1;  // Least height of the highest joint, as a fraction of its height at the start.
  // Last minute minus first minute (halves of shorter runs): mean height of all joints, and the difference of speed and
  // desired speed, averaged over a second.
  double height_drift_cm = 0, speed_error_drift_cm_s = 0;
};
// Ticks at the model's own rate. Stores no motion.
Endurance run_sticks(const control::Controller& controller, const control::Body& body,
                     const EnduranceOptions& options = {});

}  // namespace zoe::eval
