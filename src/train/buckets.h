// SPDX-License-Identifier: MIT
// Part of Zoetrope. Samples of different sizes in batches of few shapes: a sample is padded to the size of its bucket,
// and a batch of a bucket has as many samples as fit into the budget of tokens. Static shapes let a step be recorded
// (step_graph.h); several skeletons share a batch.
#pragma once

#include <vector>

#include "zoe/core/result.h"
#include "zoe/train/batch_source.h"

#include "train/sample_order.h"

namespace zoe::train {

struct Bucket {
  Extent size;                       // Samples are padded to this.
  std::size_t batch = 0;             // Samples per step.
  std::vector<std::size_t> samples;  // Rising.
};

struct BucketOptions {
  std::int64_t tokens = 4096;            // Per step, padding included, over all ranks.
  int frame_sizes = 4, joint_sizes = 4;  // Number of padded sizes of each.
  int num_ranks = 1;                     // Batches are multiples of this.
  int multiple = 1;                      // Padded sizes are multiples of this.
};

// At most `count` sizes, rising, the last the largest value: those with the least padding in total, where every value
// is padded to the next size.
std::vector<int> padded_sizes(std::vector<int> values, int count);

// Non-empty buckets by size. Refuses a sample larger than the budget.
Result<std::vector<Bucket>> make_buckets(std::span<const Extent> extents, const BucketOptions& options);

// Every sample once per epoch. The last batch of a bucket is filled up with samples from its beginning.
class BucketOrder final : public SampleOrder {
 public:
  BucketOrder(std::vector<Bucket> buckets, std::uint64_t seed);

  std::int64_t steps_per_epoch() const override { return static_cast<std::int64_t>(batches_.size()); }
  StepSamples at(std::int64_t step, int rank, int num_ranks) override;
  const std::vector<Bucket>& buckets() const { return buckets_; }

 private:
  struct BatchOf {
    std::size_t bucket, index;
  };
  std::vector<Bucket> buckets_;
  std::uint64_t seed_;
  std::int64_t epoch_ = -1;
  std::vector<std::vector<std::size_t>> orders_;  // Of each bucket in this epoch.
  std::vector<BatchOf> batches_;                  // Of this epoch.
  std::vector<std::size_t> share_;
};

}  // namespace zoe::train
