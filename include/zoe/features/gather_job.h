// SPDX-License-Identifier: MIT
// Part of Zoetrope. Gathers frame rows into the arrays of a model, for training and run time. Only here are several
// frames combined.
#pragma once

#include <cstdint>
#include <span>

#include "zoe/features/clip_rows.h"
#include "zoe/features/control_series.h"
#include "zoe/features/layout.h"

namespace zoe::features {

// One sample: a moment of a clip, at `fraction` between its row `frame` and the next.
struct Sample {
  std::int32_t clip = 0;
  std::int32_t frame = 0;
  float fraction = 0;  // In [0, 1).
};

// Owns nothing, allocates nothing. For several threads, give each a part of the samples and of the arrays.
struct GatherJob {
  // Inputs.
  const Layout* layout = nullptr;
  std::span<const ClipRows> clips;
  std::span<const Sample> samples;

  // Outputs, each [samples × steps × width] of its block, or empty: skipped.
  std::span<float> input;
  std::span<float> output;
  std::span<float> condition;

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

// The future columns of "root" channels from a control series, relative to its present root. Other columns of out,
// [size(kind)], are not changed. This is the trajectory part of a motion matching query. Never allocates.
void encode_trajectory(const Layout& layout, BlockKind kind, const PlanarRoot& root, const ControlSeries& control,
                       std::span<float> out) noexcept;

}  // namespace zoe::features
