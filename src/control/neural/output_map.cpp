// SPDX-License-Identifier: MIT
#include "control/neural/output_map.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/phase_signals.h"
#include "zoe/math/portable.h"

namespace zoe::control {

using features::BlockKind;
using features::GatherOp;
using features::Group;

OutputMap::OutputMap(const features::Layout& layout) {
  for (const GatherOp& op : layout.ops(BlockKind::kOutput)) {
    if (op.count < 2 || op.goal_offset >= 0) continue;
    Columns* columns = op.kind == GatherOp::Kind::kPosition    ? &position_
                       : op.kind == GatherOp::Kind::kDirection ? &direction_
                       : op.kind == GatherOp::Kind::kVelocity  ? &velocity_
                                                               : nullptr;
    if (columns != nullptr && columns->first < 0) *columns = {op.column, op.column_step};
  }
  find_phases(layout);
  const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const features::Channel& channel = channels[i];
    const features::Column& column = layout.columns(BlockKind::kOutput)[i];
    if (channel.group == Group::kRoot && channel.times.count > 1 && way_times_.count == 0) way_times_ = channel.times;
    const bool is_signal = channel.group == Group::kSignal && phases_.times.count == 0;
    if ((channel.group == Group::kPhaseLocal || is_signal) && channel.times.count == 1) {
      feedback_.push_back({channel.group, channel.name, column.begin, column.width});
    }
  }
  if (position_.first < 0 || direction_.first < 0) way_times_.count = 0;
}

void OutputMap::find_phases(const features::Layout& layout) {
  const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
  const auto find = [&](const char* name) {
    return std::find_if(channels.begin(), channels.end(), [&](const features::Channel& channel) {
      return channel.group == Group::kSignal && channel.name == name;
    });
  };
  const auto phase = find(kPhaseSignal), rhythm = find(kRhythmSignal);
  if (phase == channels.end() || rhythm == channels.end()) return;
  if (phase->times != rhythm->times || phase->width != rhythm->width || phase->width % 2 != 0) return;
  const auto column = [&](auto channel) {
    return layout.columns(BlockKind::kOutput)[static_cast<std::size_t>(channel - channels.begin())].begin;
  };
  phases_ = {phase->times, phase->width / 2, column(phase), column(rhythm)};
}

void OutputMap::read_way(std::span<const float> values, const PlanarRoot& root,
                         features::ControlSeries& out) const noexcept {
  const Quat model_from_root = rotation_of(root);
  const auto pair = [&](const Columns& columns, int i) {
    const float* v = values.data() + columns.first + i * columns.step;
    return Vec3{v[0], 0, v[1]};
  };
  for (int i = 0; i < way_times_.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Vec3 direction = pair(direction_, i);
    out.roots[at].position = root.position + rotate(model_from_root, pair(position_, i));
    out.roots[at].facing_rad = root.facing_rad + portable_atan2(direction.x, direction.z);
    if (velocity_.first >= 0) out.velocities[at] = rotate(model_from_root, pair(velocity_, i));
  }
}

}  // namespace zoe::control
