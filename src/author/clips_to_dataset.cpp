// SPDX-License-Identifier: MIT
#include "author/clips_to_dataset.h"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zoe/author/one_body.h"
#include "zoe/author/types.h"
#include "zoe/dataset/build.h"
#include "zoe/dataset/read_clip_files.h"

#include "author/terrain/terrain_clips.h"

namespace zoe::author {
namespace {

namespace fs = std::filesystem;
using dataset::ClipFile;

Result<std::vector<ClipFile>> read_files(const ClipsToDataset& job, const Listener& listener) {
  Warnings warnings;
  ZOE_TRY_ASSIGN(std::vector<ClipFile> files, dataset::read_clip_files(job.data, {.bvh_up = job.bvh_up}, warnings));
  listener.warn(warnings);
  if (files.empty()) return Error{ErrorCode::kUsage, "no motion files here", {.file = job.data[0].string()}};
  if (job.own_bodies || job.type.keeps_places) return files;
  ZOE_TRY_ASSIGN(OneBody one,
                 job.body.empty() ? put_on_median_body(std::move(files)) : put_on_body(std::move(files), job.body));
  listener.say(fmt::format("{} files on the body of {}", one.files.size(), one.body));
  listener.warn(one.warnings);
  return std::move(one.files);
}

class DatasetMaker {
 public:
  DatasetMaker(const ClipsToDataset& job, const Listener& listener) : job_(job), listener_(listener) {
    options_.output = job.output;
    options_.find_actions = job.labels.finds_actions();
    options_.mirror = job.mirror && !job.type.keeps_places;
    options_.bvh_up = job.bvh_up;
    options_.licence = job.licence.empty() ? dataset::find_licence(job.data) : job.licence;
    if (listener.on_progress) {
      options_.on_progress = [&](std::uint64_t done, std::uint64_t total) {
        listener.on_progress("dataset", "files", done, total);
      };
    }
  }

  // Clips that were put on uneven ground.
  void set_terrain(std::shared_ptr<const TerrainBody> body, dataset::SignalMaker signals) {
    terrain_ = std::move(body);
    options_.signals = std::move(signals);
  }

  // Builds the dataset with the requested labels. Detected actions are reduced to those in the data.
  Result<void> run(std::span<const ClipFile> files) {
    options_.files = files;
    ZOE_TRY_ASSIGN(const Labels desired, desired_labels(job_.labels));
    ZOE_TRY(build(desired));
    if (desired.empty()) return {};
    ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(options_.output));
    if (!job_.labels.finds_actions()) return check_labels(*data, desired);
    ZOE_TRY(check_labels(*data, {desired.styles, {}}));
    const Labels found{desired.styles, labels_in(*data, desired).actions};
    listener_.say(fmt::format("actions found: {}", found.actions.empty()
                                                       ? std::string("none")
                                                       : fmt::format("{}", fmt::join(found.actions, " "))));
    return found.actions == desired.actions ? Result<void>{} : build(found);
  }

 private:
  Result<void> build(const Labels& labels) {
    ZOE_TRY_ASSIGN(options_.schema, schema_of(job_.type, labels));
    if (terrain_) {
      ZOE_TRY(add_ground_channels(options_.schema, job_.terrain, static_cast<int>(terrain_->contact_joints.size())));
    }
    ZOE_TRY(add_signals());
    ZOE_TRY_ASSIGN(const dataset::BuildReport report, dataset::build(options_));
    listener_.say(fmt::format("{}: {} clips ({} mirrored), {:.1f} minutes, {} left out", options_.output.string(),
                              report.num_clips, report.num_mirrored, 60 * report.hours, report.num_left_out));
    listener_.warn(report.warnings);
    return {};
  }

  // Signals of the clips that the type needs. Computed once for all builds of the dataset.
  Result<void> add_signals() {
    if (job_.type.prepare == nullptr) return {};
    if (!prepared_) {
      ZOE_TRY_ASSIGN(prepared_, job_.type.prepare({.type = job_.type,
                                                   .run = job_.run,
                                                   .device = job_.device,
                                                   .settings = job_.settings,
                                                   .build = options_,
                                                   .trainer = job_.trainer,
                                                   .listener = listener_}));
    }
    options_.signals = prepared_->signals;
    if (prepared_->signal_width == 0) return {};
    for (features::Block& block : options_.schema.blocks) {
      for (features::Channel& channel : block.channels) {
        if (channel.group == features::Group::kSignal) channel.width = prepared_->signal_width;
      }
    }
    return {};
  }

  const ClipsToDataset& job_;
  const Listener& listener_;
  dataset::BuildOptions options_;
  std::optional<Prepared> prepared_;
  std::shared_ptr<const TerrainBody> terrain_;
};

}  // namespace

Result<void> ClipsToDataset::run_with(const Listener& listener) const {
  ZOE_TRY_ASSIGN(std::vector<ClipFile> files, read_files(*this, listener));
  DatasetMaker maker(*this, listener);
  if (terrain == GroundSight::kNone) return maker.run(files);
  ZOE_TRY_ASSIGN(const features::Schema schema, schema_of(type));
  ZOE_TRY_ASSIGN(const TerrainData made, make_terrain_data(schema, std::move(files),
                                                           {.heights = terrain == GroundSight::kHeights,
                                                            .grid = terrain == GroundSight::kGrid,
                                                            .patches = terrain_patches},
                                                           listener));
  maker.set_terrain(made.body, made.signals);
  return maker.run(made.files);
}

}  // namespace zoe::author
