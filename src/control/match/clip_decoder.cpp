// SPDX-License-Identifier: MIT
#include "control/match/clip_decoder.h"

#include <algorithm>

#include "zoe/core/index.h"
#include "zoe/math/finite.h"

namespace zoe::control {
namespace {

using features::BlockKind;
using features::Group;

}  // namespace

Result<ClipDecoder> ClipDecoder::create(const features::Layout& layout, const SkeletonPtr& skeleton) {
  ZOE_TRY_ASSIGN(features::Decoder decoder, features::Decoder::create(layout, skeleton));
  if (layout.steps(BlockKind::kOutput) != 1)
    return Error{ErrorCode::kInvalid, "matching needs an output of one step", {}};
  return ClipDecoder(layout, std::move(decoder));
}

ClipDecoder::ClipDecoder(const features::Layout& layout, features::Decoder decoder)
    : layout_(&layout),
      decoder_(std::move(decoder)),
      frame_(decoder_.make_frame()),
      pose_(make_pose(*decoder_.skeleton())),
      values_(idx(decoder_.width())) {
  const Skeleton& skeleton = *decoder_.skeleton();
  const std::span<const int> joints = decoder_.joints();
  for (const int joint : joints) {
    bool hangs = false;
    for (int j = skeleton.parent(joint); j != kNoJoint; j = skeleton.parent(j))
      hangs = hangs || std::find(joints.begin(), joints.end(), j) != joints.end();
    if (!hangs) moving_joints_.push_back(joint);
  }
  const auto& channels = layout.schema().block(BlockKind::kOutput).channels;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].group != Group::kContact) continue;
    contact_joints_ = layout.channel_joints(BlockKind::kOutput)[i];
    break;
  }
  const features::Schema& schema = layout.schema();
  const auto add_tags = [&](Group group, std::size_t count) {
    int offset = -1;
    for (const features::RowSource& source : layout.row_sources())
      if (source.group == group) offset = source.offset;
    for (std::size_t i = 0; i < count; ++i) tag_columns_.push_back(offset < 0 ? -1 : offset + static_cast<int>(i));
  };
  add_tags(Group::kStyle, schema.styles.size());
  add_tags(Group::kAction, schema.actions.size());
}

std::uint64_t ClipDecoder::tags_of(const float* row) const {
  std::uint64_t tags = 0;
  for (std::size_t i = 0; i < tag_columns_.size(); ++i)
    if (tag_columns_[i] >= 0 && row[tag_columns_[i]] >= 0.5F) tags |= std::uint64_t{1} << i;
  return tags;
}

Result<DatabaseClip> ClipDecoder::decode(const DatabaseSource& source) {
  const auto wrong = [&](const char* what) {
    return Error{ErrorCode::kInvalid, "clip '" + source.name + "': " + what, {}};
  };
  const int count = source.rows.num_rows;
  if (source.rows.rows == nullptr || count < 1) return wrong("it has no rows");
  DatabaseClip clip{.name = source.name, .num_frames = count};
  clip.features.resize(idx(count) * layout_->size(BlockKind::kInput));
  const int dims = layout_->width(BlockKind::kInput);
  for (int f = 0; f < count; ++f) {
    const features::Sample sample{0, f, 0};
    const features::GatherJob job{.layout = layout_,
                                  .clips = {&source.rows, 1},
                                  .samples = {&sample, 1},
                                  .input = std::span(clip.features).subspan(idx(f * dims), idx(dims)),
                                  .output = values_};
    if (!job.run()) return wrong("its rows cannot be gathered");
    const float* row = source.rows.rows + idx(f) * idx(layout_->frame_width());
    clip.roots.push_back(
        {{row[features::row::kX], row[features::row::kY], row[features::row::kZ]}, row[features::row::kFacing]});
    decoder_.decode(values_, {}, PlanarRoot{}, frame_);
    frame_.pose_root = {};
    decoder_.to_pose(frame_, pose_);
    clip.rotations.insert(clip.rotations.end(), pose_.rotations.begin(), pose_.rotations.end());
    for (const int joint : moving_joints_) clip.translations.push_back(pose_.translations[idx(joint)]);
    for (const float contact : frame_.contacts) clip.contacts.push_back(contact >= 0.5F ? 1 : 0);
    clip.tags.push_back(tags_of(row));
  }
  bool sound = all_finite(clip.features) && all_finite(clip.translations) && all_unit(clip.rotations, 1e-3F);
  for (const PlanarRoot& root : clip.roots)
    sound = sound && all_finite(std::span(&root.position, 1)) && std::isfinite(root.facing_rad);
  if (!sound) return wrong("its rows hold numbers that are not finite");
  if (clip.contacts.size() != idx(count) * contact_joints_.size())
    clip.contacts.assign(idx(count) * contact_joints_.size(), 0);
  return clip;
}

}  // namespace zoe::control
