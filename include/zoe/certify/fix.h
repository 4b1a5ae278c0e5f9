// SPDX-License-Identifier: MIT
// Part of Zoetrope. Repairs what certify_clip() finds, where that is possible: jumps, flips, heights, root motion,
// feet, the seam of a loop.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/core/result.h"

namespace zoe::certify {

struct FixOptions {
  bool spikes = true, flips = true, floor = true, feet = true;
  // Computes the root's path from the feet on the ground where feet slide. kAlways: also of cycles on the spot, which
  // then travel.
  enum class Root : unsigned char { kNever, kWhereFeetSlide, kAlways } root = Root::kWhereFeetSlide;
  bool loop = false;  // Closes the seam: the last frame becomes the first of the next cycle.
  double ground_height_m = 0;
};

struct FixReport {
  int num_spikes = 0;   // Single frames of single joints that were replaced.
  int num_flipped = 0;  // Frames of knees and elbows that were turned back.
  double lift_m = 0;    // Of the whole clip.
  bool root_moved = false;
  double root_path_m = 0;  // Length of the change of the root's path.
  bool feet_planted = false;
  bool loop_closed = false;
  // Mean speed over the ground of feet while they touch it in the result, before and after, of the slowest part of each
  // foot. Zero without contacts.
  double slide_before_m_s = 0, slide_after_m_s = 0;
  // Mean distance of joints from before, measured from the hips, metres: how much the pose changed.
  double mean_pose_change_m = 0;
};

// The repaired motion. Frames of a calibration pose are dropped. `report` may be null. Fails where the clip has no
// frames.
Result<Motion> fix_clip(const Motion& motion, const SkeletonAnalysis& analysis, const FixOptions& options = {},
                        FixReport* report = nullptr);

}  // namespace zoe::certify
