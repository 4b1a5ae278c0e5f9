// SPDX-License-Identifier: MIT
#include "train/epoch_order.h"

#include <algorithm>
#include <numeric>

#include "zoe/core/check.h"
#include "zoe/core/random.h"

namespace zoe::train {

EpochOrder::EpochOrder(std::size_t num_samples, std::size_t batch, std::uint64_t seed)
    : batch_(batch),
      seed_(seed),
      steps_per_epoch_(
          std::max<std::int64_t>(1, static_cast<std::int64_t>(num_samples / std::max<std::size_t>(batch, 1)))),
      order_(num_samples) {
  ZOE_CHECK(num_samples > 0 && batch > 0, "nothing to draw from");
}

std::span<const std::size_t> EpochOrder::samples(std::int64_t step, int rank, int num_ranks) {
  const std::int64_t epoch = step / steps_per_epoch_;
  if (epoch != epoch_) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    Random(seed_).split(static_cast<std::uint64_t>(epoch)).shuffle(order_);
    epoch_ = epoch;
  }
  const std::size_t share = batch_ / static_cast<std::size_t>(num_ranks);
  ZOE_CHECK(share * static_cast<std::size_t>(num_ranks) == batch_, "the batch does not divide evenly");
  share_.resize(share);
  const std::size_t first =
      static_cast<std::size_t>(step % steps_per_epoch_) * batch_ + static_cast<std::size_t>(rank) * share;
  for (std::size_t i = 0; i < share; ++i) share_[i] = order_[(first + i) % order_.size()];
  return share_;
}

}  // namespace zoe::train
