// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip played by a body that is pushed, falls and gets up.
#pragma once

#include "zoe/physics/reactive_body.h"
#include "zoe/physics/track_motion.h"

namespace zoe::physics {

struct PushOptions {
  ReactionOptions reaction;
  std::vector<Push> pushes;
  std::optional<double> ground_y_m;  // Without it ground_under().
  double wait_s = 10;                // The clip's last pose is held this long at most, until the body follows again.
};

struct PushReport {
  Motion motion;                 // The simulated one; longer than the clip where the body was down at its end.
  std::vector<Reaction> frames;  // [frames of `motion`]
  int num_falls = 0, num_get_ups = 0, num_bad = 0;
  bool recovered = false;     // At the end the body follows.
  double down_s = 0;          // Falling, lying and getting up.
  double largest_step_m = 0;  // Of the root between two frames: nothing is teleported.
  double thrown_up_m = 0;     // Largest height of the root above its target after a fall.
  double mean_assist_n = 0;
};

// Fails as track_motion().
Result<PushReport> push_motion(const BodyModelPtr& model, const Motion& motion, const PushOptions& options);

}  // namespace zoe::physics
