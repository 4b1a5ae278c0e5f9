// SPDX-License-Identifier: MIT
// Part of Zoetrope. Frames between known ones: by interpolation, or a generated motion fitted between them. Known
// frames do not change, and a filled gap meets both ends with their poses and velocities.
#pragma once

#include <cstdint>
#include <span>
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
  kSpline,  // Linear, plus what the velocities of both ends are beyond that, which dies out within the reach.
};

// Time over which the velocity at an end continues into a gap, unless stated.
constexpr double kTangentSeconds = 1.0 / 3;

// The motion with its gap filled by interpolation. Gaps at an end of the motion hold the pose of the known side, with
// its velocity dying out (kSpline). known: [frames], not 0 where a frame is known; empty: all but the gap. A known
// frame between two gaps is a key pose: its velocity follows from the known frames on both sides.
Result<Motion> interpolate(const Motion& motion, const Gap& gap, Fill fill, std::span<const std::uint8_t> known = {},
                           double reach_s = kTangentSeconds);

// The motion with the gap's frames from `made`, a motion of the same skeleton, rate and number of frames. Where `made`
// differs from the motion at the ends of the gap, the difference is spread over the gap by a spline, velocities
// included. known: as above; at key poses the velocity is that of `made`.
Result<Motion> fit_between(const Motion& motion, const Gap& gap, const Motion& made,
                           std::span<const std::uint8_t> known = {}, double reach_s = kTangentSeconds);

// How much of a generated motion a gap between two known frames takes, the rest is spline: nothing up to
// kSplineSeconds, all from twice that on. On LAFAN1 the included network is farther from the truth than a spline in
// gaps of up to 1.5 s; in longer ones a spline stands still.
constexpr double kSplineSeconds = 1.5;
double generated_share(double gap_s);
// Frames of the gap: `share` of `made`, the rest of `motion`; all others are those of `motion`.
Motion blend_gap(const Motion& motion, const Motion& made, const Gap& gap, double share);

// The motion at another rate with a given number of frames, by a cubic through its frames: velocities have no corners,
// as they have after resample(). Frames beyond the end repeat the last.
Motion resample_smoothly(const Motion& motion, double fps, int num_frames);

}  // namespace zoe::generate
