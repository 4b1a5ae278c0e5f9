// SPDX-License-Identifier: MIT
#include "author/terrain/foot_settings.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/core/index.h"
#include "zoe/features/ground_signals.h"

namespace zoe::author {
namespace {

using features::BlockKind;
using features::Part;

int signal_column(const features::Layout& layout, BlockKind kind, std::string_view name, int* width = nullptr) {
  const auto& channels = layout.schema().block(kind).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].group != features::Group::kSignal || channels[i].name != name) continue;
    if (width != nullptr) *width = layout.columns(kind)[i].width;
    return layout.columns(kind)[i].begin;
  }
  return -1;
}

// First columns of position and z axis of the output's joints; -1: none. The y axis follows the z axis.
struct PoseColumns {
  std::vector<int> position, axes;  // [skeleton's joints]
  int contacts = -1;

  PoseColumns(const features::Layout& layout, int num_joints)
      : position(idx(num_joints), -1), axes(idx(num_joints), -1) {
    const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const int begin = layout.columns(BlockKind::kOutput)[i].begin;
      if (channels[i].group == features::Group::kContact) contacts = begin;
      const std::vector<Part> expected{Part::kPosition, Part::kZAxis, Part::kYAxis, Part::kVelocity};
      if (channels[i].group != features::Group::kJoint || channels[i].parts != expected) continue;
      const std::vector<int>& joints = layout.channel_joints(BlockKind::kOutput)[i];
      for (std::size_t k = 0; k < joints.size(); ++k) {
        position[idx(joints[k])] = begin + static_cast<int>(12 * k);
        axes[idx(joints[k])] = begin + static_cast<int>(12 * k) + 3;
      }
    }
  }
};

}  // namespace

std::vector<std::string> terrain_settings(const features::Layout& layout, const control::Body& body) {
  std::vector<std::string> settings;
  int width = 0;
  if (const int begin = signal_column(layout, BlockKind::kInput, features::kGroundGridSignal, &width); begin >= 0) {
    settings.push_back(fmt::format("model.ground={},{}", begin, begin + width));
    settings.push_back(fmt::format("model.ground_columns={}", features::kGroundGridColumns));
  }
  const int underfoot = signal_column(layout, BlockKind::kOutput, features::kUnderfootSignal);
  const bool is_blind = width == 0 && signal_column(layout, BlockKind::kInput, features::kGroundHeightsSignal) < 0;
  const PoseColumns columns(layout, layout.num_joints());
  std::vector<int> chains;
  std::vector<float> offsets;
  const auto add = [&](int joint, int contact, float standing_m) {
    std::vector<int> axes;
    std::vector<float> bones;
    int at = joint;
    const int hips = layout.root_joints().hip;
    for (; at != hips && at != kNoJoint; at = body.skeleton->parent(at)) {
      const int above = body.skeleton->parent(at);
      if (above == kNoJoint || columns.axes[idx(above)] < 0) return;  // A bone whose rotation is not an output.
      const Vec3 bone = body.skeleton->rest_local(at).translation;
      axes.push_back(columns.axes[idx(above)]);
      bones.insert(bones.end(), {bone.x, bone.y, bone.z});
    }
    if (at != hips || contact < 0 || columns.contacts < 0 || columns.position[idx(hips)] < 0) return;
    chains.insert(chains.end(), {columns.position[idx(hips)], columns.contacts + contact,
                                 underfoot < 0 ? -1 : underfoot + contact, static_cast<int>(axes.size())});
    chains.insert(chains.end(), axes.begin(), axes.end());
    offsets.push_back(standing_m);
    offsets.insert(offsets.end(), bones.begin(), bones.end());
  };
  for (const control::BodyLeg& leg : body.legs) {
    add(leg.leg.ankle, leg.ankle_contact, leg.leg.ankle_height_m);
    if (leg.leg.ball != kNoJoint) add(leg.leg.ball, leg.ball_contact, leg.leg.ball_height_m);
  }
  if (chains.empty()) return settings;
  settings.push_back(fmt::format("model.feet={}", fmt::join(chains, ",")));
  settings.push_back(fmt::format("model.foot_bones={}", fmt::join(offsets, ",")));
  // The data's own feet are not on its ground: heels rise in contact, and ground files round edges off. At full weight
  // these losses pull poses away from the data, without them feet hang over trenches (docs/terrain.md).
  if (underfoot >= 0) {
    const char* const weight = is_blind ? "0" : "0.1";
    settings.push_back(fmt::format("loss.foot_height.weight={}", weight));
    settings.push_back(fmt::format("loss.penetration.weight={}", weight));
  }
  return settings;
}

}  // namespace zoe::author
