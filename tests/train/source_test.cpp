// SPDX-License-Identifier: MIT
// What trainers ask of any source: statistics, finite numbers, and windows of tracks.
#include <cmath>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/features/tracks.h"
#include "zoe/store/safetensors.h"
#include "zoe/train/batch_source.h"
#include "zoe/train/track_source.h"

#include "support/data.h"
#include "support/mutate.h"
#include "train/finite.h"

namespace zoe::train {
namespace {

// Values by a function of (sample, position), any fields.
class FunctionSource final : public BatchSource {
 public:
  using Function = float (*)(std::size_t sample, std::size_t at);
  FunctionSource(std::vector<Field> fields, std::size_t count, Function f)
      : fields_(std::move(fields)), count_(count), f_(f) {}
  std::span<const Field> fields() const override { return fields_; }
  std::size_t num_samples(Split) const override { return count_; }
  Result<void> read(Split, std::span<const std::size_t> samples,
                    std::span<const std::span<float>> outputs) const override {
    if (fails) return Error{ErrorCode::kIo, "the disk is gone"};
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      for (std::size_t i = 0; i < samples.size(); ++i) {
        for (std::size_t k = 0; k < fields_[f].size(); ++k) outputs[f][i * fields_[f].size() + k] = f_(samples[i], k);
      }
    }
    return {};
  }
  std::vector<FieldStatistics> statistics() const override { return known; }
  bool fails = false;
  std::vector<FieldStatistics> known;

 private:
  std::vector<Field> fields_;
  std::size_t count_;
  Function f_;
};

TEST(SourceStatistics, AreThoseOfAllStepsOfAllSamples) {
  // Columns of two steps: (s, 2 s) and (s + 1, 2 s + 2).
  const FunctionSource source({{"a", 2, 2}}, 2500, [](std::size_t sample, std::size_t at) {
    const auto s = static_cast<float>(sample + at / 2);
    return at % 2 == 0 ? s : 2 * s;
  });
  const FieldStatistics found = measure_statistics(source).value().at(0);
  // Uniform on 0 … n - 1 and on 1 … n, together.
  const double n = 2500, mean = n / 2, variance = (n * n - 1) / 12 + 0.25;
  EXPECT_NEAR(found.mean[0], mean, 1e-2);
  EXPECT_NEAR(found.mean[1], 2 * mean, 2e-2);
  EXPECT_NEAR(found.spread[0], std::sqrt(variance), 1e-2);
  EXPECT_NEAR(found.spread[1], 2 * std::sqrt(variance), 2e-2);
}

TEST(SourceStatistics, HardlyAnySpreadIsOne) {
  const FunctionSource source({{"a", 1, 1}}, 100,
                              [](std::size_t sample, std::size_t) { return sample % 2 == 0 ? 3.0F : 3.0005F; });
  EXPECT_EQ(measure_statistics(source).value()[0].spread[0], 1);
  const FunctionSource wider({{"a", 1, 1}}, 100,
                             [](std::size_t sample, std::size_t) { return sample % 2 == 0 ? 3.0F : 3.01F; });
  EXPECT_NEAR(measure_statistics(wider).value()[0].spread[0], 0.005, 1e-4);
}

TEST(SourceStatistics, OfTheSourceItselfAreTaken) {
  FunctionSource source({{"a", 1, 1}}, 100, [](std::size_t, std::size_t) { return NAN; });
  source.known = {{{7}, {2}}};
  EXPECT_EQ(measure_statistics(source).value()[0].mean[0], 7);
}

TEST(SourceStatistics, ErrorsOfTheSourceComeThrough) {
  FunctionSource source({{"a", 1, 1}}, 100, [](std::size_t, std::size_t) { return 1.0F; });
  source.fails = true;
  EXPECT_EQ(measure_statistics(source).error().message, "the disk is gone");
}

TEST(Finite, NamesFieldSampleStepAndColumn) {
  const Field field{"pose", 3, 4};
  std::vector<float> values(2 * 12, 1.0F);
  const std::size_t samples[] = {40, 99};
  EXPECT_TRUE(check_finite(field, Split::kTraining, samples, values));
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    for (std::size_t at = 0; at < values.size(); ++at) {
      values[at] = bad;
      const auto checked = check_finite(field, Split::kValidation, samples, values);
      ASSERT_FALSE(checked);
      const std::string expected = "field 'pose', validation sample " + std::to_string(samples[at / 12]) + ", step " +
                                   std::to_string(at % 12 / 4) + ", column " + std::to_string(at % 4) + ":";
      EXPECT_EQ(checked.error().message.rfind(expected, 0), 0U) << checked.error().message;
      EXPECT_EQ(checked.error().code, ErrorCode::kInvalid);
      values[at] = 1;
    }
  }
  // Large, small and denormal numbers are numbers.
  values[0] = std::numeric_limits<float>::max(), values[1] = std::numeric_limits<float>::denorm_min(),
  values[2] = -0.0F;
  EXPECT_TRUE(check_finite(field, Split::kTraining, samples, values));
}

TEST(Splits, HaveNames) {
  EXPECT_STREQ(to_string(Split::kTraining), "training");
  EXPECT_STREQ(to_string(Split::kValidation), "validation");
}

// Frame f has the numbers f and 100 + f; "b" has f alone.
std::filesystem::path track_folder(const std::string& name, const std::vector<std::int32_t>& lengths, Metadata words,
                                   const char* field = "a") {
  const auto folder = test::temporary_dir(name);
  std::size_t frames = 0;
  for (const std::int32_t length : lengths) frames += static_cast<std::size_t>(std::max(length, 0));
  std::vector<float> a, b;
  for (std::size_t f = 0; f < frames; ++f) {
    a.insert(a.end(), {static_cast<float>(f), static_cast<float>(100 + f)});
    b.push_back(static_cast<float>(f));
  }
  const NamedArray arrays[] = {
      {field, view_of(a, {frames, 2})}, {"b", view_of(b, {frames, 1})}, {"track_lengths", view_of(lengths)}};
  EXPECT_TRUE(write_safetensors(folder / features::kTrackFile, arrays, words));
  return folder;
}

TEST(TrackFile, EveryWindowOfEveryTrackOnce) {
  const std::vector<std::int32_t> lengths{5, 2, 0, 7, 3};
  for (const int steps : {1, 2, 3, 4, 7}) {
    const auto source =
        open_track_source(track_folder("tracks_all", lengths, {{"steps", std::to_string(steps)}})).value();
    std::vector<std::size_t> starts;  // First frames of the windows that fit.
    std::size_t frame = 0;
    for (const std::int32_t length : lengths) {
      for (int k = 0; k + steps <= length; ++k) starts.push_back(frame + static_cast<std::size_t>(k));
      frame += static_cast<std::size_t>(length);
    }
    ASSERT_EQ(source->num_samples(Split::kTraining), starts.size()) << steps;
    const auto n = static_cast<std::size_t>(steps);
    std::vector<float> a(2 * n), b(n);
    const std::span<float> outputs[] = {a, b};
    for (std::size_t i = 0; i < starts.size(); ++i) {
      ASSERT_TRUE(source->read(Split::kTraining, {&i, 1}, outputs));
      for (std::size_t s = 0; s < n; ++s) {
        EXPECT_EQ(b[s], static_cast<float>(starts[i] + s));
        EXPECT_EQ(a[2 * s + 1], static_cast<float>(100 + starts[i] + s));
      }
    }
  }
}

TEST(TrackFile, WordsComeAlongButTheWindow) {
  const auto source =
      open_track_source(track_folder("tracks_words", {4}, {{"steps", "2"}, {"licence", "CC0"}})).value();
  EXPECT_EQ(source->metadata(), (Metadata{{"licence", "CC0"}}));
  EXPECT_EQ(source->statistics().size(), 2U);
  EXPECT_NEAR(source->statistics()[1].mean[0], 1.5, 1e-6);
}

TEST(TrackFile, SaysWhatIsWrong) {
  const auto message = [](const std::filesystem::path& folder) {
    const auto source = open_track_source(folder);
    return source ? "" : source.error().message;
  };
  const std::string prefix = std::string(features::kTrackFile) + ": ";
  EXPECT_EQ(message(track_folder("tracks_bad", {4}, {})), prefix + "'steps' must be 1 to 4096");
  EXPECT_EQ(message(track_folder("tracks_bad", {4}, {{"steps", "4097"}})), prefix + "'steps' must be 1 to 4096");
  EXPECT_EQ(message(track_folder("tracks_bad", {4, -1}, {{"steps", "2"}})), prefix + "a track's length is absurd");
  EXPECT_NE(message(test::temporary_dir("tracks_none")), "");
}

TEST(TrackFile, SurvivesDamage) {
  const auto folder = track_folder("tracks_damage", {6, 6}, {{"steps", "3"}});
  std::ifstream file(folder / features::kTrackFile, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto other = test::temporary_dir("tracks_damaged");
  test::expect_survives_damage("tracks", std::as_bytes(std::span(bytes)),
                               [&](std::span<const std::byte> damaged) {
                                 std::ofstream(other / features::kTrackFile, std::ios::binary)
                                     .write(reinterpret_cast<const char*>(damaged.data()),
                                            static_cast<std::streamsize>(damaged.size()));
                                 const auto source = open_track_source(other);
                                 if (source) (void)(*source)->num_samples(Split::kTraining);
                               },
                               {.flips = 300});
}

}  // namespace
}  // namespace zoe::train
