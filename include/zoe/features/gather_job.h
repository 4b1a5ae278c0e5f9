// SPDX-License-Identifier: MIT
// Part of Zoetrope. From frame rows to the arrays a model is trained on or run with. Only here are several frames combined.
#pragma once

#include <cstdint>
#include <span>

#include "zoe/features/clip_rows.h"
#include "zoe/features/control_series.h"
#include "zoe/features/layout.h"

namespace zoe::features {

// One sample: a moment of a clip, `fraction` of the way from its row `frame` to the next.
struct Sample {
  std::int32_t clip = 0;
  std::int32_t frame = 0;
  float fraction = 0;  // In [0, 1).
};

// Owns nothing, allocates nothing; to use several threads, give each a part of the samples and of the arrays.
struct GatherJob {
  // Inputs.
  const Layout* layout = nullptr;
  std::span<const ClipRows> clips;
  std::span<const Sample> samples;

  // Outputs, each [samples × steps × width] of its block, or empty: not wanted.
  std::span<float> input;
  std::span<float> output;
  std::span<float> condition;

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // False, and nothing written, when validate() objects.
  bool run() const noexcept;
};

// The columns of "root" channels from now on, as a control series has the root, seen from where it is; other
// columns of out, [size(kind)], are left as they are. What motion matching asks its database for. Never
// allocates.
void encode_trajectory(const Layout& layout, BlockKind kind, const PlanarRoot& root, const ControlSeries& control,
                       std::span<float> out) noexcept;

}  // namespace zoe::features
