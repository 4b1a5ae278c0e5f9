// SPDX-License-Identifier: MIT
#include "zoe/author/database.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/match/clip_layout.h"
#include "zoe/core/index.h"
#include "zoe/core/suggest.h"
#include "zoe/math/finite.h"

namespace zoe::author {
namespace {

using control::ClipLayout;
using control::DatabaseClip;
using control::DatabaseOptions;
using control::MotionDatabase;
using features::BlockKind;
using Clips = std::vector<std::shared_ptr<const DatabaseClip>>;

// Features as published (Holden et al. 2020): feet and hips now, the root at a third, two thirds
// and a whole second from now.
constexpr const char* kSchema = R"(name = "mm"
fps = 60.0
[joints]
pose = ["bones"]
contacts = ["feet", "toes"]
[root]
ends = "reflect"
[input]
channels = [
  "joint.position joints=feet", "joint.velocity joints=feet", "joint.velocity joints=hips",
  "root.position times=0.33333333333:1:3", "root.direction times=0.33333333333:1:3",
]
[output]
channels = ["root.delta", "joint parts=position,z_axis,y_axis", "contact"]
)";

// Converts frame rows to a clip of a database.
class ClipDecoder {
 public:
  ClipDecoder(const features::Layout& layout, ClipLayout joints)
      : layout_(layout),
        joints_(std::move(joints)),
        frame_(joints_.decoder.make_frame()),
        pose_(make_pose(*joints_.decoder.skeleton())),
        values_(idx(joints_.decoder.width())) {}

  // Fails without rows and on numbers that are not finite.
  Result<DatabaseClip> decode(const DatabaseSource& source) {
    const auto wrong = [&](const char* what) {
      return Error{ErrorCode::kInvalid, "clip '" + source.name + "': " + what, {}};
    };
    const int count = source.rows.num_rows;
    if (source.rows.rows == nullptr || count < 1) return wrong("it has no rows");
    DatabaseClip clip{.name = source.name, .num_frames = count};
    clip.features.resize(idx(count) * layout_.size(BlockKind::kInput));
    const int dims = layout_.width(BlockKind::kInput);
    for (int f = 0; f < count; ++f) {
      const features::Sample sample{0, f, 0};
      const features::GatherJob job{.layout = &layout_,
                                    .clips = {&source.rows, 1},
                                    .samples = {&sample, 1},
                                    .input = std::span(clip.features).subspan(idx(f * dims), idx(dims)),
                                    .output = values_};
      if (!job.run()) return wrong("its rows cannot be gathered");
      const float* row = source.rows.rows + idx(f) * idx(layout_.frame_width());
      clip.roots.push_back(
          {{row[features::row::kX], row[features::row::kY], row[features::row::kZ]}, row[features::row::kFacing]});
      joints_.decoder.decode(values_, {}, PlanarRoot{}, frame_);
      frame_.pose_root = {};
      joints_.decoder.to_pose(frame_, pose_);
      clip.rotations.insert(clip.rotations.end(), pose_.rotations.begin(), pose_.rotations.end());
      for (const int joint : joints_.moving_joints) clip.translations.push_back(pose_.translations[idx(joint)]);
      for (const float contact : frame_.contacts) clip.contacts.push_back(contact >= 0.5F ? 1 : 0);
      clip.tags.push_back(tags_of(row));
    }
    bool sound = all_finite(clip.features) && all_finite(clip.translations) && all_unit(clip.rotations, 1e-3F);
    for (const PlanarRoot& root : clip.roots)
      sound = sound && all_finite(std::span(&root.position, 1)) && std::isfinite(root.facing_rad);
    if (!sound) return wrong("its rows contain numbers that are not finite");
    if (clip.contacts.size() != idx(count) * joints_.contact_joints.size())
      clip.contacts.assign(idx(count) * joints_.contact_joints.size(), 0);
    return clip;
  }

 private:
  std::uint64_t tags_of(const float* row) const {
    std::uint64_t tags = 0;
    for (std::size_t i = 0; i < joints_.tag_columns.size(); ++i)
      if (joints_.tag_columns[i] >= 0 && row[joints_.tag_columns[i]] >= 0.5F) tags |= std::uint64_t{1} << i;
    return tags;
  }

  const features::Layout& layout_;
  ClipLayout joints_;
  features::DecodedFrame frame_;
  Pose pose_;
  std::vector<float> values_;
};

Result<void> add_clips(const features::Layout& layout, const SkeletonPtr& skeleton,
                       std::span<const DatabaseSource> sources, Clips& clips) {
  ZOE_TRY_ASSIGN(ClipLayout joints, ClipLayout::create(layout, skeleton));
  ClipDecoder decoder(layout, std::move(joints));
  for (const DatabaseSource& source : sources) {
    ZOE_TRY_ASSIGN(DatabaseClip clip, decoder.decode(source));
    clips.push_back(std::make_shared<const DatabaseClip>(std::move(clip)));
  }
  return {};
}

features::BlockNormalisation measure(const features::Layout& layout, const Clips& clips,
                                     std::span<const double> weights) {
  features::ColumnStatistics statistics(layout.width(BlockKind::kInput));
  for (const auto& clip : clips) statistics.add(clip->features);
  return features::normalise(
      layout, BlockKind::kInput, statistics,
      {.spread = features::NormalisationOptions::Spread::kGroup, .channel_weights = {weights.begin(), weights.end()}});
}

Clips clips_of(const MotionDatabase& database) { return {database.clips().begin(), database.clips().end()}; }

}  // namespace

const char* match_schema() { return kSchema; }

Result<MotionDatabase> build_database(const features::Layout& layout, const SkeletonPtr& skeleton,
                                      std::span<const DatabaseSource> sources, const DatabaseOptions& options) {
  ZOE_TRY_ASSIGN(const DatabaseOptions complete, control::complete_options(options, layout));
  Clips clips;
  ZOE_TRY(add_clips(layout, skeleton, sources, clips));
  features::BlockNormalisation normalisation = measure(layout, clips, complete.weights);
  return MotionDatabase::assemble(std::make_shared<const features::Layout>(layout), skeleton, complete,
                                  std::move(clips), std::move(normalisation));
}

Result<MotionDatabase> with_clips(const MotionDatabase& database, std::span<const DatabaseSource> sources) {
  Clips clips = clips_of(database);
  ZOE_TRY(add_clips(database.layout(), database.skeleton(), sources, clips));
  return MotionDatabase::assemble(database.shared_layout(), database.skeleton(), database.options(), std::move(clips),
                                  database.normalisation());
}

Result<MotionDatabase> without_clip(const MotionDatabase& database, std::string_view name) {
  Clips clips = clips_of(database);
  const auto found = std::find_if(clips.begin(), clips.end(), [&](const auto& clip) { return clip->name == name; });
  if (found == clips.end()) {
    std::vector<std::string> names;
    for (const auto& clip : clips) names.push_back(clip->name);
    return Error{
        ErrorCode::kUsage, "no clip '" + std::string(name) + "' in the database" + did_you_mean(name, names), {}};
  }
  clips.erase(found);
  return MotionDatabase::assemble(database.shared_layout(), database.skeleton(), database.options(), std::move(clips),
                                  database.normalisation());
}

Result<MotionDatabase> normalised_again(const MotionDatabase& database) {
  Clips clips = clips_of(database);
  features::BlockNormalisation normalisation = measure(database.layout(), clips, database.options().weights);
  return MotionDatabase::assemble(database.shared_layout(), database.skeleton(), database.options(), std::move(clips),
                                  std::move(normalisation));
}

}  // namespace zoe::author
