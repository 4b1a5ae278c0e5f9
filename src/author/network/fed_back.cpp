// SPDX-License-Identifier: MIT
#include "author/network/fed_back.h"

#include <algorithm>

#include "zoe/control/deeds.h"
#include "zoe/features/ground_signals.h"

namespace zoe::author {
namespace {

using features::BlockKind;
using features::Channel;
using features::Group;
using features::Part;

void add(std::vector<int>& ranges, int begin, int width) {
  if (width <= 0) return;
  if (!ranges.empty() && ranges.back() == begin) {
    ranges.back() += width;
  } else {
    ranges.insert(ranges.end(), {begin, begin + width});
  }
}

bool is_speed(Part part) { return part == Part::kVelocity || part == Part::kAngularVelocity; }
bool is_label(Part part) { return part == Part::kStyle || part == Part::kAction; }

// Parts alternate joint by joint. Each has three numbers but contacts, which have one.
void add_joints(const Channel& channel, const features::Column& column, FedBack& out) {
  for (int at = column.begin, end = column.begin + column.width; at < end;) {
    for (const Part part : channel.parts) {
      const int width = part == Part::kContact ? 1 : 3;
      add(is_speed(part) ? out.speed : out.pose, at, width);
      at += width;
    }
  }
}

// Times follow one another, the earliest first.
int width_up_to_now(const Channel& channel, int width) {
  int past = 0;
  for (int i = 0; i < channel.times.count; ++i) past += channel.times.at(i) <= 1e-6 ? 1 : 0;
  return width / channel.times.count * past;
}

}  // namespace

FedBack fed_back_columns(const features::Layout& layout) {
  const auto& channels = layout.schema().block(BlockKind::kInput).channels;
  const auto columns = layout.columns(BlockKind::kInput);
  FedBack out;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Channel& channel = channels[i];
    // The goal and the used prop are seen from a root that is the model's own; the rest of the deed is certain.
    if (channel.name == control::kDeedSignal) {
      add(out.pose, columns[i].begin + control::kDeedGoalBegin, control::kGoalWidth);
      continue;
    }
    if (channel.name == control::kSurroundingsSignal) continue;
    if (channel.name == features::kGroundHeightsSignal || channel.name == features::kGroundGridSignal) continue;
    if (channel.group == Group::kJoint) {
      add_joints(channel, columns[i], out);
    } else if (channel.group == Group::kPhaseLocal || channel.group == Group::kSignal) {
      add(out.pose, columns[i].begin, columns[i].width);
    } else if (channel.group == Group::kRoot && std::none_of(channel.parts.begin(), channel.parts.end(), is_label)) {
      add(out.speed, columns[i].begin, width_up_to_now(channel, columns[i].width));
    }
  }
  return out;
}

}  // namespace zoe::author
