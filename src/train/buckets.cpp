// SPDX-License-Identifier: MIT
#include "train/buckets.h"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "zoe/core/check.h"
#include "zoe/core/random.h"

namespace zoe::train {

std::vector<int> padded_sizes(std::vector<int> values, int count) {
  ZOE_CHECK(!values.empty() && count > 0, "sizes of nothing");
  std::map<int, std::int64_t> histogram;
  for (const int value : values) ++histogram[value];
  const std::vector<std::pair<int, std::int64_t>> sizes(histogram.begin(), histogram.end());
  const std::size_t n = sizes.size(), most = std::min(static_cast<std::size_t>(count), n);
  // cost[i]: padding of the first i sizes; chosen[k][i]: where the last of k groups begins.
  std::vector<double> cost(n + 1, std::numeric_limits<double>::infinity());
  cost[0] = 0;
  std::vector<std::vector<std::size_t>> chosen(most + 1, std::vector<std::size_t>(n + 1, 0));
  for (std::size_t k = 1; k <= most; ++k) {
    std::vector<double> next(n + 1, std::numeric_limits<double>::infinity());
    for (std::size_t end = k; end <= n; ++end) {
      double padding = 0;
      for (std::size_t begin = end; begin-- > k - 1;) {
        padding +=
            static_cast<double>(sizes[end - 1].first - sizes[begin].first) * static_cast<double>(sizes[begin].second);
        if (cost[begin] + padding < next[end]) {
          next[end] = cost[begin] + padding;
          chosen[k][end] = begin;
        }
      }
    }
    cost = std::move(next);
  }
  std::vector<int> result;
  for (std::size_t k = most, end = n; k > 0; --k) {
    result.push_back(sizes[end - 1].first);
    end = chosen[k][end];
  }
  std::ranges::reverse(result);
  return result;
}

Result<std::vector<Bucket>> make_buckets(std::span<const Extent> extents, const BucketOptions& options) {
  std::vector<int> frames, joints;
  const auto rounded = [&](int value) { return (value + options.multiple - 1) / options.multiple * options.multiple; };
  for (const Extent& extent : extents) {
    frames.push_back(rounded(extent.frames));
    joints.push_back(rounded(extent.joints));
  }
  const std::vector<int> frame_sizes = padded_sizes(frames, options.frame_sizes),
                         joint_sizes = padded_sizes(joints, options.joint_sizes);
  const auto padded = [](const std::vector<int>& sizes, int value) { return *std::ranges::lower_bound(sizes, value); };
  std::map<std::pair<int, int>, Bucket> found;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Extent size{padded(frame_sizes, extents[i].frames), padded(joint_sizes, extents[i].joints)};
    Bucket& bucket = found[{size.frames, size.joints}];
    bucket.size = size;
    bucket.samples.push_back(i);
  }
  std::vector<Bucket> buckets;
  const auto ranks = static_cast<std::int64_t>(options.num_ranks);
  for (auto& [key, bucket] : found) {
    const std::int64_t fit = options.tokens / bucket.size.tokens() / ranks * ranks;
    if (fit == 0) {
      return Error{
          ErrorCode::kUsage,
          fmt::format("train.tokens = {}: samples of {} frames x {} joints need at least {}, on {} ranks",
                      options.tokens, bucket.size.frames, bucket.size.joints, ranks * bucket.size.tokens(), ranks)};
    }
    // A bucket with few samples has a smaller batch: otherwise it would repeat them within a step.
    const auto count = (static_cast<std::int64_t>(bucket.samples.size()) + ranks - 1) / ranks * ranks;
    bucket.batch = static_cast<std::size_t>(std::min(fit, count));
    buckets.push_back(std::move(bucket));
  }
  return buckets;
}

BucketOrder::BucketOrder(std::vector<Bucket> buckets, std::uint64_t seed)
    : buckets_(std::move(buckets)), seed_(seed), orders_(buckets_.size()) {
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    ZOE_CHECK(buckets_[i].batch > 0 && !buckets_[i].samples.empty(), "an empty bucket");
    const std::size_t count = (buckets_[i].samples.size() + buckets_[i].batch - 1) / buckets_[i].batch;
    for (std::size_t k = 0; k < count; ++k) batches_.push_back({i, k});
  }
}

StepSamples BucketOrder::at(std::int64_t step, int rank, int num_ranks) {
  const std::int64_t epoch = step / steps_per_epoch();
  if (epoch != epoch_) {
    const Random random = Random(seed_).split(static_cast<std::uint64_t>(epoch));
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      orders_[i] = buckets_[i].samples;
      random.split(i).shuffle(orders_[i]);
    }
    // From the order of the constructor: a function of the epoch alone.
    std::ranges::sort(batches_, [](const BatchOf& a, const BatchOf& b) {
      return a.bucket != b.bucket ? a.bucket < b.bucket : a.index < b.index;
    });
    random.split(buckets_.size()).shuffle(batches_);
    epoch_ = epoch;
  }
  const BatchOf& batch = batches_[static_cast<std::size_t>(step % steps_per_epoch())];
  const std::vector<std::size_t>& order = orders_[batch.bucket];
  const std::size_t size = buckets_[batch.bucket].batch, share = size / static_cast<std::size_t>(num_ranks);
  ZOE_CHECK(share * static_cast<std::size_t>(num_ranks) == size, "the batch does not divide evenly");
  share_.resize(share);
  const std::size_t first = batch.index * size + static_cast<std::size_t>(rank) * share;
  for (std::size_t i = 0; i < share; ++i) share_[i] = order[(first + i) % order.size()];
  return {static_cast<int>(batch.bucket), share_};
}

}  // namespace zoe::train
