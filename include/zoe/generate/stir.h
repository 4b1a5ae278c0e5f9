// SPDX-License-Identifier: MIT
// Part of Zoetrope. How much a body does in a motion, besides travelling: what tells a strike from standing.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/motion.h"

namespace zoe::generate {

// Of the joint that does most. Positions are taken from a line: where the body would be had it travelled evenly.
// Lengths are fractions of the body's size.
struct Stir {
  double reach = 0;    // Farthest from the joint's own mean position.
  double speed_s = 0;  // Fastest, over a tenth of a second, per second.
  double rise = 0;     // Of the lowest joint above its lowest height.
  double sinks = 0;    // Fall of the joints' mean height from the first frame to the mean of the last quarter.
};
Stir measure_stir(const Motion& motion, const SkeletonAnalysis& analysis);

}  // namespace zoe::generate
