// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frames between known ones: by interpolation, or a generated motion fitted between them. Known
// frames do not change, and a filled gap meets both ends with their poses and velocities.
#pragma once

#include <vector>

#include "zoe/core/result.h"
#include "zoe/motion/motion.h"

namespace zoe::generate {

// Frames [first, last] that are to be filled, both included. A frame before or after them must be known.
struct Gap {
  int first = 0, last = 0;

  int num_frames() const { return last - first + 1; }
};

enum class Fill {
  kLinear,  // Translations lerp, rotations slerp: the baseline of the literature.
  kSpline,  // Cubic, with the velocities of both ends, which die out within kTangentFrames.
};

// Frames over which the velocity at an end continues into a gap, at most.
constexpr int kTangentFrames = 10;

// The motion with its gap filled by interpolation. Gaps at an end of the motion hold the pose of the known side, with
// its velocity dying out (kSpline).
Result<Motion> interpolate(const Motion& motion, const Gap& gap, Fill fill);

// The motion with the gap's frames from `made`, a motion of the same skeleton, rate and number of frames. Where `made`
// differs from the motion at the ends of the gap, the difference is spread over the gap by a spline, velocities
// included.
Result<Motion> fit_between(const Motion& motion, const Gap& gap, const Motion& made);

// The motion at another rate with a given number of frames, by a cubic through its frames: velocities have no corners,
// as they have after resample(). Frames beyond the end repeat the last.
Motion resample_smoothly(const Motion& motion, double fps, int num_frames);

}  // namespace zoe::generate
