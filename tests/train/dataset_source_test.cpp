// SPDX-License-Identifier: MIT
// A dataset folder as samples: fields of its layout, both splits, its own statistics, the numbers of its gatherer.
#include "zoe/train/dataset_source.h"

#include <cmath>

#include <gtest/gtest.h>

#include "dataset/figures.h"

namespace zoe::train {
namespace {

dataset::BuildOptions options_for(const std::string& name, int clips) {
  auto options = zoe::test::build_options(zoe::test::walk_folder(name, clips), zoe::test::temporary_dir(name + "_out"));
  options.mirror = true;
  options.split = {.validation = 0.3, .test = 0};
  return options;
}
const std::filesystem::path& folder() {
  static const std::filesystem::path kFolder = [] {
    const dataset::BuildOptions options = options_for("train_dataset", 8);
    EXPECT_TRUE(dataset::build(options));
    return options.output;
  }();
  return kFolder;
}

TEST(DatasetSource, HasTheFieldsOfTheLayout) {
  Warnings warnings;
  const auto source = open_dataset_source(folder(), warnings).value();
  EXPECT_TRUE(warnings.empty());
  const auto data = dataset::Dataset::open(folder()).value();
  const features::Layout& layout = data->groups()[0].layout;
  ASSERT_GE(source->fields().size(), 2U);
  EXPECT_EQ(source->fields()[0],
            (Field{"x", layout.steps(features::BlockKind::kInput), layout.width(features::BlockKind::kInput)}));
  EXPECT_EQ(source->fields()[1],
            (Field{"y", layout.steps(features::BlockKind::kOutput), layout.width(features::BlockKind::kOutput)}));
  EXPECT_GT(source->num_samples(Split::kTraining), source->num_samples(Split::kValidation));
  EXPECT_GT(source->num_samples(Split::kValidation), 0U);
  EXPECT_EQ(source->metadata().at("licence"), "unknown");
  EXPECT_FALSE(source->metadata().at("layout").empty());
}

TEST(DatasetSource, NumbersAreFiniteAndTheSameInAnyBatch) {
  Warnings warnings;
  const auto source = open_dataset_source(folder(), warnings).value();
  const auto read = [&](const std::vector<std::size_t>& samples) {
    std::vector<std::vector<float>> values;
    for (const Field& field : source->fields()) values.emplace_back(field.size() * samples.size());
    const std::vector<std::span<float>> outputs(values.begin(), values.end());
    EXPECT_TRUE(source->read(Split::kTraining, samples, outputs));
    return values;
  };
  std::vector<std::size_t> many;  // So many that threads share them.
  for (std::size_t i = 0; i < 300; ++i) many.push_back(i * 7 % source->num_samples(Split::kTraining));
  const auto together = read(many);
  for (const std::size_t i : {0, 1, 137, 299}) {
    const auto alone = read({many[i]});
    for (std::size_t f = 0; f < alone.size(); ++f) {
      for (std::size_t k = 0; k < alone[f].size(); ++k) {
        ASSERT_TRUE(std::isfinite(alone[f][k]));
        ASSERT_EQ(alone[f][k], together[f][i * alone[f].size() + k]) << f << ", " << k;
      }
    }
  }
}

// The dataset's normalisation is that of its training split, mirrored copies included.
TEST(DatasetSource, StatisticsAreThoseOfTheSamples) {
  Warnings warnings;
  const auto source = open_dataset_source(folder(), warnings).value();
  const std::vector<FieldStatistics> known = measure_statistics(*source).value();
  ASSERT_EQ(known.size(), source->fields().size());
  const Field& field = source->fields()[0];
  ASSERT_EQ(known[0].mean.size(), static_cast<std::size_t>(field.width));
  for (const float spread : known[0].spread) EXPECT_GT(spread, 0);
  const std::size_t count = source->num_samples(Split::kTraining);
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  std::vector<std::vector<float>> values;
  for (const Field& f : source->fields()) values.emplace_back(f.size() * count);
  const std::vector<std::span<float>> outputs(values.begin(), values.end());
  ASSERT_TRUE(source->read(Split::kTraining, all, outputs));
  for (std::size_t column = 0; column < static_cast<std::size_t>(field.width); ++column) {
    double sum = 0;
    std::size_t rows = 0;
    for (std::size_t i = column; i < values[0].size(); i += static_cast<std::size_t>(field.width), ++rows)
      sum += values[0][i];
    EXPECT_NEAR(known[0].mean[column], sum / static_cast<double>(rows), 0.1 * known[0].spread[column] + 1e-3) << column;
  }
}

TEST(DatasetSource, SaysWhatIsNotThere) {
  Warnings warnings;
  const auto empty = zoe::test::temporary_dir("train_no_dataset");
  const auto none = open_dataset_source(empty, warnings);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kUsage);
  EXPECT_NE(none.error().message.find("zoe dataset build"), std::string::npos);
  dataset::BuildOptions options = options_for("train_no_validation", 3);
  options.split = {.validation = 0, .test = 0};
  ASSERT_TRUE(dataset::build(options));
  const auto source = open_dataset_source(options.output, warnings).value();
  EXPECT_EQ(source->num_samples(Split::kValidation), 0U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].message.find("no validation samples"), std::string::npos);
}

}  // namespace
}  // namespace zoe::train
