// SPDX-License-Identifier: MIT
#include "dataset/row_summary.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::dataset {
namespace {

using features::BlockKind;

constexpr std::size_t kBatch = 16;

}  // namespace

GroupSummary GroupSummary::empty(const features::Layout& layout) {
  GroupSummary out;
  for (std::size_t k = 0; k < features::kNumBlocks; ++k) {
    const int width = layout.width(static_cast<BlockKind>(k));
    out.statistics.push_back(width > 0 ? std::optional(features::ColumnStatistics(width)) : std::nullopt);
  }
  return out;
}

void GroupSummary::merge(const GroupSummary& other) {
  num_rows += other.num_rows;
  for (std::size_t i = 0; i < speeds.size(); ++i) speeds[i] += other.speeds[i];
  for (std::size_t k = 0; k < statistics.size(); ++k)
    if (statistics[k]) statistics[k]->merge(*other.statistics[k]);
}

WholeWindows whole_windows(const features::Layout& layout, int num_rows) {
  return {layout.past_frames(), std::max(0, num_rows - layout.past_frames() - layout.future_frames())};
}

RowMeter::RowMeter(const features::Layout& layout) : layout_(layout), summary_(GroupSummary::empty(layout)) {}

float RowMeter::add(std::span<const float> rows, bool is_training) {
  const std::size_t width = idx(layout_.frame_width());
  const auto count = static_cast<int>(rows.size() / width);
  double sum = 0;
  for (std::size_t r = 0; r < idx(count); ++r) {
    const float* row = rows.data() + r * width;
    const double speed = std::hypot(row[features::row::kVelocityX], row[features::row::kVelocityZ]);
    sum += speed;
    ++summary_.speeds[static_cast<std::size_t>(std::min(speed / kSpeedBin, static_cast<double>(kNumSpeedBins - 1)))];
  }
  summary_.num_rows += count;
  const float mean = count > 0 ? static_cast<float>(sum / count) : 0.0F;
  if (!is_training) return mean;

  const features::ClipRows clip{rows.data(), count};
  const WholeWindows windows = whole_windows(layout_, count);
  const int stride = std::max(1, static_cast<int>(std::lround(layout_.fps() / 10)));
  for (int at = 0; at < windows.count;) {
    samples_.clear();
    for (; at < windows.count && samples_.size() < kBatch; at += stride) samples_.push_back({0, windows.first + at, 0});
    for (std::size_t k = 0; k < features::kNumBlocks; ++k)
      batch_[k].resize(samples_.size() * layout_.size(static_cast<BlockKind>(k)));
    features::GatherJob{.layout = &layout_,
                        .clips = {&clip, 1},
                        .samples = samples_,
                        .input = batch_[0],
                        .output = batch_[1],
                        .condition = batch_[2]}
        .run();
    for (std::size_t k = 0; k < features::kNumBlocks; ++k)
      if (summary_.statistics[k]) summary_.statistics[k]->add(batch_[k]);
  }
  return mean;
}

}  // namespace zoe::dataset
