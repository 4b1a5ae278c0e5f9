// SPDX-License-Identifier: MIT
#include "train/weighted_buckets.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/check.h"
#include "zoe/core/random.h"

namespace zoe::train {
namespace {

// Class of each sample, and the frequency of one draw of it; the sum over all samples is 1.
struct Frequencies {
  std::vector<std::size_t> class_of;
  std::vector<double> of_sample;
};

Frequencies frequencies_of(std::span<const Bucket> buckets, std::span<const SampleClass> classes) {
  std::size_t count = 0;
  for (const Bucket& bucket : buckets) count += bucket.samples.size();
  double total = 0;
  for (const SampleClass& one : classes) total += one.weight;
  Frequencies all{std::vector<std::size_t>(count), std::vector<double>(count, 0.0)};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (const std::size_t sample : classes[c].samples) {
      ZOE_CHECK(sample < count, "classes and buckets are of the same samples");
      all.class_of[sample] = c;
      all.of_sample[sample] = classes[c].weight / total / static_cast<double>(classes[c].samples.size());
    }
  }
  return all;
}

}  // namespace

std::vector<Bucket> fit_batches(std::vector<Bucket> buckets, std::span<const SampleClass> classes, int num_ranks) {
  const Frequencies all = frequencies_of(buckets, classes);
  const auto total = static_cast<double>(all.of_sample.size()), ranks = static_cast<double>(num_ranks);
  for (Bucket& bucket : buckets) {
    double draws = 0;
    for (const std::size_t sample : bucket.samples) draws += total * all.of_sample[sample];
    const double steps = std::max(1.0, std::ceil(draws / static_cast<double>(bucket.batch) - 1e-9));
    const double batch = std::max(1.0, std::round(draws / steps / ranks)) * ranks;
    bucket.batch = std::min(bucket.batch, static_cast<std::size_t>(batch));
  }
  return buckets;
}

WeightedBucketOrder::WeightedBucketOrder(std::vector<Bucket> buckets, const std::vector<SampleClass>& classes,
                                         std::uint64_t seed)
    : buckets_(std::move(buckets)), cells_(buckets_.size()), seed_(seed), draws_(buckets_.size()) {
  const Frequencies all = frequencies_of(buckets_, classes);
  const auto total = static_cast<double>(all.of_sample.size());
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const Bucket& bucket = buckets_[b];
    ZOE_CHECK(bucket.batch > 0 && !bucket.samples.empty(), "an empty bucket");
    double sum = 0;
    std::vector<Cell> cells(classes.size());
    for (const std::size_t sample : bucket.samples) {
      sum += all.of_sample[sample];
      cells[all.class_of[sample]].samples.push_back(sample);
    }
    for (Cell& cell : cells) {
      if (cell.samples.empty()) continue;
      cell.weight = all.of_sample[cell.samples[0]] / sum;
      cells_[b].push_back(std::move(cell));
    }
    const auto count =
        static_cast<std::size_t>(std::max(1.0, std::round(total * sum / static_cast<double>(bucket.batch))));
    num_draws_.push_back(count * bucket.batch);
    for (std::size_t k = 0; k < count; ++k) batches_.push_back({b, k});
  }
}

void WeightedBucketOrder::draw(std::int64_t epoch) {
  const Random random = Random(seed_).split(static_cast<std::uint64_t>(epoch));
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const Random of_bucket = random.split(b);
    draws_[b].clear();
    // Samples lie side by side on a line of length num_draws; those under a whole number plus an offset are drawn.
    double end = 0, next = of_bucket.split(0).uniform_double();
    for (std::size_t c = 0; c < cells_[b].size(); ++c) {
      std::vector<std::size_t> samples = cells_[b][c].samples;
      of_bucket.split(c + 2).shuffle(samples);
      for (const std::size_t sample : samples) {
        end += cells_[b][c].weight * static_cast<double>(num_draws_[b]);
        for (; next < end && draws_[b].size() < num_draws_[b]; ++next) draws_[b].push_back(sample);
      }
    }
    while (draws_[b].size() < num_draws_[b]) draws_[b].push_back(cells_[b].back().samples.back());  // Rounding.
    of_bucket.split(1).shuffle(draws_[b]);
  }
  // From the order of the constructor: a function of the epoch alone.
  std::ranges::sort(batches_, [](const BatchOf& a, const BatchOf& b) {
    return a.bucket != b.bucket ? a.bucket < b.bucket : a.index < b.index;
  });
  random.split(buckets_.size()).shuffle(batches_);
  epoch_ = epoch;
}

StepSamples WeightedBucketOrder::at(std::int64_t step, int rank, int num_ranks) {
  if (const std::int64_t epoch = step / steps_per_epoch(); epoch != epoch_) draw(epoch);
  const BatchOf& batch = batches_[static_cast<std::size_t>(step % steps_per_epoch())];
  const std::size_t size = buckets_[batch.bucket].batch, share = size / static_cast<std::size_t>(num_ranks);
  ZOE_CHECK(share * static_cast<std::size_t>(num_ranks) == size, "the batch does not divide evenly");
  const auto first = draws_[batch.bucket].begin() +
                     static_cast<std::ptrdiff_t>(batch.index * size + static_cast<std::size_t>(rank) * share);
  share_.assign(first, first + static_cast<std::ptrdiff_t>(share));
  return {static_cast<int>(batch.bucket), share_};
}

}  // namespace zoe::train
