// SPDX-License-Identifier: MIT
#include "zoe/features/normalisation.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "features/turning_walker.h"
#include "support/data.h"

namespace zoe::features {
namespace {

Layout small_layout() {
  const Schema schema = Schema::parse(R"(
[input]
channels = ["joint parts=position,velocity joints=feet", "root.position times=0:1:2"]
[output]
channels = ["root.delta"]
)")
                            .value();
  return Layout::compile(schema, *test::walker_skeleton(), test::walker_analysis()).value();
}

// 10,000 rows around a large mean: where sums of squares in float would be noise.
std::vector<float> random_rows(int width, int rows) {
  std::mt19937 generator(3);
  std::normal_distribution<float> normal;
  std::vector<float> values;
  for (int i = 0; i < rows * width; ++i)
    values.push_back(1000.0F + static_cast<float>(i % width) * 0.01F * normal(generator));
  return values;
}

TEST(ColumnStatistics, AgreesWithTwoPasses) {
  constexpr int kWidth = 5, kRows = 10000;
  const std::vector<float> values = random_rows(kWidth, kRows);
  ColumnStatistics statistics(kWidth);
  statistics.add(values);
  const std::vector<double> deviations = statistics.deviations();
  for (std::size_t c = 0; c < kWidth; ++c) {
    double mean = 0, squares = 0;
    for (std::size_t r = 0; r < kRows; ++r) mean += static_cast<double>(values[r * kWidth + c]) / kRows;
    for (std::size_t r = 0; r < kRows; ++r)
      squares += std::pow(static_cast<double>(values[r * kWidth + c]) - mean, 2) / kRows;
    EXPECT_NEAR(statistics.means()[c], mean, 1e-8);
    EXPECT_NEAR(deviations[c], std::sqrt(squares), 1e-8);
  }
}

TEST(ColumnStatistics, PartsMergeToTheWhole) {
  const std::vector<float> values = random_rows(3, 1000);
  ColumnStatistics whole(3), a(3), b(3), none(3);
  whole.add(values);
  a.add(std::span(values).first(3 * 17));
  b.add(std::span(values).subspan(3 * 17));
  a.merge(none);
  a.merge(b);
  none.merge(none);
  EXPECT_EQ(a.count(), 1000);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(a.means()[c], whole.means()[c], 1e-9);
    EXPECT_NEAR(a.deviations()[c], whole.deviations()[c], 1e-9);
  }
}

TEST(Normalisation, GroupsShareASpreadAndWeightsDivideIt) {
  const Layout layout = small_layout();
  ASSERT_EQ(layout.width(BlockKind::kInput), 16);
  // Two joints, position and velocity alternating; then two times of (x, z).
  const std::vector<int> groups(layout.column_groups(BlockKind::kInput).begin(),
                                layout.column_groups(BlockKind::kInput).end());
  EXPECT_EQ(groups, (std::vector<int>{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2}));
  const auto turns = layout.column_groups(BlockKind::kOutput);
  EXPECT_EQ(std::vector<int>(turns.begin(), turns.end()), (std::vector<int>{0, 1, 0}))
      << "ways and turns have different units";

  // Rows +s and -s: the deviation of column c is c, so that group means can be seen.
  std::vector<float> rows;
  for (int c = 0; c < 16; ++c) rows.push_back(static_cast<float>(c));
  for (int c = 0; c < 16; ++c) rows.push_back(static_cast<float>(-c));
  ColumnStatistics statistics(16);
  statistics.add(rows);
  const BlockNormalisation plain = normalise(layout, BlockKind::kInput, statistics);
  EXPECT_EQ(plain.spreads[0], 1.0F) << "a column that does not move";
  EXPECT_EQ(plain.spreads[7], 7.0F);
  const BlockNormalisation grouped =
      normalise(layout, BlockKind::kInput, statistics,
                {.spread = NormalisationOptions::Spread::kGroup, .channel_weights = {0.5, 1}});
  EXPECT_NEAR(grouped.spreads[0], (0 + 1 + 2 + 6 + 7 + 8) / 6.0 / 0.5, 1e-6);
  EXPECT_NEAR(grouped.spreads[3], (3 + 4 + 5 + 9 + 10 + 11) / 6.0 / 0.5, 1e-6);
  EXPECT_NEAR(grouped.spreads[12], 13.5, 1e-6);

  std::vector<float> values = rows;
  grouped.apply(values);
  EXPECT_NEAR(values[13], 13 / 13.5, 1e-6);
  grouped.undo(values);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(values[i], rows[i], 1e-5);
}

TEST(Normalisation, FileKeepsItAndRefusesOtherLayouts) {
  const Layout layout = small_layout();
  Normalisation normalisation;
  ColumnStatistics input(16), output(3);
  input.add(random_rows(16, 50));
  output.add(random_rows(3, 50));
  normalisation.blocks[0] = normalise(layout, BlockKind::kInput, input);
  normalisation.blocks[1] = normalise(layout, BlockKind::kOutput, output);
  const auto path = test::temporary_dir("normalisation") / "n.safetensors";
  ASSERT_TRUE(save_normalisation(path, layout, normalisation));
  const auto again = load_normalisation(path, layout);
  ASSERT_TRUE(again) << again.error().format();
  EXPECT_EQ(again->blocks[0].means, normalisation.blocks[0].means);
  EXPECT_EQ(again->blocks[0].spreads, normalisation.blocks[0].spreads);
  EXPECT_EQ(again->blocks[1].means, normalisation.blocks[1].means);

  Schema other = Schema::preset("locomotion").value();
  other.contact_joints = {"feet"};
  const Layout other_layout = Layout::compile(other, *test::walker_skeleton(), test::walker_analysis()).value();
  EXPECT_NE(load_normalisation(path, other_layout).error().message.find("another layout"), std::string::npos);
  normalisation.blocks[1].spreads[1] = 0;
  ASSERT_TRUE(save_normalisation(path, layout, normalisation));
  EXPECT_NE(load_normalisation(path, layout).error().message.find("normalisation.output.spread holds 0"),
            std::string::npos);
}

}  // namespace
}  // namespace zoe::features
