// SPDX-License-Identifier: MIT
// Part of Zoetrope. Exposures: which moments of a motion are drawn, and how long each is displayed.
#pragma once

#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::sprite {

struct Exposure {
  double time_s = 0;  // From the motion's first frame.
  int duration_ms = 100;
  bool impact = false;  // Drawn in two tones: the moment of a hit.
  friend bool operator==(const Exposure&, const Exposure&) = default;
};

// Evenly spaced. num_frames 0: as many as fps gives. The last pose of a loop is its first, and is not drawn again.
// Durations are whole milliseconds that add up to the clip's length, to the nearest.
std::vector<Exposure> even_exposures(const Motion& motion, double fps, int num_frames, bool loop);

// True if the motion ends in the pose it begins with: joints relative to the first joint differ by less than 4 % of the
// body's size on average. Motions of one frame are no loops.
bool is_loop(const Motion& motion);

}  // namespace zoe::sprite
