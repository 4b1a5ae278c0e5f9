// SPDX-License-Identifier: MIT
#include "support/data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "zoe/features/tracks.h"
#include "zoe/store/safetensors.h"
#include "zoe/train/toy.h"
#include "zoe/train/track_source.h"

#include "train/epoch_order.h"

namespace zoe::train {
namespace {

TEST(EpochOrder, EverySampleOnceAnEpochAndAnotherOrderNext) {
  EpochOrder order(100, 10, 7);
  ASSERT_EQ(order.steps_per_epoch(), 10);
  std::vector<std::size_t> first, second;
  for (std::int64_t step = 0; step < 20; ++step) {
    const auto part = order.samples(step);
    (step < 10 ? first : second).insert((step < 10 ? first : second).end(), part.begin(), part.end());
  }
  EXPECT_NE(first, second);
  EXPECT_EQ(std::set<std::size_t>(first.begin(), first.end()).size(), 100U);
  EXPECT_EQ(std::set<std::size_t>(second.begin(), second.end()).size(), 100U);
  // Any step may be asked for first: that is what resuming needs.
  EpochOrder again(100, 10, 7);
  const auto part = again.samples(13);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), second.begin() + 30));
}

TEST(EpochOrder, RanksShareABatch) {
  EpochOrder order(64, 16, 1);
  const auto span = order.samples(5);
  const std::vector<std::size_t> whole(span.begin(), span.end());
  std::vector<std::size_t> shared;
  for (int rank = 0; rank < 4; ++rank) {
    const auto share = order.samples(5, rank, 4);
    shared.insert(shared.end(), share.begin(), share.end());
  }
  EXPECT_EQ(whole, shared);
}

TEST(EpochOrder, FewerSamplesThanABatchAreRepeated) {
  EpochOrder order(3, 8, 1);
  EXPECT_EQ(order.steps_per_epoch(), 1);
  const auto part = order.samples(0);
  EXPECT_EQ(part.size(), 8U);
  EXPECT_EQ(std::set<std::size_t>(part.begin(), part.end()).size(), 3U);
}

TEST(Toy, VectorIsTheFunctionItSays) {
  const auto source = make_toy_source({.kind = ToyKind::kVector, .width = 3});
  std::vector<float> x(6), y(6);
  const std::size_t samples[] = {4, 9};
  const std::span<float> outputs[] = {x, y};
  ASSERT_TRUE(source->read(Split::kTraining, samples, outputs));
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(y[3 * i + j], std::sin(1.5 * x[3 * i + j] + 0.7 * x[3 * i + (j + 1) % 3]), 1e-6);
    }
  }
  std::vector<float> other(6), other_y(6);
  const std::span<float> others[] = {other, other_y};
  ASSERT_TRUE(source->read(Split::kValidation, samples, others));
  EXPECT_NE(x, other);
}

// One column of a constant, one of 0, 1, 2, …
class Counting final : public BatchSource {
 public:
  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split) const override { return 3000; }
  Result<void> read(Split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      outputs[0][2 * i] = 5;
      outputs[0][2 * i + 1] =
          samples[i] == bad_sample ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(samples[i]);
    }
    return {};
  }
  std::size_t bad_sample = 1 << 30;

 private:
  std::vector<Field> fields_{{"x", 1, 2}};
};

TEST(Statistics, MeanAndSpreadOfColumns) {
  Counting source;
  const auto statistics = measure_statistics(source);
  ASSERT_TRUE(statistics);
  EXPECT_EQ((*statistics)[0].mean[0], 5.0F);
  EXPECT_EQ((*statistics)[0].spread[0], 1.0F);  // A constant column is not divided by nothing.
  EXPECT_NEAR((*statistics)[0].mean[1], 1499.5, 1e-3);
  EXPECT_NEAR((*statistics)[0].spread[1], std::sqrt((3000.0 * 3000 - 1) / 12), 1e-3);
}

TEST(Statistics, NamesTheNumberThatIsNone) {
  Counting source;
  source.bad_sample = 2017;
  const auto statistics = measure_statistics(source);
  ASSERT_FALSE(statistics);
  EXPECT_NE(statistics.error().message.find("field 'x', training sample 2017, step 0, column 1"), std::string::npos)
      << statistics.error().message;
}

// Frames are numbered; tracks of 3, 1 and 4 frames.
Result<std::unique_ptr<BatchSource>> numbered_tracks(const std::string& steps, std::vector<std::int32_t> lengths) {
  const auto folder = test::temporary_dir("tracks");
  const std::vector<float> x{0, 1, 2, 3, 4, 5, 6, 7};
  const NamedArray arrays[] = {{"x", view_of(x, {8, 1})}, {"track_lengths", view_of(lengths)}};
  EXPECT_TRUE(write_safetensors(folder / features::kTrackFile, arrays, {{"steps", steps}, {"layout", "l"}}));
  return open_track_source(folder);
}

TEST(Tracks, WindowsLieWithinTracks) {
  const auto source = numbered_tracks("2", {3, 1, 4}).value();
  ASSERT_EQ(source->num_samples(Split::kTraining), 5U);
  EXPECT_EQ(source->num_samples(Split::kValidation), 0U);
  EXPECT_EQ(source->fields()[0], (Field{"x", 2, 1}));
  EXPECT_EQ(source->metadata().at("layout"), "l");
  std::vector<float> windows(10);
  const std::size_t samples[] = {0, 1, 2, 3, 4};
  const std::span<float> outputs[] = {windows};
  ASSERT_TRUE(source->read(Split::kTraining, samples, outputs));
  EXPECT_EQ(windows, (std::vector<float>{0, 1, 1, 2, 4, 5, 5, 6, 6, 7}));
  EXPECT_NEAR(source->statistics()[0].mean[0], 3.5, 1e-6);
}

TEST(Tracks, RefusesLengthsAndStepsThatDoNotFit) {
  EXPECT_FALSE(numbered_tracks("2", {3, 1, 5}));
  EXPECT_FALSE(numbered_tracks("2", {9, -1}));
  EXPECT_FALSE(numbered_tracks("0", {8}));
  EXPECT_FALSE(numbered_tracks("two", {8}));
  EXPECT_EQ(numbered_tracks("9", {8}).value()->num_samples(Split::kTraining), 0U);
}

}  // namespace
}  // namespace zoe::train
