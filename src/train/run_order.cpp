// SPDX-License-Identifier: MIT
#include "train/run_order.h"

#include <algorithm>
#include <numeric>

#include "zoe/core/check.h"
#include "zoe/core/random.h"

namespace zoe::train {

RunOrder::RunOrder(std::size_t num_samples, std::size_t batch, std::size_t length, std::uint64_t seed)
    : num_samples_(num_samples),
      length_(length),
      runs_per_step_(batch / std::max<std::size_t>(length, 1)),
      seed_(seed),
      steps_per_epoch_(1) {
  ZOE_CHECK(length > 0 && runs_per_step_ > 0 && batch % length == 0, "a batch has whole runs");
  ZOE_CHECK(num_samples >= length, "the data has fewer samples than a run");
  // Any offset below the length leaves room for this many.
  runs_.resize(std::max<std::size_t>(1, (num_samples - length + 1) / length));
  steps_per_epoch_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(runs_.size() / runs_per_step_));
}

StepSamples RunOrder::at(std::int64_t step, int rank, int num_ranks) {
  const std::int64_t epoch = step / steps_per_epoch_;
  if (epoch != epoch_) {
    Random random = Random(seed_).split(static_cast<std::uint64_t>(epoch));
    const std::size_t room = num_samples_ - runs_.size() * length_;
    offset_ = static_cast<std::size_t>(random.below(std::min(room, length_ - 1) + 1));
    std::iota(runs_.begin(), runs_.end(), std::size_t{0});
    random.shuffle(runs_);
    epoch_ = epoch;
  }
  const std::size_t share = runs_per_step_ / static_cast<std::size_t>(num_ranks);
  ZOE_CHECK(share * static_cast<std::size_t>(num_ranks) == runs_per_step_, "the runs do not divide evenly");
  share_.resize(share * length_);
  const std::size_t first =
      static_cast<std::size_t>(step % steps_per_epoch_) * runs_per_step_ + static_cast<std::size_t>(rank) * share;
  for (std::size_t i = 0; i < share; ++i) {
    const std::size_t begin = offset_ + length_ * runs_[(first + i) % runs_.size()];
    for (std::size_t k = 0; k < length_; ++k) share_[i * length_ + k] = begin + k;
  }
  return {0, share_};
}

}  // namespace zoe::train
