// SPDX-License-Identifier: MIT
// Part of Zoetrope. The published measures of in-betweening (Harvey et al., 2020): distances of global positions and
// rotations, and of power spectra (NPSS: Gopalakrishnan et al., 2019).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "zoe/generate/in_between.h"

namespace zoe::generate {

// Windows of 65 frames, 40 apart; frames 0 to 9 are the past, then the gap, then one known frame.
struct InbetweenOptions {
  int window_frames = 65, window_step = 40, past_frames = 10;
};

struct InbetweenRow {
  std::string method;  // "hold", "linear", "spline", or a model.
  int gap_frames = 0;
  double l2p = 0, l2q = 0, npss = 0;
  int windows = 0;
};

// A method: fills the gap of one window.
using FillGap = std::function<Result<Motion>(const Motion& window, const Gap& gap)>;

// Means over all windows of all clips, which share a skeleton. Positions are centred on each window's mean root (x, z),
// turned so that the frame before the gap faces the same way, and divided by the deviations that each joint has over
// all frames of all windows, as published; there the training clips give the deviations, here the measured ones.
Result<InbetweenRow> score_inbetween(std::span<const Motion> clips, int gap_frames, const std::string& method,
                                     const FillGap& fill, const InbetweenOptions& options = {});

}  // namespace zoe::generate
