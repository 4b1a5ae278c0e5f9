// SPDX-License-Identifier: MIT
// Part of Zoetrope. A clip continued before its beginning or after its end without a network: from the moment of the
// clip that is most like its border. The clip's own frames do not change.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe::generate {

struct ContinueOptions {
  double window_s = 0.35;       // In which new frames leave the border's pose and velocity.
  double min_repeat_s = 0.3;    // Least distance of the moment from the border.
  double max_distance = 0.12;   // Of the body's size, between the moment and the border.
  double max_seam_ratio = 1.2;  // Of joins (seam.h).
};

struct Continuation {
  Motion motion;          // start_time_s is earlier by the new frames before.
  int match_frame = 0;    // Frame of the clip from which it continues.
  double distance_m = 0;  // Root mean square of joints between this moment and the border, over five frames.
  double seam_ratio = 0;  // Of the worst join (seam.h).
  int num_seams = 0;      // Joins; more than one where the rest of the clip is shorter than what is to be added.
};

// Adds `frames` after the last frame. Fails where no moment of the clip is near enough or joins smoothly.
Result<Continuation> continue_after(const Motion& motion, const SkeletonAnalysis& analysis, int frames,
                                    const ContinueOptions& options = {});
// Adds `frames` before the first frame.
Result<Continuation> continue_before(const Motion& motion, const SkeletonAnalysis& analysis, int frames,
                                     const ContinueOptions& options = {});

}  // namespace zoe::generate
