// SPDX-License-Identifier: MIT
// Part of Zoetrope. Real clips that a controller has not learned from, as courses: it is told the
// clip's own root path and compared with the clip.
#pragma once

#include "zoe/eval/evaluate.h"

namespace zoe::eval {

// Wants, at every moment, the velocity and facing that these roots have in the next second, and back
// to where they are. Holds the last root at the end.
std::unique_ptr<control::IntentSource> follow_roots(std::vector<PlanarRoot> roots, double fps);

struct HeldOutOptions {
  bool all_clips = false;  // Of the data: all of it is unseen. Else its test split, or validation.
  double min_seconds = 3;  // Shorter clips are left out.
  double skip_s = 1;       // Not judged: the character starts from a stand, clips in full walk.
  std::function<void()> on_clip;
};

// No clip of that kind: num_clips is 0.
Result<HeldOut> evaluate_held_out(const control::Controller& controller, const control::Body& body,
                                  const dataset::Dataset& data, const HeldOutOptions& options = {});

}  // namespace zoe::eval
