// SPDX-License-Identifier: MIT
#include "zoe/train/dataset_source.h"

#include <algorithm>
#include <array>
#include <sstream>

#include <fmt/format.h>

#include "zoe/core/file.h"
#include "zoe/core/hash.h"
#include "zoe/core/thread_pool.h"
#include "zoe/dataset/sampler.h"
#include "zoe/features/tracks.h"
#include "zoe/train/track_source.h"

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

  // `actor`, `clip`, or a choice of labels: "happy|angry|sad" is the first of them that holds at the sample's frame.
  Result<SampleLabels> labels(const std::string& name) const override {
    SampleLabels all;
    std::vector<std::string> choice;
    std::stringstream words(name);
    for (std::string word; std::getline(words, word, '|');) choice.push_back(word);
    const auto number = [&](const std::string& text) {
      const auto found = std::ranges::find(all.names, text);
      if (found != all.names.end()) return static_cast<int>(found - all.names.begin());
      all.names.push_back(text);
      return static_cast<int>(all.names.size()) - 1;
    };
    std::size_t num_found = 0;
    for (std::size_t i = 0; i < training_.size(); ++i) {
      const features::Sample sample = training_.at(0, i);
      const auto clip_index = static_cast<std::size_t>(group().clips[static_cast<std::size_t>(sample.clip)]);
      const dataset::ClipRecord& clip = data_->clips()[clip_index];
      std::string value;
      if (name == "actor")
        value = clip.actor;
      else if (name == "clip")
        value = std::to_string(clip_index);
      else
        value = label_at(clip, choice, sample.frame);
      num_found += !value.empty();
      all.of_sample.push_back(number(value));
    }
    if (num_found > 0) return all;
    return Error{ErrorCode::kUsage,
                 fmt::format("data.balance: no sample has '{}' (actor, clip, or labels with | between)", name),
                 {.file = data_->folder().string()}};
  }

  std::vector<FieldStatistics> statistics() const override {
    std::vector<FieldStatistics> all;
    for (const BlockKind kind : blocks_) {
      const features::BlockNormalisation& block = group().normalisation.block(kind);
      all.push_back({block.means, block.spreads});
    }
    return all;
  }

  std::string identity() const override {
    const auto file = MappedFile::open(data_->folder() / "dataset.json");  // Names the checksums of the rows.
    return file ? hash_bytes(file->bytes()).hex() : std::string();
  }

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
  // The first label of `choice` that holds at a row of the clip; empty: none.
  static std::string label_at(const dataset::ClipRecord& clip, const std::vector<std::string>& choice, int row) {
    for (const std::string& word : choice) {
      for (std::size_t i = 0; i < clip.labels.size(); ++i) {
        if (clip.labels[i] != word) continue;
        const std::vector<int>& rows = clip.label_rows[i];
        if (rows.empty()) return word;
        for (std::size_t k = 0; k + 1 < rows.size(); k += 2) {
          if (row >= rows[k] && row < rows[k + 1]) return word;
        }
      }
    }
    return {};
  }

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
  if (!std::filesystem::exists(folder / "dataset.json", ignored)) {
    return Error{ErrorCode::kUsage,
                 "no dataset here (`zoe dataset build CLIPS -o DATASET` makes one), and not the word "
                 "toy",
                 {.file = folder.string()}};
  }
  ZOE_TRY_ASSIGN(const dataset::DatasetPtr data, dataset::Dataset::open(folder));
  ZOE_TRY(data->verify());
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
