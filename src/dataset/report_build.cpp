// SPDX-License-Identifier: MIT
#include "dataset/report_build.h"

#include <array>

#include <fmt/format.h>

namespace zoe::dataset {

BuildReport report_of(const Manifest& manifest, std::span<const features::Layout> layouts) {
  BuildReport out;
  std::array<int, kNumSplits> splits{};
  int short_clips = 0;
  for (const ClipRecord& clip : manifest.clips) {
    const features::Layout& layout = layouts[static_cast<std::size_t>(clip.group)];
    ++out.num_clips;
    out.num_mirrored += clip.mirrored ? 1 : 0;
    out.num_repaired += !clip.mirrored && !clip.repairs.empty() ? 1 : 0;
    out.hours += clip.num_rows / layout.fps() / 3600;
    ++splits[static_cast<std::size_t>(clip.split)];
    short_clips += whole_windows(layout, clip.num_rows).count == 0 ? 1 : 0;
  }
  out.num_left_out = static_cast<int>(manifest.left_out.size());
  const auto warn = [&](std::string message) { out.warnings.push_back({std::move(message), {}}); };
  if (short_clips > 0)
    warn(fmt::format("{} of {} clips are shorter than one window of the schema; samplers skip them by default",
                     short_clips, out.num_clips));
  if (manifest.shard.count > 1) return out;
  for (std::size_t i = 0; i < kNumSplits; ++i)
    if (splits[i] == 0)
      warn(fmt::format("no clip is in the {} split; with few clips choose other fractions",
                       to_string(static_cast<Split>(i))));
  return out;
}

}  // namespace zoe::dataset
