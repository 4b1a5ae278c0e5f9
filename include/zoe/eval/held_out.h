// SPDX-License-Identifier: MIT
// Part of Zoetrope. Held-out clips as courses. The controller gets the clip's own root path as its intent, and is
// compared with the clip.
#pragma once

#include "zoe/eval/evaluate.h"

namespace zoe::eval {

// Intents with the velocity and facing of these roots over the next second, ahead by the time that paths are
// (PathOptions::lead_s), and a pull back to their path. A body that
// is late by at most 2 s is led along the path from where it is, up to 1.4 times as fast. Holds the last root at the
// end.
std::unique_ptr<control::IntentSource> follow_roots(std::vector<PlanarRoot> roots, double fps);

struct HeldOutOptions {
  bool all_clips = false;  // True: all clips of the data are held out. Else its test split, or validation.
  double min_seconds = 3;  // Shorter clips are skipped.
  double skip_s = 1;       // Not measured: the character starts from standing, clips in full walk.
  std::function<void()> on_clip;
};

// Without such clips num_clips is 0.
Result<HeldOut> evaluate_held_out(const control::Controller& controller, const control::Body& body,
                                  const dataset::Dataset& data, const HeldOutOptions& options = {});

}  // namespace zoe::eval
