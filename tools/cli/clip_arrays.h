// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. The arrays of a model for every row of a clip: `zoe features` and the Python module.
#pragma once

#include <array>
#include <vector>

#include "zoe/features/clip_context.h"
#include "zoe/features/layout.h"

#include "metric_clip.h"

namespace zoe::cli {

struct ClipArrays {
  std::size_t num_rows = 0;
  std::vector<float> times_s;                                   // [rows] Since the file's first frame.
  std::vector<float> roots;                                     // [rows × 4] x, y, z, facing.
  std::array<std::vector<float>, features::kNumBlocks> blocks;  // [rows × steps × width] of each block.
};

// One sample per row.
Result<ClipArrays> make_clip_arrays(const MetricClip& clip, const features::Layout& layout,
                                    std::span<const features::LabelTrack> labels = {});

}  // namespace zoe::cli
