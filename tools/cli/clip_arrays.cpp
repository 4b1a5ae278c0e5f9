// SPDX-License-Identifier: MIT
#include "clip_arrays.h"

#include <algorithm>

#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"

namespace zoe::cli {

using namespace features;

Result<ClipArrays> make_clip_arrays(const MetricClip& clip, const Layout& layout, std::span<const LabelTrack> labels) {
  ZOE_TRY_ASSIGN(const std::vector<float> rows, build_frame_rows(layout, {.motion = &clip.motion, .labels = labels}));
  const ClipRows view{rows.data(), num_rows(layout, clip.motion)};
  ClipArrays out;
  out.num_rows = static_cast<std::size_t>(view.num_rows);
  out.times_s.resize(out.num_rows);
  out.roots.resize(4 * out.num_rows);
  std::vector<Sample> samples(out.num_rows);
  for (std::size_t k = 0; k < out.num_rows; ++k) {
    const float* row = rows.data() + k * static_cast<std::size_t>(layout.frame_width());
    samples[k].frame = static_cast<int>(k);
    out.times_s[k] = static_cast<float>(clip.first_row_s + static_cast<double>(k) / layout.fps());
    std::copy_n(row, 4, &out.roots[4 * k]);
  }
  for (std::size_t i = 0; i < kNumBlocks; ++i) out.blocks[i].resize(out.num_rows * layout.size(kBlockKinds[i]));
  const bool ran = GatherJob{.layout = &layout,
                             .clips = {&view, 1},
                             .samples = samples,
                             .input = out.blocks[0],
                             .output = out.blocks[1],
                             .condition = out.blocks[2]}
                       .run();
  ZOE_CHECK(ran, "features: gathering was refused");
  return out;
}

}  // namespace zoe::cli
