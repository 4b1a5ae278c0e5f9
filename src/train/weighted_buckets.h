// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ragged samples drawn with given frequencies (class_order.h) in batches of few shapes (buckets.h).
#pragma once

#include <vector>

#include "train/buckets.h"
#include "train/class_order.h"

namespace zoe::train {

// The same buckets with batches that fit the draws of an epoch: an epoch has as many draws as there are samples, and
// those of a bucket fill whole batches, up to rounding to a multiple of the ranks. Batches never grow.
std::vector<Bucket> fit_batches(std::vector<Bucket> buckets, std::span<const SampleClass> classes, int num_ranks);

// Within an epoch every class of a bucket, and every sample, is drawn its exact number of times rounded up or down
// (systematic resampling); which of both is random with the right mean. So no sample comes twice before its frequency
// asks for it.
class WeightedBucketOrder final : public SampleOrder {
 public:
  // buckets: of fit_batches().
  WeightedBucketOrder(std::vector<Bucket> buckets, const std::vector<SampleClass>& classes, std::uint64_t seed);

  std::int64_t steps_per_epoch() const override { return static_cast<std::int64_t>(batches_.size()); }
  StepSamples at(std::int64_t step, int rank, int num_ranks) override;

 private:
  struct Cell {
    double weight = 0;                 // Of each sample, relative to the bucket's sum.
    std::vector<std::size_t> samples;  // Of one class in one bucket.
  };
  struct BatchOf {
    std::size_t bucket, index;
  };
  std::vector<Bucket> buckets_;
  std::vector<std::vector<Cell>> cells_;  // Of each bucket.
  std::vector<std::size_t> num_draws_;    // Of each bucket in an epoch.
  std::uint64_t seed_;
  std::int64_t epoch_ = -1;
  std::vector<std::vector<std::size_t>> draws_;  // Of each bucket in this epoch.
  std::vector<BatchOf> batches_;                 // Of this epoch.
  std::vector<std::size_t> share_;

  void draw(std::int64_t epoch);
};

}  // namespace zoe::train
