// SPDX-License-Identifier: MIT
#include "zoe/train/dataset_source.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "zoe/core/thread_pool.h"
#include "zoe/dataset/sampler.h"
#include "zoe/features/tracks.h"
#include "zoe/train/paint_source.h"
#include "zoe/train/track_source.h"

#include "train/clip_labels.h"
#include "train/open_dataset.h"

namespace zoe::train {
namespace {

using features::BlockKind;

class DatasetSource final : public BatchSource {
 public:
  DatasetSource(dataset::DatasetPtr data, int group, dataset::Sampler training,
                std::optional<dataset::Sampler> validation)
      : data_(std::move(data)), group_(group), training_(std::move(training)), validation_(std::move(validation)) {
    const auto add = [&](const char* name, BlockKind kind) {
      if (layout().width(kind) == 0) return;
      fields_.push_back({name, layout().steps(kind), layout().width(kind)});
      blocks_.push_back(kind);
    };
    add("x", BlockKind::kInput);
    add("y", BlockKind::kOutput);
    // In PFNN's layout only the phase is there.
    add(layout().size(BlockKind::kCondition) == 1 ? "phase" : "condition", BlockKind::kCondition);
  }

  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override {
    if (split == Split::kTraining) return training_.size();
    return validation_ ? validation_->size() : 0;
  }

  Result<void> read(Split split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    const dataset::Sampler& sampler = split == Split::kTraining ? training_ : *validation_;
    std::vector<features::Sample> moments;
    moments.reserve(samples.size());
    for (const std::size_t sample : samples) moments.push_back(sampler.at(0, sample));
    std::array<std::span<float>, features::kNumBlocks> parts;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      parts[static_cast<std::size_t>(blocks_[i])] = outputs[i];
    }
    constexpr std::size_t kWorthThreads = 256;
    const bool done = samples.size() < kWorthThreads
                          ? data_->gather(group_, moments, parts[0], parts[1], parts[2])
                          : data_->gather(ThreadPool::shared(), group_, moments, parts[0], parts[1], parts[2]);
    if (done) return {};
    return Error{ErrorCode::kInvalid, "the dataset does not give these samples", {.file = data_->folder().string()}};
  }

  Result<SampleLabels> labels(const std::string& name) const override {
    ClipLabels all(*data_, name);
    for (std::size_t i = 0; i < training_.size(); ++i) {
      const features::Sample sample = training_.at(0, i);
      all.add(group().clips[static_cast<std::size_t>(sample.clip)], sample.frame);
    }
    return std::move(all).finish();
  }

  std::vector<FieldStatistics> statistics() const override {
    std::vector<FieldStatistics> all;
    for (const BlockKind kind : blocks_) {
      const features::BlockNormalisation& block = group().normalisation.block(kind);
      all.push_back({block.means, block.spreads});
    }
    return all;
  }

  std::string identity() const override { return identity_of(*data_); }

  Metadata metadata() const override {
    Metadata metadata{{"layout", layout().to_toml()}};
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      std::string names;
      for (const std::string& name : features::column_names(layout(), blocks_[i]))
        names += (names.empty() ? "" : "\n") + name;
      metadata["columns." + fields_[i].name] = names;
    }
    metadata["licence"] = data_->licence().empty() ? "unknown" : data_->licence();
    return metadata;
  }

 private:
  const dataset::Group& group() const { return data_->groups()[static_cast<std::size_t>(group_)]; }
  const features::Layout& layout() const { return group().layout; }

  dataset::DatasetPtr data_;
  int group_;
  dataset::Sampler training_;
  std::optional<dataset::Sampler> validation_;
  std::vector<Field> fields_;
  std::vector<BlockKind> blocks_;  // Of each field.
};

}  // namespace

Result<std::unique_ptr<BatchSource>> open_dataset_source(const std::filesystem::path& folder, Warnings& warnings) {
  std::error_code ignored;
  if (std::filesystem::exists(folder / features::kTrackFile, ignored)) return open_track_source(folder);
  if (is_paint_folder(folder)) return open_paint_source(folder);
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data,
                 open_verified(folder, "(`zoe dataset build CLIPS -o DATASET` makes one), and not the word toy"));
  const auto options = [](int group, dataset::Split split) {
    return dataset::SamplerOptions{
        .group = group, .split = split, .shuffle = false, .mirrored = split == dataset::Split::kTrain};
  };
  const int best = dataset::most_sampled_group(*data);
  if (best < 0) return Error{ErrorCode::kInvalid, "the dataset has no training samples", {.file = folder.string()}};
  for (int group = 0; group < static_cast<int>(data->groups().size()); ++group) {
    if (group != best) {
      warnings.push_back(
          {fmt::format("skeleton group '{}' is skipped: a model has one group, and '{}' has more samples",
                       data->groups()[static_cast<std::size_t>(group)].name,
                       data->groups()[static_cast<std::size_t>(best)].name),
           {.file = folder.string()}});
    }
  }
  ZOE_TRY_ASSIGN(dataset::Sampler training, dataset::Sampler::create(*data, options(best, dataset::Split::kTrain)));
  std::optional<dataset::Sampler> validation;
  if (Result<dataset::Sampler> found = dataset::Sampler::create(*data, options(best, dataset::Split::kValidation)))
    validation = std::move(*found);
  else
    warnings.push_back({"no validation samples: the best checkpoint is the last one", {.file = folder.string()}});
  return std::unique_ptr<BatchSource>(new DatasetSource(data, best, std::move(training), std::move(validation)));
}

}  // namespace zoe::train
