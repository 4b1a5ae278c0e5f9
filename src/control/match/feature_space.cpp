// SPDX-License-Identifier: MIT
#include "control/match/feature_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "zoe/core/index.h"
#include "zoe/math/portable.h"

namespace zoe::control {
namespace {

using features::BlockKind;
using Kind = features::GatherOp::Kind;

features::SampleTimes times_of(const features::Layout& layout) {
  int last = 1, step = 0;
  for (const features::GatherOp& op : layout.ops(BlockKind::kInput)) {
    if (op.kind == Kind::kCopy || op.goal_offset >= 0) continue;
    for (int i = 0; i < op.count; ++i) {
      const int frame = std::max(static_cast<int>(std::lround(op.frame + i * op.frame_step)), 0);
      last = std::max(last, frame);
      step = std::gcd(step, frame);
    }
  }
  step = std::max(step, 1);
  return {0, last / layout.fps(), (last + step - 1) / step + 1};
}

}  // namespace

FeatureSpace::FeatureSpace(const features::Layout& layout, const features::BlockNormalisation& normalisation)
    : layout_(layout), normalisation_(normalisation), ahead_(times_of(layout)) {
  // Columns that encode_trajectory() writes.
  std::vector<float> probe(idx(num_dims()), std::nanf(""));
  const auto series = features::ControlSeries::standing(ahead_, {});
  features::encode_trajectory(layout_, BlockKind::kInput, {}, series, probe);
  for (int i = 0; i < num_dims(); ++i)
    if (!std::isnan(probe[idx(i)])) led_columns_.push_back(i);
  double position_frame = 0, direction_frame = 0;
  for (const features::GatherOp& op : layout_.ops(BlockKind::kInput)) {
    if (op.goal_offset >= 0 || op.frame < 1) continue;
    if (op.kind == Kind::kPosition && position_ < 0) {
      position_ = op.column;
      position_frame = op.frame;
    }
    if (op.kind == Kind::kDirection && direction_ < 0) {
      direction_ = op.column;
      direction_frame = op.frame;
    }
  }
  if (position_ < 0 || direction_ < 0 || std::abs(position_frame - direction_frame) > 1e-6) position_ = direction_ = -1;
  way_s_ = static_cast<float>(position_frame / layout_.fps());
}

std::vector<float> FeatureSpace::standing() const {
  std::vector<float> values(normalisation_.means), way(values.size(), 0.0F);
  features::encode_trajectory(layout_, BlockKind::kInput, {}, features::ControlSeries::standing(ahead_, {}), way);
  for (const int i : led_columns_) values[idx(i)] = way[idx(i)];
  const auto& channels = layout_.schema().block(BlockKind::kInput).channels;
  const auto columns = layout_.columns(BlockKind::kInput);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (channels[c].group != features::Group::kJoint || channels[c].parts.size() != 1 ||
        channels[c].parts[0] != features::Part::kVelocity) {
      continue;
    }
    std::fill_n(values.begin() + columns[c].begin, columns[c].width, 0.0F);
  }
  normalisation_.apply(values);
  return values;
}

void FeatureSpace::ask(std::span<const float> current, const PlanarRoot& root, const features::ControlSeries& ahead,
                       std::span<float> query, std::span<float> scratch) const noexcept {
  std::copy(current.begin(), current.end(), query.begin());
  features::encode_trajectory(layout_, BlockKind::kInput, root, ahead, scratch);
  for (const int i : led_columns_) {
    const std::size_t c = idx(i);
    query[c] = (scratch[c] - normalisation_.means[c]) / normalisation_.spreads[c];
  }
}

std::optional<PlayedWay> FeatureSpace::way_of(std::span<const float> features) const noexcept {
  if (position_ < 0) return {};
  const auto value = [&](int column) {
    const std::size_t c = idx(column);
    return features[c] * normalisation_.spreads[c] + normalisation_.means[c];
  };
  const float turn = portable_atan2(value(direction_), value(direction_ + 1));
  return PlayedWay{{{value(position_), 0, value(position_ + 1)}, turn}, way_s_};
}

}  // namespace zoe::control
