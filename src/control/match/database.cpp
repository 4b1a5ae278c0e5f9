// SPDX-License-Identifier: MIT
#include "zoe/control/match/database.h"

#include <algorithm>
#include <cmath>

#include "zoe/control/match/clip_layout.h"
#include "zoe/core/index.h"
#include "zoe/math/finite.h"

namespace zoe::control {
namespace {

using features::BlockKind;

Error invalid(std::string message) { return {ErrorCode::kInvalid, std::move(message), {}}; }

}  // namespace

Result<DatabaseOptions> complete_options(DatabaseOptions options, const features::Layout& layout) {
  const std::size_t num_channels = layout.schema().block(BlockKind::kInput).channels.size();
  const int num_dims = layout.width(BlockKind::kInput);
  if (layout.steps(BlockKind::kInput) != 1 || num_dims < 1 || num_dims > SearchIndex::kMaxDims)
    return invalid("matching needs an input of one step and 1 to 512 numbers");
  if (!options.weights.empty() && options.weights.size() != num_channels)
    return invalid("matching needs a weight for each of the input's " + std::to_string(num_channels) + " channels");
  for (const double weight : options.weights)
    if (!(weight > 0 && weight < 1e6)) return invalid("weights of features must be above 0");
  if (options.skip_last_frames < 0) return invalid("skip_last_frames must not be below 0");
  if (!options.weights.empty()) return options;
  options.weights.assign(num_channels, 1.0);
  if (num_channels == 5) {
    options.weights.front() = 0.75;
    options.weights.back() = 1.5;
  }
  return options;
}

Result<MotionDatabase> MotionDatabase::assemble(std::shared_ptr<const features::Layout> layout, SkeletonPtr skeleton,
                                                const DatabaseOptions& options,
                                                std::vector<std::shared_ptr<const DatabaseClip>> clips,
                                                features::BlockNormalisation normalisation) {
  ZOE_CHECK(layout != nullptr && skeleton != nullptr, "a database needs a layout and a skeleton");
  MotionDatabase database;
  ZOE_TRY_ASSIGN(database.options_, complete_options(options, *layout));
  for (const auto* names : {&layout->schema().styles, &layout->schema().actions})
    database.tag_names_.insert(database.tag_names_.end(), names->begin(), names->end());
  if (database.tag_names_.size() > idx(kMaxTags)) return invalid("there are more than 64 labels");
  ZOE_TRY_ASSIGN(ClipLayout joints, ClipLayout::create(*layout, skeleton));
  const std::size_t dims = idx(layout->width(BlockKind::kInput));
  if (normalisation.means.size() != dims || normalisation.spreads.size() != dims)
    return invalid("the normalisation is of another layout");
  for (const auto& clip : clips) {
    const std::size_t frames = idx(clip->num_frames);
    if (clip->num_frames < 1 || clip->roots.size() != frames || clip->tags.size() != frames ||
        clip->rotations.size() != frames * idx(skeleton->num_joints()) ||
        clip->translations.size() != frames * joints.moving_joints.size() ||
        clip->contacts.size() != frames * joints.contact_joints.size() || clip->features.size() != frames * dims)
      return invalid("clip '" + clip->name + "' is of another layout");
  }
  database.contact_joints_ = std::move(joints.contact_joints);
  database.moving_joints_ = std::move(joints.moving_joints);
  database.layout_ = std::move(layout);
  database.skeleton_ = std::move(skeleton);
  database.clips_ = std::move(clips);
  database.normalisation_ = std::move(normalisation);
  ZOE_TRY(database.finish());
  return database;
}

Result<void> MotionDatabase::finish() {
  const int num_dims = layout_->width(BlockKind::kInput);
  std::int64_t num_frames = 0;
  for (const auto& clip : clips_) num_frames += clip->num_frames;
  if (num_frames > (1 << 27)) return Error{ErrorCode::kLimit, "over 134 million frames", {}};
  std::vector<float> normalised;
  std::vector<std::uint64_t> tags;
  std::vector<std::uint8_t> can_match(static_cast<std::size_t>(num_frames), 1);
  normalised.reserve(static_cast<std::size_t>(num_frames) * idx(num_dims));
  begins_ = {0};
  clip_of_.clear();
  for (std::size_t c = 0; c < clips_.size(); ++c) {
    const DatabaseClip& clip = *clips_[c];
    normalised.insert(normalised.end(), clip.features.begin(), clip.features.end());
    tags.insert(tags.end(), clip.tags.begin(), clip.tags.end());
    clip_of_.insert(clip_of_.end(), idx(clip.num_frames), static_cast<std::int32_t>(c));
    begins_.push_back(begins_.back() + clip.num_frames);
    // The last frame is never a candidate: a step must follow.
    const int skipped = std::min(std::max(options_.skip_last_frames, 1), clip.num_frames);
    std::fill_n(can_match.begin() + (begins_.back() - skipped), skipped, std::uint8_t{0});
  }
  normalisation_.apply(normalised);
  if (!all_finite(normalised)) return invalid("features are not finite");
  index_ = SearchIndex(normalised, num_dims, tags, can_match, {});
  if (index_.num_candidates() == 0)
    return invalid("no frame is left to match: every clip is shorter than the " +
                   std::to_string(options_.skip_last_frames) + " frames that are left out at its end");
  return {};
}

std::size_t MotionDatabase::bytes() const {
  std::size_t sum = index_.bytes() + clip_of_.size() * sizeof(std::int32_t);
  for (const auto& clip : clips_) {
    sum += clip->roots.size() * sizeof(PlanarRoot) + clip->rotations.size() * sizeof(Quat) +
           clip->translations.size() * sizeof(Vec3) + clip->contacts.size() + clip->features.size() * sizeof(float) +
           clip->tags.size() * sizeof(std::uint64_t);
  }
  return sum;
}

const PlanarRoot& MotionDatabase::root(int frame) const {
  const int clip = clip_of(frame);
  return clips_[idx(clip)]->roots[idx(frame - begin_of(clip))];
}

void MotionDatabase::features(int frame, std::span<float> out) const noexcept {
  const int clip = clip_of(frame);
  const std::vector<float>& all = clips_[idx(clip)]->features;
  std::copy_n(all.begin() + (frame - begin_of(clip)) * num_dims(), num_dims(), out.begin());
  normalisation_.apply(out.first(idx(num_dims())));
}

std::span<const std::uint8_t> MotionDatabase::contacts(int frame) const {
  const int clip = clip_of(frame);
  const std::size_t n = contact_joints_.size();
  return std::span(clips_[idx(clip)]->contacts).subspan(idx(frame - begin_of(clip)) * n, n);
}

std::uint64_t MotionDatabase::tags(int frame) const {
  const int clip = clip_of(frame);
  return clips_[idx(clip)]->tags[idx(frame - begin_of(clip))];
}

void MotionDatabase::pose(int frame, Pose& out) const noexcept {
  const int clip_index = clip_of(frame);
  const DatabaseClip& clip = *clips_[idx(clip_index)];
  const std::size_t f = idx(frame - begin_of(clip_index)), n = idx(skeleton_->num_joints());
  std::copy_n(clip.rotations.begin() + static_cast<std::ptrdiff_t>(f * n), n, out.rotations.begin());
  for (std::size_t i = 0; i < moving_joints_.size(); ++i)
    out.translations[idx(moving_joints_[i])] = clip.translations[f * moving_joints_.size() + i];
}

}  // namespace zoe::control
