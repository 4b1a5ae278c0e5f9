// SPDX-License-Identifier: MIT
#include "zoe/dataset/sampler.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "dataset/permutation.h"
#include "dataset/row_summary.h"

namespace zoe::dataset {
namespace {

// Rows of a clip, the last one excluded, and their class.
struct ClassRows {
  std::string name;
  int first = 0, end = 0;
};

// A row counts for each of its labels. A row without labels counts for none.
std::vector<ClassRows> by_label(const ClipRecord& clip) {
  std::vector<ClassRows> parts;
  std::vector<std::uint8_t> labelled(idx(clip.num_rows), 0);
  for (std::size_t i = 0; i < clip.labels.size(); ++i) {
    std::vector<int> rows = clip.label_rows[i];
    if (rows.empty()) rows = {0, clip.num_rows};
    for (std::size_t k = 0; k + 1 < rows.size(); k += 2) {
      parts.push_back({clip.labels[i], rows[k], rows[k + 1]});
      std::fill(labelled.begin() + rows[k], labelled.begin() + rows[k + 1], std::uint8_t{1});
    }
  }
  for (int first = 0, end = 0; first < clip.num_rows; first = end + 1) {
    for (end = first; end < clip.num_rows && labelled[idx(end)] == 0; ++end) {
    }
    if (end > first) parts.push_back({"", first, end});
  }
  return parts;
}

std::vector<ClassRows> classes_of(const ClipRecord& clip, SamplerOptions::Balance balance) {
  using Balance = SamplerOptions::Balance;
  switch (balance) {
    case Balance::kNone:
      return {{"", 0, clip.num_rows}};
    // A mirrored copy and the pieces of a cut clip are the same clip.
    case Balance::kClip:
      return {{fmt::format("{}\n{}", clip.source, clip.clip_index), 0, clip.num_rows}};
    case Balance::kLabel:
      return by_label(clip);
    case Balance::kSkeleton:
      return {{clip.body, 0, clip.num_rows}};
  }
  return {};
}

}  // namespace

Result<Sampler> Sampler::create(const Dataset& dataset, const SamplerOptions& options) {
  if (options.group < 0 || idx(options.group) >= dataset.groups().size()) {
    return Error{
        ErrorCode::kUsage, fmt::format("no group {}: the dataset has {}", options.group, dataset.groups().size()), {}};
  }
  const Group& group = dataset.groups()[idx(options.group)];
  Sampler out;
  out.seed_ = options.seed;
  out.shuffle_ = options.shuffle;
  std::map<std::string, Class> classes;  // By name, so that class numbers do not depend on the order of clips.
  int num_clips = 0;
  for (std::size_t c = 0; c < group.clips.size(); ++c) {
    const ClipRecord& clip = dataset.clips()[idx(group.clips[c])];
    if ((options.split && clip.split != *options.split) || (clip.mirrored && !options.mirrored)) continue;
    ++num_clips;
    const WholeWindows moments =
        options.whole_windows ? whole_windows(group.layout, clip.num_rows) : WholeWindows{0, clip.num_rows};
    if (moments.count == 0) continue;
    for (const ClassRows& rows : classes_of(clip, options.balance)) {
      const int first = std::max(rows.first, moments.first), end = std::min(rows.end, moments.first + moments.count);
      if (first >= end) continue;
      Class& of = classes[rows.name];
      of.runs.push_back({of.size, static_cast<std::int32_t>(c), first});
      of.size += static_cast<std::uint64_t>(end - first);
    }
    out.size_ += static_cast<std::uint64_t>(moments.count);
  }
  if (out.size_ == 0) {
    return Error{ErrorCode::kUsage,
                 fmt::format("nothing to sample: {} clips in this group and split{}", num_clips,
                             num_clips > 0 ? ", all shorter than a window; whole_windows = false includes them" : ""),
                 {}};
  }
  for (auto& [name, of] : classes) out.classes_.push_back(std::move(of));
  const std::uint64_t count = out.classes_.size();
  out.size_ = (out.size_ + count - 1) / count * count;  // Whole rounds of all classes.
  return out;
}

features::Sample Sampler::find(const Class& moments, std::uint64_t index) const noexcept {
  const auto after = std::upper_bound(moments.runs.begin(), moments.runs.end(), index,
                                      [](std::uint64_t i, const Run& run) { return i < run.begin; });
  const Run& run = *(after - 1);
  return {run.clip, run.first_frame + static_cast<std::int32_t>(index - run.begin), 0};
}

features::Sample Sampler::at(std::uint64_t epoch, std::uint64_t position) const noexcept {
  const std::uint64_t count = classes_.size();
  // Rounds in which every class comes once, each in its own order. An epoch continues where the one before ended.
  const std::uint64_t round = epoch * (size_ / count) + position / count;
  std::uint64_t chosen = position % count;
  if (shuffle_ && count > 1) chosen = Permutation(count, seed_, 0, round)(chosen);
  const Class& moments = classes_[chosen];
  const std::uint64_t pass = round / moments.size;
  std::uint64_t index = round % moments.size;
  if (shuffle_) index = Permutation(moments.size, seed_, chosen + 1, pass)(index);
  return find(moments, index);
}

void Sampler::fill(std::uint64_t epoch, std::uint64_t first, std::span<features::Sample> out,
                   std::uint64_t step) const noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t position = first + i * step;
    out[i] = at(epoch + position / size_, position % size_);
  }
}

int most_sampled_group(const Dataset& dataset) {
  int best = -1;
  std::uint64_t most = 0;
  for (int group = 0; group < static_cast<int>(dataset.groups().size()); ++group) {
    const Result<Sampler> sampler = Sampler::create(dataset, {.group = group, .shuffle = false});
    if (!sampler || sampler->size() <= most) continue;
    best = group;
    most = sampler->size();
  }
  return best;
}

}  // namespace zoe::dataset
