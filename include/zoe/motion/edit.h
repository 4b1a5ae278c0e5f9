// SPDX-License-Identifier: MIT
// Part of Zoetrope. Cutting and joining clips: resample, trim, concatenate, reverse, drop end sites. All return new
// motions.
#pragma once

#include <span>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe {

// The motion at another frame rate (> 0), from the same start time. Frames that coincide are copied bit for bit, others
// interpolate (nlerp). The duration stays as near as whole frames allow: within half a new frame.
Result<Motion> resample(const Motion& motion, double fps);

// Frames [first, last], both included. start_time_s moves along, so that times keep their meaning.
Result<Motion> trim(const Motion& motion, int first_frame, int last_frame);

// The frames with times in [start_s, end_s] on the motion's own clock.
Result<Motion> trim_time(const Motion& motion, double start_s, double end_s);

struct ConcatenateOptions {
  // Turns about model Y and shifts each clip on the ground, so that its first root pose continues the end of the one
  // before. Height and tilt of the root do not change.
  bool align_root = false;
  // Skips the first frame of every clip but the first: for clips that share their boundary pose.
  bool drop_shared_frame = false;
};

// One clip after the other. All must have the same topology, frame rate and number of morph weights; the first one
// gives skeleton, name and start time.
Result<Motion> concatenate(std::span<const Motion* const> motions, const ConcatenateOptions& options = {});

// The same frames backwards; start_time_s stays.
Motion reverse(const Motion& motion);

// The clip on a skeleton without its end sites (see JointKind), which mark tips and never move.
Motion without_end_sites(const Motion& motion);

}  // namespace zoe
