// SPDX-License-Identifier: MIT
// Part of Zoetrope. In which order moments are shown to a model. An order is a function of seed,
// epoch and position: it needs no memory, can be entered anywhere, and is the same on every machine
// and for any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zoe/dataset/dataset.h"

namespace zoe::dataset {

struct SamplerOptions {
  int group = 0;
  std::optional<Split> split = Split::kTrain;  // Nothing: all.
  std::uint64_t seed = 1;
  bool shuffle = true;
  // What is shown equally often, however many frames it has. Inside, moments are shuffled and none
  // comes twice before all have come. kSkeleton: bodies of one group, by their bone lengths. kLabel:
  // frame by frame; one of several labels counts for each of them, those without any are a class of
  // their own.
  enum class Balance : std::uint8_t { kNone, kClip, kLabel, kSkeleton } balance = Balance::kNone;
  // Leaves out moments whose window would reach over the clip's start or end, where its first or
  // last row stands in.
  bool whole_windows = true;
  bool mirrored = true;  // Take mirrored copies as well.
};

class Sampler {
 public:
  // Fails where nothing is left to sample; says why.
  static Result<Sampler> create(const Dataset& dataset, const SamplerOptions& options = {});

  // In one epoch: all moments once; balanced, as many draws, rounded up to a multiple of the
  // classes.
  std::uint64_t size() const { return size_; }
  int num_classes() const { return static_cast<int>(classes_.size()); }

  // The moment at a position, in [0, size()), of an epoch. Of several processes, number r of n
  // takes positions r, r + n, ….
  features::Sample at(std::uint64_t epoch, std::uint64_t position) const noexcept;
  // out[i] = at(epoch, first + i * step), going on into later epochs beyond the end. Never
  // allocates.
  void fill(std::uint64_t epoch, std::uint64_t first, std::span<features::Sample> out,
            std::uint64_t step = 1) const noexcept;

 private:
  // Moments of one class: clips (index within the group) and where they begin among all of the
  // class.
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

// The group with most training samples: what a model is trained on. -1: there are none.
int most_sampled_group(const Dataset& dataset);

}  // namespace zoe::dataset
