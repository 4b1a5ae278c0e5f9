// SPDX-License-Identifier: MIT
// The table of controllers: goals nearby, sweeps over styles, and the text.
#include "zoe/eval/type_table.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>

#include "zoe/control/load.h"

namespace zoe::eval {
namespace {

TEST(TypeTable, HasACellForEveryColumn) {
  TypeRow plain, styled;
  plain.evaluation.subject = "one";
  plain.evaluation.type = "mm";
  plain.evaluation.metrics = {{"foot_skate_cm_s", {.mean = 6, .reference = 4}}, {"tick_us", {.mean = 12.345}}};
  styled = plain;
  styled.styles = {.num_styles = 3, .num_monotone = 2, .worst_skate_cm_s = 9};
  styled.frechet_ratio = 1.25;
  styled.near_goals = 0.5;
  const TypeRow rows[] = {plain, styled};
  std::istringstream lines(to_type_table(rows));
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  ASSERT_EQ(all.size(), 4U);
  for (const std::string& line : all)
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), std::count(all[0].begin(), all[0].end(), '|')) << line;
  EXPECT_NE(all[2].find("| 12.3 |"), std::string::npos);
  EXPECT_NE(all[2].find("| 1.50 |"), std::string::npos) << "a ratio to the source";
  EXPECT_NE(all[3].find("| 2 of 3 |"), std::string::npos);
  EXPECT_NE(all[3].find("| 50 |"), std::string::npos);
  EXPECT_NE(all[3].find("| 1.25 |"), std::string::npos);
}

TEST(TypeTable, GoalsNearbyNeedTime) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const auto walker =
      control::load_controller(std::filesystem::path(source != nullptr ? source : ".") / "models/walker");
  ASSERT_TRUE(walker) << walker.error().message;
  EXPECT_GT(near_goals_share(**walker, {.num_goals = 4}), 0);
  EXPECT_EQ(near_goals_share(**walker, {.num_goals = 4, .seconds = 0.1}), 0);
  EXPECT_EQ(near_goals_share(**walker, {.num_goals = 4, .distance_m = 40}), 0);
  EXPECT_EQ(sweep_styles(**walker, {}).num_styles, 0) << "it has none";
}

}  // namespace
}  // namespace zoe::eval
