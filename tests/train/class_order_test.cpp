// SPDX-License-Identifier: MIT
// Draws with frequencies: pairs of labels, and mixtures of sources.
#include "train/class_order.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/train/toy.h"

#include "train/mixed_source.h"

namespace zoe::train {
namespace {

// 100 samples: style i % 2 == 0 for most, content by thirds; one rare pair.
class Labelled final : public BatchSource {
 public:
  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split split) const override { return split == Split::kTraining ? 100 : 0; }
  Result<void> read(Split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    for (std::size_t i = 0; i < samples.size(); ++i) outputs[0][i] = static_cast<float>(samples[i]);
    return {};
  }
  static int style(std::size_t i) { return i < 90 ? 0 : 1; }
  static int content(std::size_t i) { return static_cast<int>(i % 3); }
  Result<SampleLabels> labels(const std::string& name) const override {
    if (name != "style" && name != "content") return BatchSource::labels(name);
    SampleLabels all;
    if (name == "style")
      all.names = {"calm", "angry"};
    else
      all.names = {"walk", "run", "sit"};
    for (std::size_t i = 0; i < 100; ++i) all.of_sample.push_back(name == "style" ? style(i) : content(i));
    return all;
  }

 private:
  std::vector<Field> fields_{{"x", 1, 1}};
};

TEST(ClassOrder, PairsOfTwoLabelsComeEquallyOften) {
  const Labelled source;
  const std::vector<SampleClass> classes = sample_classes(source, {"style", "content"}).value();
  ASSERT_EQ(classes.size(), 6U);
  ClassOrder order(classes, 10, 1);
  EXPECT_EQ(order.steps_per_epoch(), 10);
  std::map<std::pair<int, int>, int> counts;
  for (std::int64_t step = 0; step < 60; ++step) {
    for (const std::size_t sample : order.at(step, 0, 1).samples)
      ++counts[{Labelled::style(sample), Labelled::content(sample)}];
  }
  for (const auto& [pair, count] : counts) EXPECT_NEAR(count, 100, 6) << pair.first << pair.second;  // Rounding.
  EXPECT_FALSE(sample_classes(source, {"style"}));
  EXPECT_FALSE(sample_classes(source, {"style", "mood"}));
  EXPECT_TRUE(sample_classes(source, {}).value().empty());
}

TEST(ClassOrder, IsAFunctionOfSeedAndStep) {
  const std::vector<SampleClass> classes = sample_classes(Labelled(), {"style", "content"}).value();
  ClassOrder one(classes, 8, 5), two(classes, 8, 5), other(classes, 8, 6);
  const auto at = [](ClassOrder& order, std::int64_t step) {
    const auto samples = order.at(step, 0, 1).samples;
    return std::vector<std::size_t>(samples.begin(), samples.end());
  };
  std::vector<std::vector<std::size_t>> all;
  for (std::int64_t step = 0; step < 40; ++step) all.push_back(at(one, step));
  for (const std::size_t step : {39, 0, 25, 12}) EXPECT_EQ(at(two, static_cast<std::int64_t>(step)), all[step]);
  EXPECT_NE(at(other, 3), all[3]);
  std::vector<std::size_t> together;
  for (int rank = 0; rank < 4; ++rank) {
    const auto part = two.at(7, rank, 4).samples;
    together.insert(together.end(), part.begin(), part.end());
  }
  EXPECT_EQ(together, all[7]);
}

// None of a class repeats before all of it have come, over epochs.
TEST(ClassOrder, ClassesGoRoundAsAWhole) {
  std::vector<SampleClass> classes(2);
  classes[0] = {3, {0, 1, 2, 3, 4, 5, 6}};
  classes[1] = {1, {7, 8, 9, 10, 11}};
  ClassOrder order(classes, 4, 2);  // Three steps of four: nine and three draws an epoch.
  std::map<std::size_t, int> counts;
  for (std::int64_t step = 0; step < 3 * 35; ++step) {
    for (const std::size_t sample : order.at(step, 0, 1).samples) ++counts[sample];
  }
  for (const auto& [sample, count] : counts) EXPECT_EQ(count, sample < 7 ? 9 * 35 / 7 : 3 * 35 / 5) << sample;
}

std::unique_ptr<BatchSource> toy(std::size_t count, int width, std::uint64_t seed) {
  return make_toy_source({.num_training = count, .num_validation = 5, .width = width, .seed = seed});
}

TEST(MixedSource, HasTheSamplesOfItsPartsByWeight) {
  std::vector<MixedPart> parts;
  parts.push_back({"a", toy(30, 3, 1), 0.7});
  parts.push_back({"b", toy(60, 3, 2), 0.3});
  const auto mixed = make_mixed_source(std::move(parts)).value();
  EXPECT_EQ(mixed->num_samples(Split::kTraining), 90U);
  EXPECT_EQ(mixed->num_samples(Split::kValidation), 10U);
  const std::size_t samples[] = {2, 29, 30, 89, 4};
  std::vector<float> x(15), y(15), a(3), b(3), ignored(3);
  const std::span<float> outputs[] = {x, y};
  ASSERT_TRUE(mixed->read(Split::kTraining, samples, outputs));
  const std::span<float> from_a[] = {a, ignored}, from_b[] = {b, ignored};
  const std::size_t second[] = {29}, fourth[] = {59};
  ASSERT_TRUE(toy(30, 3, 1)->read(Split::kTraining, second, from_a));
  ASSERT_TRUE(toy(60, 3, 2)->read(Split::kTraining, fourth, from_b));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(x[3 + i], a[i]);
    EXPECT_EQ(x[9 + i], b[i]);
  }
  ClassOrder order(sample_classes(*mixed, {}).value(), 10, 1);
  int from_first = 0;
  for (std::int64_t step = 0; step < 90; ++step) {
    for (const std::size_t sample : order.at(step, 0, 1).samples) from_first += sample < 30;
  }
  EXPECT_EQ(from_first, 630);  // 0.7 of 900, from a third of the samples.
}

TEST(MixedSource, RefusesWhatDoesNotFit) {
  const auto refusal = [](std::unique_ptr<BatchSource> other, double weight) {
    std::vector<MixedPart> parts;
    parts.push_back({"a", toy(10, 3, 1), 1});
    parts.push_back({"b", std::move(other), weight});
    const auto made = make_mixed_source(std::move(parts));
    return made ? std::string() : made.error().where.file + ": " + made.error().message;
  };
  EXPECT_EQ(refusal(toy(10, 3, 2), 1), "");
  EXPECT_EQ(refusal(toy(10, 3, 2), 0), "b: weight 0: must be above 0");
  EXPECT_EQ(refusal(toy(10, 4, 2), 1).rfind("b: has other fields or another layout than a", 0), 0U);
}

// Weights change the mean and the deviation: by hand, of two parts with their own.
TEST(MixedSource, StatisticsAreThoseOfTheMixture) {
  class Known final : public BatchSource {
   public:
    Known(float mean, float spread) : mean_(mean), spread_(spread) {}
    std::span<const Field> fields() const override { return fields_; }
    std::size_t num_samples(Split) const override { return 4; }
    Result<void> read(Split, std::span<const std::size_t>, std::span<const std::span<float>>) const override {
      return {};
    }
    std::vector<FieldStatistics> statistics() const override { return {{{mean_}, {spread_}}}; }

   private:
    std::vector<Field> fields_{{"x", 1, 1}};
    float mean_, spread_;
  };
  std::vector<MixedPart> parts;
  parts.push_back({"a", std::make_unique<Known>(1.0F, 2.0F), 3});
  parts.push_back({"b", std::make_unique<Known>(5.0F, 1.0F), 1});
  const auto statistics = make_mixed_source(std::move(parts)).value()->statistics();
  EXPECT_FLOAT_EQ(statistics[0].mean[0], 2);
  // 0.75 (4 + 1) + 0.25 (1 + 25) - 4 = 6.25
  EXPECT_FLOAT_EQ(statistics[0].spread[0], 2.5F);
}

}  // namespace
}  // namespace zoe::train
