// SPDX-License-Identifier: MIT
#include "zoe/control/match/clip_layout.h"

#include <algorithm>

namespace zoe::control {
namespace {

using features::BlockKind;
using features::Group;

std::vector<int> moving_joints_of(const features::Decoder& decoder) {
  std::vector<int> moving;
  const Skeleton& skeleton = *decoder.skeleton();
  const std::span<const int> joints = decoder.joints();
  for (const int joint : joints) {
    bool hangs = false;
    for (int j = skeleton.parent(joint); j != kNoJoint; j = skeleton.parent(j))
      hangs = hangs || std::find(joints.begin(), joints.end(), j) != joints.end();
    if (!hangs) moving.push_back(joint);
  }
  return moving;
}

std::vector<int> contact_joints_of(const features::Layout& layout) {
  const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].group == Group::kContact) return layout.channel_joints(BlockKind::kOutput)[i];
  }
  return {};
}

std::vector<int> tag_columns_of(const features::Layout& layout) {
  std::vector<int> columns;
  const auto add = [&](Group group, std::size_t count) {
    int offset = -1;
    for (const features::RowSource& source : layout.row_sources())
      if (source.group == group) offset = source.offset;
    for (std::size_t i = 0; i < count; ++i) columns.push_back(offset < 0 ? -1 : offset + static_cast<int>(i));
  };
  add(Group::kStyle, layout.schema().styles.size());
  add(Group::kAction, layout.schema().actions.size());
  return columns;
}

}  // namespace

Result<ClipLayout> ClipLayout::create(const features::Layout& layout, const SkeletonPtr& skeleton) {
  ZOE_TRY_ASSIGN(features::Decoder decoder, features::Decoder::create(layout, skeleton));
  if (layout.steps(BlockKind::kOutput) != 1)
    return Error{ErrorCode::kInvalid, "matching needs an output of one step", {}};
  std::vector<int> moving = moving_joints_of(decoder);
  return ClipLayout{std::move(decoder), std::move(moving), contact_joints_of(layout), tag_columns_of(layout)};
}

}  // namespace zoe::control
