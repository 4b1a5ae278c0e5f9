// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip becomes a cycle without a network: the part that repeats best is found, its seam closed, its
// root motion kept. Frames away from the seam do not change.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"
#include "zoe/generate/ground_move.h"

namespace zoe::generate {

struct CycleOptions {
  double min_s = 0.4, max_s = 20;  // Duration; a whole clip may be longer.
  double window_s = 0.35;          // Of the change on either side of the seam; at most a third of the cycle.
  bool plant_feet = true;          // Feet that the change lets slide are planted within the window.
};

// Frames begin to end of the clip; `move` brings the pose of `begin` to that of `end`.
struct CycleRange {
  int begin = 0, end = 0;
  GroundMove move;            // Of one cycle. None where the body stays in its position.
  double distance_m = 0;      // Root mean square of joints between both ends, over five frames.
  double distance_share = 0;  // The same as a fraction of the body's size.
  bool whole = false;         // The clip is a cycle as it is.
  double gait_hz = 0;         // Above 0: a gait with this frequency was found, and cycles are multiples of it.
};
// Fails on clips shorter than min_s.
Result<CycleRange> find_cycle_range(const Motion& motion, const SkeletonAnalysis& analysis,
                                    const CycleOptions& options = {});

struct Cycle {
  Motion motion;  // Its last frame is its first, moved by range.move: play it as a loop.
  CycleRange range;
  int window = 0;                       // Frames changed at both ends, or none; all others are as they were.
  double seam_ratio = 0;                // See seam.h; between the end and the beginning.
  double skate_m_s = 0, own_skate = 0;  // Feet in contact: of the cycle, and of the same frames before.
};
Result<Cycle> make_cycle(const Motion& motion, const SkeletonAnalysis& analysis, const CycleOptions& options = {});

// `copies` of a cycle after each other: frames × copies + 1.
Motion unrolled(const Motion& cycle, const GroundMove& move, int copies);

}  // namespace zoe::generate
