// SPDX-License-Identifier: MIT
// Part of Zoetrope. The samples of a step: a new shuffle each epoch, a function of (seed, step) alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "train/sample_order.h"

namespace zoe::train {

class EpochOrder final : public SampleOrder {
 public:
  EpochOrder(std::size_t num_samples, std::size_t batch, std::uint64_t seed);

  // Whole batches in an epoch, at least one; the rest of the shuffle is skipped in that epoch.
  std::int64_t steps_per_epoch() const override { return steps_per_epoch_; }

  // The samples of `rank`'s part of step `step`. The batch must divide evenly by num_ranks. Valid until the next call.
  std::span<const std::size_t> samples(std::int64_t step, int rank = 0, int num_ranks = 1);
  StepSamples at(std::int64_t step, int rank, int num_ranks) override { return {0, samples(step, rank, num_ranks)}; }

 private:
  std::size_t batch_;
  std::uint64_t seed_;
  std::int64_t steps_per_epoch_;
  std::int64_t epoch_ = -1;
  std::vector<std::size_t> order_, share_;
};

}  // namespace zoe::train
