// SPDX-License-Identifier: MIT
// Part of Zoetrope. The samples of every step of a run: a function of (seed, step) alone, so that a resumed run
// continues unchanged and all ranks agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace zoe::train {

struct StepSamples {
  int bucket = 0;  // Batches of one bucket have one shape.
  std::span<const std::size_t> samples;
};

class SampleOrder {
 public:
  virtual ~SampleOrder() = default;
  virtual std::int64_t steps_per_epoch() const = 0;
  // The part of `rank`. Valid until the next call.
  virtual StepSamples at(std::int64_t step, int rank, int num_ranks) = 0;
};

}  // namespace zoe::train
