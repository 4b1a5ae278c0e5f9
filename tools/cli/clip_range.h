// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Which frames of a clip `zoe convert` and `zoe retarget` take.
#pragma once

#include <atomic>

#include "zoe/motion/motion.h"

#include "verb.h"

namespace zoe::cli {

struct ClipRange {
  std::optional<double> start_s, end_s;  // From the beginning of the clip.
  bool keep_calibration = false;
};

void add_clip_range(Options& app, ClipRange& range);

// Drops a T-pose before the take, unless it is to be kept, and what lies outside the times. `num_dropped` counts clips
// that lost calibration frames; it may be changed by several threads.
Result<Motion> cut(const Motion& clip, const ClipRange& range, std::atomic<int>& num_dropped);

// One message for all clips of a run; nothing when none lost any.
void print_dropped(int num_dropped);

}  // namespace zoe::cli
