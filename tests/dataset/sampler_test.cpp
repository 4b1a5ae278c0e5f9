// SPDX-License-Identifier: MIT
#include "zoe/dataset/sampler.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"

#include "dataset/figures.h"
#include "dataset/permutation.h"
#include "support/allocation.h"

namespace zoe::dataset {
namespace {

using features::BlockKind;
using features::Sample;

const DatasetPtr& data() {
  static const DatasetPtr kData = [] {
    auto options = test::build_options(test::walk_folder("ds_sampler", 9), test::temporary_dir("ds_sampler_out"));
    options.mirror = true;
    options.labels = {"walk1", "subject2"};
    options.split = {.validation = 0.2, .test = 0};
    EXPECT_TRUE(build(options));
    return Dataset::open(options.output).value();
  }();
  return kData;
}

std::vector<Sample> epoch(const Sampler& sampler, std::uint64_t number) {
  std::vector<Sample> out(sampler.size());
  sampler.fill(number, 0, out);
  return out;
}
std::set<std::pair<int, int>> as_set(const std::vector<Sample>& samples) {
  std::set<std::pair<int, int>> out;
  for (const Sample& sample : samples) out.emplace(sample.clip, sample.frame);
  return out;
}

TEST(Permutation, EveryElementOnce) {
  for (const std::uint64_t n : {1, 2, 3, 5, 10, 64, 97, 1000, 65537}) {
    std::vector<char> seen(n, 0);
    const Permutation order(n, 7, 1, 2);
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t element = order(i);
      ASSERT_LT(element, n);
      ASSERT_EQ(seen[element]++, 0) << n;
    }
  }
}

// Chi-square of where an element lands, and of what stands side by side, over many passes.
TEST(Permutation, LooksShuffled) {
  constexpr std::uint64_t kN = 12;
  constexpr int kPasses = 24000;
  std::vector<int> places(kN * kN), pairs(kN * kN);
  for (int pass = 0; pass < kPasses; ++pass) {
    const Permutation order(kN, 3, 1, static_cast<std::uint64_t>(pass));
    for (std::uint64_t i = 0; i < kN; ++i) {
      ++places[i * kN + order(i)];
      if (i + 1 < kN) ++pairs[order(i) * kN + order(i + 1)];
    }
  }
  const double expected = kPasses / 12.0, expected_pairs = kPasses * 11.0 / (12 * 11);
  double chi = 0, chi_pairs = 0;
  for (std::size_t i = 0; i < kN * kN; ++i) {
    chi += (places[i] - expected) * (places[i] - expected) / expected;
    if (i % (kN + 1) != 0) chi_pairs += (pairs[i] - expected_pairs) * (pairs[i] - expected_pairs) / expected_pairs;
  }
  EXPECT_LT(chi, 121 + 5 * std::sqrt(2 * 121.0));  // 11 × 11 degrees of freedom; five deviations.
  EXPECT_LT(chi_pairs, 131 + 6 * std::sqrt(2 * 131.0));
}

TEST(Sampler, AnEpochShowsEveryMomentOnce) {
  const Sampler sampler = Sampler::create(*data()).value();
  const Group& group = data()->groups()[0];
  std::set<std::pair<int, int>> expected;
  for (std::size_t c = 0; c < group.clips.size(); ++c) {
    if (data()->clips()[static_cast<std::size_t>(group.clips[c])].split != Split::kTrain) continue;
    for (int f = group.layout.past_frames(); f + group.layout.future_frames() < group.rows[c].num_rows; ++f)
      expected.emplace(static_cast<int>(c), f);
  }
  const std::vector<Sample> first = epoch(sampler, 0), second = epoch(sampler, 1);
  EXPECT_EQ(sampler.size(), expected.size());
  EXPECT_EQ(as_set(first), expected);
  EXPECT_EQ(as_set(second), expected);
  std::size_t same = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    same += first[i].clip == second[i].clip && first[i].frame == second[i].frame;
  EXPECT_LT(same, 12U);  // A random order repeats about one place.
}

TEST(Sampler, SeedsAndProcesses) {
  const Sampler sampler = Sampler::create(*data(), {.seed = 5}).value(),
                again = Sampler::create(*data(), {.seed = 5}).value();
  const std::vector<Sample> all = epoch(sampler, 3);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(again.at(3, i).frame, all[i].frame);
  // Three processes share an epoch.
  std::vector<Sample> part((all.size() - 1) / 3 + 1);
  sampler.fill(3, 1, part, 3);
  for (std::size_t i = 0; 1 + 3 * i < all.size(); ++i) ASSERT_EQ(part[i].frame, all[1 + 3 * i].frame);
  // Beyond its end the next epoch follows.
  Sample next[2];
  sampler.fill(3, all.size() - 1, next);
  EXPECT_EQ(next[1].frame, sampler.at(4, 0).frame);
}

TEST(Sampler, SplitsMirrorsAndEdges) {
  const std::size_t train = Sampler::create(*data()).value().size();
  const std::size_t plain = Sampler::create(*data(), {.mirrored = false}).value().size();
  EXPECT_EQ(train, 2 * plain);
  const Group& group = data()->groups()[0];
  const std::size_t all = Sampler::create(*data(), {.split = {}, .whole_windows = false}).value().size();
  EXPECT_EQ(all, static_cast<std::size_t>(data()->totals().num_rows));
  EXPECT_FALSE(Sampler::create(*data(), {.split = Split::kTest}));
  EXPECT_FALSE(Sampler::create(*data(), {.group = 1}));
  const Sampler in_order = Sampler::create(*data(), {.shuffle = false}).value();
  EXPECT_EQ(in_order.at(0, 0).frame, group.layout.past_frames());
  EXPECT_EQ(in_order.at(0, 1).frame, group.layout.past_frames() + 1);
}

TEST(Sampler, BalancedClassesComeEquallyOften) {
  using Balance = SamplerOptions::Balance;
  const Group& group = data()->groups()[0];
  const auto record = [&](const Sample& sample) -> const ClipRecord& {
    return data()->clips()[static_cast<std::size_t>(group.clips[static_cast<std::size_t>(sample.clip)])];
  };
  const Sampler by_clip = Sampler::create(*data(), {.balance = Balance::kClip}).value();
  std::map<std::string, std::uint64_t> counts;
  for (const Sample& sample : epoch(by_clip, 0)) ++counts[record(sample).source];
  EXPECT_EQ(counts.size(), static_cast<std::size_t>(by_clip.num_classes()));
  for (const auto& [source, count] : counts) EXPECT_EQ(count, by_clip.size() / counts.size()) << source;
  // Within a clip no moment comes twice before all have: its first pass over several epochs.
  std::map<std::string, std::vector<std::pair<int, int>>> shown;
  for (int e = 0; e < 3; ++e)
    for (const Sample& sample : epoch(by_clip, static_cast<std::uint64_t>(e)))
      shown[record(sample).source].emplace_back(sample.clip, sample.frame);
  for (auto& [source, moments] : shown) {
    std::set<std::pair<int, int>> distinct(moments.begin(), moments.end());
    ASSERT_LE(distinct.size(), moments.size());
    const std::set<std::pair<int, int>> first(moments.begin(),
                                              moments.begin() + static_cast<std::ptrdiff_t>(distinct.size()));
    EXPECT_EQ(first.size(), distinct.size()) << source;
  }

  const Sampler by_label = Sampler::create(*data(), {.balance = Balance::kLabel}).value();
  EXPECT_EQ(by_label.num_classes(), 3);  // walk1, subject2, none of them.
  std::uint64_t none = 0;
  for (const Sample& sample : epoch(by_label, 0)) none += record(sample).labels.empty();
  EXPECT_EQ(none, by_label.size() / 3);
  EXPECT_EQ(Sampler::create(*data(), {.balance = Balance::kSkeleton}).value().num_classes(), 1);
}

TEST(Sampler, BatchesWithoutAllocation) {
  const Group& group = data()->groups()[0];
  const Sampler sampler = Sampler::create(*data(), {.balance = SamplerOptions::Balance::kClip}).value();
  std::vector<Sample> samples(96);
  std::vector<float> input(96 * group.layout.size(BlockKind::kInput)),
      output(96 * group.layout.size(BlockKind::kOutput));
  std::vector<float> input2(input.size()), output2(output.size());
  {
    ThreadPool alone(0);  // Threads allocate when they start, whenever that is.
    const test::AllocationMeter meter;
    sampler.fill(0, 17, samples);
    const bool plain = data()->gather(0, samples, input2, output2);
    const bool pooled = data()->gather(alone, 0, samples, input2, output2);
    EXPECT_EQ(meter.allocations(), 0U);
    EXPECT_TRUE(plain && pooled);
  }
  ThreadPool pool(2);
  const bool plain = data()->gather(0, samples, input, output);
  const bool threaded = data()->gather(pool, 0, samples, input2, output2);
  EXPECT_TRUE(plain && threaded);
  EXPECT_EQ(input, input2);
  EXPECT_EQ(output, output2);
  EXPECT_FALSE(data()->gather(0, samples, std::span(input).first(7), output));
  EXPECT_FALSE(data()->gather(3, samples, input, output));
  samples[0].frame = 1 << 20;
  EXPECT_FALSE(data()->gather(pool, 0, samples, input, output));
}

}  // namespace
}  // namespace zoe::dataset
