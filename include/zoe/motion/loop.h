// SPDX-License-Identifier: MIT
// Part of Zoetrope. Finds parts of a clip that can repeat, and makes them repeat without a seam.
#pragma once

#include <span>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"
#include "zoe/motion/root.h"

namespace zoe {

// Frame `end` resembles frame `begin` one cycle later.
struct Loop {
  int begin = 0, end = 0;
  float distance_m = 0;  // Root mean square over joints of the pose and velocity differences.
};

struct LoopOptions {
  // Of the same clip: poses are compared and closed relative to it, so walks may travel and turn. nullptr: in model
  // space.
  const RootTrajectory* root = nullptr;
  std::span<const int> joints;  // Joints to compare by position and velocity; empty: all.
  double min_duration_s = 0.5, max_duration_s = 10;
  float velocity_weight_s = 0.1F;  // Metres per 1 m/s of velocity difference.
  double min_separation_s = 0.1;   // Least distance of two results' begins or ends.
  int max_results = 8;
};

// Best first. Compares pairs of frames. On clips of more than 1,000 frames a coarse grid first, then around its best.
Result<std::vector<Loop>> find_loops(const Motion& motion, const LoopOptions& options = {});

// Frames begin to end, the last one equal to the first (relative to the root where given): play it with Wrap::kLoop.
// The differences of pose and velocity at the seam are shared by both sides and fade with half_life_s (a spring), or
// faster in short loops. With a root, its own path is kept. Fails unless 0 <= begin < end < num_frames.
Result<Motion> close_loop(const Motion& motion, const Loop& loop, const RootTrajectory* root = nullptr,
                          float half_life_s = 0.15F);

}  // namespace zoe
