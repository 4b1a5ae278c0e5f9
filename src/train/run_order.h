// SPDX-License-Identifier: MIT
// Part of Zoetrope. Batches of runs of consecutive samples, for models that roll out their own outputs.
#pragma once

#include <vector>

#include "train/sample_order.h"

namespace zoe::train {

// Samples [first, first + length), run after run. Each epoch begins the runs at another sample, and shuffles them.
class RunOrder final : public SampleOrder {
 public:
  // The batch must divide evenly by the length, and its runs by num_ranks.
  RunOrder(std::size_t num_samples, std::size_t batch, std::size_t length, std::uint64_t seed);

  std::int64_t steps_per_epoch() const override { return steps_per_epoch_; }
  StepSamples at(std::int64_t step, int rank, int num_ranks) override;

 private:
  std::size_t num_samples_, length_, runs_per_step_;
  std::uint64_t seed_;
  std::int64_t steps_per_epoch_, epoch_ = -1;
  std::size_t offset_ = 0;
  std::vector<std::size_t> runs_, share_;
};

}  // namespace zoe::train
