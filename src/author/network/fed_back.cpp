// SPDX-License-Identifier: MIT
#include "author/network/fed_back.h"

#include <algorithm>
#include <cmath>

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
      add(is_speed(part) ? out.body_speed : out.body_pose, at, width);
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

// Where the output has the numbers of joint `joint`: its first column. -1: nowhere.
struct OutputPose {
  int begin = -1, stride = 0;
  std::span<const int> joints;
  std::vector<Part> parts;

  int column(int joint) const {
    const auto at = std::find(joints.begin(), joints.end(), joint);
    return begin < 0 || at == joints.end() ? -1 : begin + stride * static_cast<int>(at - joints.begin());
  }
};

OutputPose output_pose(const features::Layout& layout) {
  const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Channel& channel = channels[c];
    const std::vector<int>& joints = layout.channel_joints(BlockKind::kOutput)[c];
    if (channel.group != Group::kJoint || channel.at_frames != 1 || channel.times.count != 1 || joints.empty())
      continue;
    const features::Column& column = layout.columns(BlockKind::kOutput)[c];
    return {column.begin, column.width / static_cast<int>(joints.size()), joints, channel.parts};
  }
  return {};
}

void feed_joints(const Channel& channel, const features::Column& column, std::span<const int> joints,
                 const OutputPose& pose, Feed& out) {
  int at = column.begin;
  for (const int joint : joints) {
    for (const Part part : channel.parts) {
      const int width = part == Part::kContact ? 1 : 3;
      int offset = 0;
      const auto found = std::find(pose.parts.begin(), pose.parts.end(), part);
      for (auto before = pose.parts.begin(); before != found; ++before) offset += *before == Part::kContact ? 1 : 3;
      if (const int from = pose.column(joint); from >= 0 && found != pose.parts.end())
        out.columns.insert(out.columns.end(), {at, from + offset, width, 0});
      at += width;
    }
  }
}

// Numbers at several times. Those that have passed are what the output said then.
void feed_times(const Channel& channel, const features::Column& column, const Channel& from,
                const features::Column& from_column, double fps, Feed& out) {
  const int width = column.width / channel.times.count;
  if (width != from_column.width / from.times.count) return;
  for (int i = 0; i < channel.times.count; ++i) {
    const double time_s = channel.times.at(i);
    const int lag = time_s < 0 ? static_cast<int>(std::lround(-time_s * fps)) : 0;
    for (int j = 0; j < from.times.count; ++j) {
      if (std::abs(from.times.at(j) - std::max(time_s, 0.0)) * fps > 0.25) continue;
      out.columns.insert(out.columns.end(), {column.begin + i * width, from_column.begin + j * width, width, lag});
    }
  }
}

}  // namespace

Feed feed_columns(const features::Layout& layout) {
  const auto& inputs = layout.schema().block(BlockKind::kInput).channels;
  const auto& outputs = layout.schema().block(BlockKind::kOutput).channels;
  const auto columns = layout.columns(BlockKind::kInput), out_columns = layout.columns(BlockKind::kOutput);
  const OutputPose pose = output_pose(layout);
  Feed out;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Channel& channel = inputs[i];
    if (channel.group == Group::kJoint && channel.times.count == 1)
      feed_joints(channel, columns[i], layout.channel_joints(BlockKind::kInput)[i], pose, out);
    if (channel.group != Group::kPhaseLocal && channel.group != Group::kSignal) continue;
    for (std::size_t o = 0; o < outputs.size(); ++o)
      if (outputs[o].group == channel.group && outputs[o].name == channel.name && outputs[o].at_frames == 1)
        feed_times(channel, columns[i], outputs[o], out_columns[o], layout.fps(), out);
  }
  for (std::size_t o = 0; o < outputs.size(); ++o)
    if (outputs[o].group == Group::kPhaseDelta) out.phase_delta = out_columns[o].begin;
  return out;
}

FedBack fed_back_columns(const features::Layout& layout) {
  const auto& channels = layout.schema().block(BlockKind::kInput).channels;
  const auto columns = layout.columns(BlockKind::kInput);
  FedBack out;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Channel& channel = channels[i];
    // The goal and the used prop are seen from a root that is the model's own; the rest of the deed is certain.
    if (channel.name == control::kDeedSignal) {
      add(out.goal, columns[i].begin + control::kDeedGoalBegin, control::kGoalWidth);
      continue;
    }
    if (channel.name == control::kInteractionSignal) {
      add(out.goal, columns[i].begin, columns[i].width);
      continue;
    }
    if (channel.name == control::kSurroundingsSignal) continue;
    if (channel.name == features::kGroundHeightsSignal || channel.name == features::kGroundGridSignal) continue;
    if (channel.group == Group::kJoint) {
      add_joints(channel, columns[i], out);
    } else if (channel.group == Group::kPhaseLocal || channel.group == Group::kSignal) {
      add(out.pose, columns[i].begin, columns[i].width);
      add(out.body_pose, columns[i].begin, columns[i].width);
    } else if (channel.group == Group::kRoot && std::none_of(channel.parts.begin(), channel.parts.end(), is_label)) {
      add(out.speed, columns[i].begin, width_up_to_now(channel, columns[i].width));
    }
  }
  return out;
}

}  // namespace zoe::author
