// SPDX-License-Identifier: MIT
// Part of Zoetrope. Windows of motion as rows of numbers that bodies of all families share: speeds, heights, swings,
// spectra, contact. The input of the motion encoder (motion_encoder.h).
//
//   const MotionWindows windows = *describe_windows(clip, analyse(*clip.skeleton, {&clip, 1}));
#pragma once

#include <span>
#include <string>
#include <vector>

#include "zoe/anatomy/analysis.h"

namespace zoe::eval {

// About 2.1 s: two steps of a walk. A clip that is shorter is one window, down to kLeastWindowFrames.
constexpr int kWindowFrames = 64, kLeastWindowFrames = 15;  // At 30 frames per second.

struct MotionWindows {
  std::vector<float> values;    // [windows × description_width()]
  std::vector<double> start_s;  // [windows] From the beginning of the clip.
  double seconds = 0;           // Length of each.
  std::size_t size() const { return start_s.size(); }
};

struct WindowOptions {
  double hop_s = 1;  // Largest distance of windows; they cover the clip evenly.
};

int description_width();
// [description_width()] "legs.speed.mean", ….
const std::vector<std::string>& description_columns();

// Lengths are in body lengths, so that neither unit nor size of the body counts. Position, heading and rate of the
// capture do not count either; left and right are the same. No windows where the clip is shorter than 0.5 s. Fails on
// a body without bones.
Result<MotionWindows> describe_windows(const Motion& motion, const SkeletonAnalysis& analysis,
                                       const WindowOptions& options = {});

}  // namespace zoe::eval
