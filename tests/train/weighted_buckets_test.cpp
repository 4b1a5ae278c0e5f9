// SPDX-License-Identifier: MIT
// Ragged samples with frequencies: mixtures and pairs of labels in batches of few shapes.
#include "train/weighted_buckets.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/core/random.h"
#include "zoe/train/run.h"
#include "zoe/train/toy.h"

#include "support/data.h"

namespace zoe::train {
namespace {

constexpr std::size_t kCount = 400;

std::vector<Extent> mixed_extents() {
  Random random(3);
  std::vector<Extent> all;
  for (std::size_t i = 0; i < kCount; ++i)
    all.push_back({20 + static_cast<int>(random.below(40)), 3 + static_cast<int>(random.below(20))});
  return all;
}

// 300, 90 and 10 samples; the last class is rare and heavy.
std::vector<SampleClass> three_classes() {
  std::vector<SampleClass> classes(3);
  classes[0].weight = 0.2, classes[1].weight = 0.5, classes[2].weight = 0.3;
  for (std::size_t i = 0; i < kCount; ++i) classes[i < 300 ? 0 : i < 390 ? 1 : 2].samples.push_back(i);
  return classes;
}

std::vector<Bucket> weighted(int num_ranks) {
  const std::vector<Bucket> buckets = make_buckets(mixed_extents(), {.tokens = 16000, .num_ranks = num_ranks}).value();
  std::vector<Bucket> fitted = fit_batches(buckets, three_classes(), num_ranks);
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    EXPECT_LE(fitted[i].batch, buckets[i].batch);
    EXPECT_EQ(fitted[i].batch % static_cast<std::size_t>(num_ranks), 0U);
  }
  return fitted;
}

TEST(WeightedBuckets, ClassesComeByTheirWeight) {
  WeightedBucketOrder order(weighted(1), three_classes(), 7);
  constexpr int kEpochs = 30;
  std::map<std::size_t, int> of_class, of_sample;
  int total = 0;
  for (std::int64_t step = 0; step < kEpochs * order.steps_per_epoch(); ++step) {
    for (const std::size_t sample : order.at(step, 0, 1).samples)
      ++of_class[sample < 300 ? 0 : sample < 390 ? 1 : 2], ++of_sample[sample], ++total;
  }
  EXPECT_NEAR(total, kEpochs * static_cast<int>(kCount), 0.03 * kEpochs * kCount);
  const double expected[] = {0.2, 0.5, 0.3};
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(of_class[c] / static_cast<double>(total), expected[c], 0.012) << c;
  // Samples of a class come alike: 12 draws an epoch of each of the rare ones.
  for (std::size_t i = 390; i < kCount; ++i) EXPECT_NEAR(of_sample[i] / double{kEpochs}, 12, 1.5) << i;
  for (std::size_t i = 0; i < 300; ++i) EXPECT_NEAR(of_sample[i] / double{kEpochs}, 80.0 / 300, 0.3) << i;
  EXPECT_EQ(of_sample.size(), kCount);
}

// Within an epoch the number of draws of a sample is exact, rounded up or down.
TEST(WeightedBuckets, DrawsOfAnEpochAreRoundedOnly) {
  const std::vector<SampleClass> classes = three_classes();
  const std::vector<Bucket> buckets = weighted(1);
  WeightedBucketOrder order(buckets, classes, 1);
  std::vector<int> counts(kCount), of_bucket(buckets.size());
  for (std::int64_t step = 0; step < order.steps_per_epoch(); ++step) {
    const StepSamples batch = order.at(step, 0, 1);
    const Bucket& bucket = buckets[static_cast<std::size_t>(batch.bucket)];
    EXPECT_EQ(batch.samples.size(), bucket.batch);
    for (const std::size_t sample : batch.samples) {
      EXPECT_TRUE(std::ranges::binary_search(bucket.samples, sample));
      ++counts[sample], ++of_bucket[static_cast<std::size_t>(batch.bucket)];
    }
  }
  const auto frequency = [&](std::size_t i) {
    const SampleClass& one = classes[i < 300 ? 0 : i < 390 ? 1 : 2];
    return one.weight / static_cast<double>(one.samples.size());
  };
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    double sum = 0;
    for (const std::size_t sample : buckets[b].samples) sum += frequency(sample);
    for (const std::size_t sample : buckets[b].samples) {
      const double exact = of_bucket[b] * frequency(sample) / sum;
      EXPECT_GE(counts[sample], std::floor(exact - 1e-9)) << sample;
      EXPECT_LE(counts[sample], std::ceil(exact + 1e-9)) << sample;
    }
  }
}

TEST(WeightedBuckets, OrdersAreFunctionsOfSeedAndStep) {
  const std::vector<Bucket> buckets = weighted(2);
  WeightedBucketOrder forwards(buckets, three_classes(), 3), anywhere(buckets, three_classes(), 3),
      other(buckets, three_classes(), 4);
  const std::int64_t steps = forwards.steps_per_epoch();
  const auto at = [](WeightedBucketOrder& order, std::int64_t step, int rank = 0, int ranks = 1) {
    const StepSamples samples = order.at(step, rank, ranks);
    return std::pair(samples.bucket, std::vector<std::size_t>(samples.samples.begin(), samples.samples.end()));
  };
  std::vector<std::pair<int, std::vector<std::size_t>>> all;
  std::int64_t differences = 0;
  for (std::int64_t step = 0; step < 2 * steps; ++step) {
    all.push_back(at(forwards, step));
    differences += all.back() != at(other, step);
  }
  EXPECT_GT(differences, steps);
  for (const std::int64_t step : {2 * steps - 1, std::int64_t{0}, steps, steps - 1}) {
    EXPECT_EQ(at(anywhere, step), all[static_cast<std::size_t>(step)]);
    std::vector<std::size_t> together;
    for (int rank = 0; rank < 2; ++rank) {
      const auto part = at(anywhere, step, rank, 2);
      EXPECT_EQ(part.first, all[static_cast<std::size_t>(step)].first);
      together.insert(together.end(), part.second.begin(), part.second.end());
    }
    EXPECT_EQ(together, all[static_cast<std::size_t>(step)].second);
  }
}

std::string file_bytes(const std::filesystem::path& path) { return std::string(MappedFile::open(path).value().text()); }

// Toy tokens of two sizes, mixed by weight.
RunRequest mixed_run(const std::string& name) {
  RunRequest request;
  request.model = "tokens";
  request.folder = zoe::test::temporary_dir(name) / "run";
  request.quiet = true;
  request.mixture = {{"long", 0.25}, {"short", 0.75}};
  request.open_ragged_source = [](const std::filesystem::path& data, const JointWindows&,
                                  Warnings&) -> Result<std::unique_ptr<BatchSource>> {
    const bool longer = data == "long";
    return make_toy_source({.kind = ToyKind::kTokens,
                            .num_training = longer ? 60U : 25U,
                            .num_validation = 4,
                            .width = 3,
                            .steps = longer ? 14 : 7,
                            .seed = longer ? 1U : 2U});
  };
  request.overrides = {"model.width=8",
                       "model.heads=2",
                       "model.blocks=1",
                       "train.steps=30",
                       "train.tokens=300",
                       "train.validate_every=10",
                       "train.checkpoint_every=10",
                       "train.schedule=constant",
                       "train.threads=1",
                       "data.frame_sizes=2",
                       "data.joint_sizes=2"};
  return request;
}

TEST(WeightedBuckets, RunsOfMixturesAreExactAfterAnInterruption) {
  const RunRequest whole = mixed_run("ragged_mixture_whole");
  const Result<RunSummary> done = run(whole);
  ASSERT_TRUE(done) << done.error().format();
  RunRequest parts = mixed_run("ragged_mixture_parts"), first = parts;
  first.overrides.emplace_back("train.steps=20");
  ASSERT_TRUE(run(first));
  parts.resume = true;
  ASSERT_TRUE(run(parts));
  for (const char* file : {"checkpoints/step_00000030.safetensors", "model.safetensors"})
    EXPECT_TRUE(file_bytes(whole.folder / file) == file_bytes(parts.folder / file)) << file;
  // The weights matter.
  RunRequest even = mixed_run("ragged_mixture_even");
  even.mixture = {{"long", 0.5}, {"short", 0.5}};
  ASSERT_TRUE(run(even));
  EXPECT_FALSE(file_bytes(whole.folder / "model.safetensors") == file_bytes(even.folder / "model.safetensors"));
}

}  // namespace
}  // namespace zoe::train
