// SPDX-License-Identifier: MIT
// Ragged batches: sizes against brute force, budgets, orders, padding, and runs on them.
#include "train/buckets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/core/random.h"
#include "zoe/nn/graph_file.h"
#include "zoe/train/run.h"
#include "zoe/train/toy.h"

#include "support/data.h"
#include "train/metrics.h"

namespace zoe::train {
namespace {

std::int64_t padding_of(const std::vector<int>& values, const std::vector<int>& sizes) {
  std::int64_t sum = 0;
  for (const int value : values) sum += *std::ranges::lower_bound(sizes, value) - value;
  return sum;
}

TEST(Buckets, SizesHaveTheLeastPadding) {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> values;
    for (int i = 0; i < 12; ++i) values.push_back(1 + static_cast<int>(random.below(9)));
    const std::vector<int> sizes = padded_sizes(values, 3);
    const int largest = *std::ranges::max_element(values);
    ASSERT_TRUE(std::ranges::is_sorted(sizes));
    EXPECT_EQ(sizes.back(), largest);
    std::int64_t best = 1 << 20;  // Every choice of two sizes below the largest.
    for (int a = 1; a <= largest; ++a) {
      for (int b = a; b <= largest; ++b) best = std::min(best, padding_of(values, {a, b, largest}));
    }
    EXPECT_EQ(padding_of(values, sizes), best);
  }
  EXPECT_EQ(padded_sizes({4, 4, 4}, 5), (std::vector<int>{4}));
}

std::vector<Extent> some_extents(std::size_t count) {
  Random random(7);
  std::vector<Extent> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({8 + static_cast<int>(random.below(57)), 15 + static_cast<int>(random.below(10))});
  return all;
}

TEST(Buckets, KeepTheBudgetAndHoldEverySampleOnce) {
  const std::vector<Extent> extents = some_extents(500);
  const std::vector<Bucket> buckets = make_buckets(extents, {.tokens = 6000, .num_ranks = 2}).value();
  EXPECT_LE(buckets.size(), 16U);
  std::set<std::size_t> seen;
  for (const Bucket& bucket : buckets) {
    EXPECT_LE(static_cast<std::int64_t>(bucket.batch) * bucket.size.tokens(), 6000);
    EXPECT_EQ(bucket.batch % 2, 0U);
    for (const std::size_t sample : bucket.samples) {
      EXPECT_TRUE(seen.insert(sample).second);
      EXPECT_LE(extents[sample].frames, bucket.size.frames);
      EXPECT_LE(extents[sample].joints, bucket.size.joints);
    }
  }
  EXPECT_EQ(seen.size(), 500U);
  const auto refused = make_buckets(extents, {.tokens = 500});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.rfind("train.tokens = 500: samples of ", 0), 0U);
}

TEST(Buckets, SizesAreMultiplesWhereRequested) {
  const std::vector<Extent> extents = some_extents(300);  // 15 to 24 joints, 8 to 64 frames.
  const std::vector<Bucket> buckets = make_buckets(extents, {.tokens = 8000, .multiple = 8}).value();
  std::size_t held = 0;
  for (const Bucket& bucket : buckets) {
    EXPECT_EQ(bucket.size.frames % 8, 0);
    EXPECT_EQ(bucket.size.joints % 8, 0);
    EXPECT_LE(bucket.size.joints, 24);
    EXPECT_LE(bucket.size.frames, 64);
    for (const std::size_t sample : bucket.samples) {
      EXPECT_LE(extents[sample].frames, bucket.size.frames);
      EXPECT_LE(extents[sample].joints, bucket.size.joints);
    }
    held += bucket.samples.size();
  }
  EXPECT_EQ(held, extents.size());
}

TEST(Buckets, OrdersAreFunctionsOfSeedAndStep) {
  const std::vector<Bucket> buckets = make_buckets(some_extents(300), {.tokens = 8000, .num_ranks = 2}).value();
  BucketOrder forwards(buckets, 3), anywhere(buckets, 3), other(buckets, 4);
  const std::int64_t steps = forwards.steps_per_epoch();
  std::map<std::int64_t, std::pair<int, std::vector<std::size_t>>> all;
  const auto at = [](BucketOrder& order, std::int64_t step, int rank = 0, int ranks = 1) {
    const StepSamples samples = order.at(step, rank, ranks);
    return std::pair(samples.bucket, std::vector<std::size_t>(samples.samples.begin(), samples.samples.end()));
  };
  std::size_t differences = 0;
  for (std::int64_t step = 0; step < 2 * steps; ++step) {
    all[step] = at(forwards, step);
    differences += all[step] != at(other, step);
  }
  EXPECT_GT(differences, static_cast<std::size_t>(steps));
  for (const std::int64_t step : {2 * steps - 1, std::int64_t{0}, steps, steps - 1}) {
    EXPECT_EQ(at(anywhere, step), all[step]);
    std::vector<std::size_t> together;  // Two ranks have the whole.
    for (int rank = 0; rank < 2; ++rank) {
      const auto part = at(anywhere, step, rank, 2);
      EXPECT_EQ(part.first, all[step].first);
      together.insert(together.end(), part.second.begin(), part.second.end());
    }
    EXPECT_EQ(together, all[step].second);
  }
  std::set<std::size_t> seen;
  for (std::int64_t step = 0; step < steps; ++step) seen.insert(all[step].second.begin(), all[step].second.end());
  EXPECT_EQ(seen.size(), 300U);  // Every sample in an epoch.
}

TEST(Buckets, ToyTokensArePaddedWithZeros) {
  const auto source = make_toy_source({.kind = ToyKind::kTokens, .num_training = 20, .width = 5, .steps = 9});
  ASSERT_TRUE(source->ragged());
  const Extent padded{12, 7};
  for (std::size_t sample = 0; sample < 20; ++sample) {
    const Extent extent = source->extent(Split::kTraining, sample);
    EXPECT_GE(extent.frames, 5);
    EXPECT_LE(extent.frames, 9);
    EXPECT_GE(extent.joints, 2);
    EXPECT_LE(extent.joints, 5);
    std::vector<float> x(12 * 7 * 3, 9.0F), mask(12 * 7, 9.0F), own(static_cast<std::size_t>(extent.tokens()) * 3),
        own_mask(static_cast<std::size_t>(extent.tokens()));
    const std::size_t samples[] = {sample};
    const std::span<float> outputs[] = {x, mask}, own_outputs[] = {own, own_mask};
    ASSERT_TRUE(source->read_padded(Split::kTraining, samples, padded, outputs));
    ASSERT_TRUE(source->read_padded(Split::kTraining, samples, extent, own_outputs));
    for (int frame = 0; frame < 12; ++frame) {
      for (int joint = 0; joint < 7; ++joint) {
        const bool present = frame < extent.frames && joint < extent.joints;
        const auto token = static_cast<std::size_t>(frame * 7 + joint);
        ASSERT_EQ(mask[token], present ? 1.0F : 0.0F);
        const float expected = present ? own[static_cast<std::size_t>(frame * extent.joints + joint) * 3] : 0.0F;
        ASSERT_EQ(x[token * 3], expected);
      }
    }
  }
}

// Means of present tokens alone: the waves have mean 0 and a deviation that padding would halve.
TEST(Buckets, StatisticsLeaveOutPadding) {
  const auto source = make_toy_source({.kind = ToyKind::kTokens, .num_training = 400, .width = 6, .steps = 12});
  const std::vector<FieldStatistics> statistics = measure_statistics(*source).value();
  EXPECT_FLOAT_EQ(statistics[1].mean[0], 1);
  double square = 0, count = 0;
  for (std::size_t sample = 0; sample < 400; ++sample) {
    const Extent extent = source->extent(Split::kTraining, sample);
    std::vector<float> x(static_cast<std::size_t>(extent.tokens()) * 3),
        mask(static_cast<std::size_t>(extent.tokens()));
    const std::size_t samples[] = {sample};
    const std::span<float> outputs[] = {x, mask};
    ASSERT_TRUE(source->read_padded(Split::kTraining, samples, extent, outputs));
    for (std::size_t i = 0; i < x.size(); i += 3) square += double{x[i]} * x[i], ++count;
  }
  const double mean = statistics[0].mean[0];
  EXPECT_NEAR(statistics[0].spread[0], std::sqrt(square / count - mean * mean), 1e-4);
}

RunRequest ragged_run(const std::string& name) {
  RunRequest request;
  request.model = "tokens";
  request.folder = zoe::test::temporary_dir(name) / "run";
  request.quiet = true;
  request.overrides = {
      "model.width=8",           "model.heads=2",       "model.blocks=2",          "train.steps=30",
      "train.tokens=300",        "train.log_every=5",   "train.validate_every=10", "train.checkpoint_every=10",
      "train.schedule=constant", "data.toy_samples=60", "data.toy_steps=10",       "train.threads=1",
      "data.frame_sizes=2",      "data.joint_sizes=2"};
  return request;
}
std::string bytes_of(const std::filesystem::path& path) { return std::string(MappedFile::open(path).value().text()); }

TEST(Buckets, RunsAreExactAfterAnInterruptionAndLogTheirPadding) {
  const RunRequest whole = ragged_run("ragged_whole");
  ASSERT_TRUE(run(whole));
  RunRequest parts = ragged_run("ragged_parts"), first = parts;
  first.overrides.emplace_back("train.steps=20");
  ASSERT_TRUE(run(first));
  parts.resume = true;
  ASSERT_TRUE(run(parts));
  for (const char* file : {"checkpoints/step_00000030.safetensors", "model.safetensors"})
    EXPECT_TRUE(bytes_of(whole.folder / file) == bytes_of(parts.folder / file)) << file;
  const std::vector<MetricRow> rows = read_metrics(whole.folder / "metrics.jsonl").value();
  for (const MetricRow& row : rows) {
    if (row.split != "training") continue;
    const std::map<std::string, double> values(row.values.begin(), row.values.end());
    EXPECT_GT(values.at("padding"), 0);
    EXPECT_LT(values.at("padding"), 0.5);
    EXPECT_GT(values.at("tokens_per_s"), values.at("samples_per_s"));
  }
}

TEST(Buckets, NetworksServeAllSizes) {
  RunRequest request = ragged_run("ragged_alternate");
  request.overrides.emplace_back("model.axes=alternate");
  const RunSummary summary = run(request).value();
  EXPECT_TRUE(summary.warnings.empty());
  const nn::Graph graph = nn::read_graph(request.folder / "model.safetensors").value();
  EXPECT_EQ(graph.dims, (std::vector<std::string>{"frames", "joints"}));
}

}  // namespace
}  // namespace zoe::train
