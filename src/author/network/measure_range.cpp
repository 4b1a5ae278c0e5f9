// SPDX-License-Identifier: MIT
#include "author/network/measure_range.h"

#include <algorithm>

#include "zoe/control/style_range.h"
#include "zoe/core/index.h"
#include "zoe/dataset/sampler.h"

#include "author/percentile.h"

namespace zoe::author {
namespace {

using features::BlockKind;

constexpr double kShare = 1e-3;      // Of the values at either end do not count.
constexpr float kMargin = 0.25F;     // Of the distance between both ends.
constexpr std::size_t kRows = 8000;  // Enough for these percentiles.

// values: [rows × width].
control::ColumnRange range_of(std::span<const float> values, std::size_t width) {
  control::ColumnRange range;
  std::vector<float> column(values.size() / width);
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t row = 0; row < column.size(); ++row) column[row] = values[row * width + i];
    const float low = percentile(column, kShare), high = percentile(column, 1 - kShare);
    range.low.push_back(low - kMargin * (high - low));
    range.high.push_back(high + kMargin * (high - low));
  }
  return range;
}

// Weights of labels may exaggerate; see control::parse_style_mix().
void widen_labels(const features::Layout& layout, control::ColumnRange& range) {
  const auto& channels = layout.schema().block(BlockKind::kInput).channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (channels[c].group != features::Group::kRoot || channels[c].parts.empty()) continue;
    if (channels[c].parts[0] != features::Part::kStyle && channels[c].parts[0] != features::Part::kAction) continue;
    const features::Column& column = layout.columns(BlockKind::kInput)[c];
    std::fill_n(range.low.begin() + column.begin, column.width, control::kLeastStyle);
    std::fill_n(range.high.begin() + column.begin, column.width, control::kMostStyle);
  }
}

}  // namespace

Result<control::FeatureRange> measure_range(const FitContext& context) {
  const auto groups = context.data.groups();
  const int group = static_cast<int>(&context.group - groups.data());
  ZOE_TRY_ASSIGN(const dataset::Sampler sampler,
                 dataset::Sampler::create(context.data, {.group = group, .shuffle = false}));
  const features::Layout& layout = context.group.layout;
  const std::size_t count = std::min<std::size_t>(sampler.size(), kRows);
  std::vector<features::Sample> samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(sampler.at(0, i * sampler.size() / count));
  std::vector<float> input(count * layout.size(BlockKind::kInput)), output(count * layout.size(BlockKind::kOutput));
  if (!context.data.gather(group, samples, input, output))
    return Error{ErrorCode::kInvalid, "the dataset does not give its samples", {.file = context.data_folder.string()}};
  control::FeatureRange range{range_of(input, idx(layout.width(BlockKind::kInput))),
                              range_of(output, idx(layout.width(BlockKind::kOutput)))};
  widen_labels(layout, range.input);
  return range;
}

}  // namespace zoe::author
