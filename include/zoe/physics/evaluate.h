// SPDX-License-Identifier: MIT
// Part of Zoetrope. Fixed measures of simulated bodies: how well clips are followed, what pushes do, how fast many of
// them are, and whether hours of abuse leave numbers that are not finite.
#pragma once

#include "zoe/physics/push_motion.h"

namespace zoe::physics {

struct EvaluateOptions {
  double seconds = 10;        // Of each clip.
  double assist_share = 1.5;  // Of the weight, for the tracking error.
  double push_ns = 100;       // For a body of 70 kg; others get their share by mass.
  int num_seeds = 4;          // Pushes per clip, each at its own time and from its own side.
};

struct ClipScore {
  double duration_s = 0;
  TrackReport assisted, alone;  // With the assist, and without any. Without their motions.
  int num_pushes = 0, num_recovered = 0, num_falls = 0;
  double down_s = 0;          // Mean of the pushes.
  double largest_step_m = 0;  // Of a root between two frames.
  bool repeats = false;       // A second run has the same hash.
};

// Fails as track_motion().
Result<ClipScore> evaluate_clip(const BodyModelPtr& model, const Motion& motion, const EvaluateOptions& options = {});

// CPU time of one frame of many characters that follow the clip, each from its own frame on. One thread.
double crowd_frame_s(const BodyModelPtr& model, const Motion& motion, int num_characters, int num_frames);

struct SoakReport {
  std::int64_t num_ticks = 0;
  int num_pushes = 0, num_drops = 0, num_teleports = 0, num_falls = 0, num_get_ups = 0;
  int num_resets = 0;      // Ticks that had to reset the state.
  int num_not_finite = 0;  // Ticks after which a number of the pose was not finite.
  std::uint64_t hash = 0;
};

// Simulated minutes of random pushes (up to 30 times the weight), drops from up to 3 m in any orientation, and streams
// that jump by metres, while a clip is followed again and again.
Result<SoakReport> soak(const BodyModelPtr& model, const Motion& motion, double minutes, std::uint64_t seed);

}  // namespace zoe::physics
