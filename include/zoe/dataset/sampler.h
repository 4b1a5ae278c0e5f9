// SPDX-License-Identifier: MIT
// Part of Zoetrope. The order in which moments are given to a model. An order is a function of seed, epoch and
// position. It needs no memory, can be entered anywhere, and is the same on every machine and for any number of
// threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zoe/dataset/dataset.h"

namespace zoe::dataset {

struct SamplerOptions {
  int group = 0;
  std::optional<Split> split = Split::kTrain;  // Empty: all.
  std::uint64_t seed = 1;
  bool shuffle = true;
  // Classes of equal frequency, independent of their number of frames. Inside a class moments are shuffled and none
  // repeats before all have come. kSkeleton: bodies of one group, by their bone lengths. kLabel: frame by frame; a
  // frame counts for each of its labels; frames without labels are a class of their own.
  enum class Balance : std::uint8_t { kNone, kClip, kLabel, kSkeleton } balance = Balance::kNone;
  // Excludes moments whose window would reach beyond the clip, where its first or last row is repeated.
  bool whole_windows = true;
  bool mirrored = true;  // Include mirrored copies.
};

class Sampler {
 public:
  // Fails where no sample is left, and says why.
  static Result<Sampler> create(const Dataset& dataset, const SamplerOptions& options = {});

  // Samples per epoch: all moments once. Balanced: as many draws, rounded up to a multiple of the classes.
  std::uint64_t size() const { return size_; }
  int num_classes() const { return static_cast<int>(classes_.size()); }

  // The moment at a position, in [0, size()), of an epoch. Of several processes, number r of n
  // takes positions r, r + n, ….
  features::Sample at(std::uint64_t epoch, std::uint64_t position) const noexcept;
  // out[i] = at(epoch, first + i * step), continued into later epochs beyond the end. Never allocates.
  void fill(std::uint64_t epoch, std::uint64_t first, std::span<features::Sample> out,
            std::uint64_t step = 1) const noexcept;

 private:
  // Moments of one class: clips (index within the group) and their offsets among all of the class.
  struct Run {
    std::uint64_t begin = 0;
    std::int32_t clip = 0, first_frame = 0;
  };
  struct Class {
    std::vector<Run> runs;
    std::uint64_t size = 0;
  };
  features::Sample find(const Class& moments, std::uint64_t index) const noexcept;

  std::vector<Class> classes_;
  std::uint64_t size_ = 0, seed_ = 0;
  bool shuffle_ = true;
};

// Index of the group with the most training samples, on which a model is trained. -1: there are none.
int most_sampled_group(const Dataset& dataset);

}  // namespace zoe::dataset
