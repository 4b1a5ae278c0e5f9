// SPDX-License-Identifier: MIT
// Part of Zoetrope. The inputs of a frame-by-frame network that come from its own earlier outputs at run time.
#pragma once

#include <vector>

#include "zoe/features/layout.h"

namespace zoe::author {

// Pairs of first and one past the last column of the input. The path ahead and labels are the intent's and not among
// them.
struct FedBack {
  std::vector<int> speed;                  // Velocities of joints, and the root's path up to now.
  std::vector<int> pose;                   // All else of joints; phases and signals.
  std::vector<int> goal;                   // A goal and the used prop, seen from the root.
  std::vector<int> body_pose, body_speed;  // Of these, joints and phases: not the root's path, nor goals.
};
FedBack fed_back_columns(const features::Layout& layout);

// Which outputs become which inputs of later steps: for rollouts in training.
struct Feed {
  std::vector<int> columns;  // In fours: first in the input, first in the output, number, steps further back.
  int phase_delta = -1;      // Column of the output with the change of the phase. -1: none.
};
Feed feed_columns(const features::Layout& layout);

}  // namespace zoe::author
