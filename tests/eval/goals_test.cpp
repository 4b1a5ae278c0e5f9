// SPDX-License-Identifier: MIT
// Goal tasks: drawn tasks are fair, and a controller that cannot move fails them.
#include "zoe/eval/goals.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "zoe/control/load.h"
#include "zoe/control/plan_path.h"

namespace zoe::eval {
namespace {

TEST(Goals, DrawnTasksAreFair) {
  int blocked = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const GoalTask task = draw_avoid_task(seed);
    EXPECT_GT(control::floor_clearance(task.props, 0, 0), 0.4F) << seed;
    EXPECT_GT(control::floor_clearance(task.props, task.goal.x, task.goal.z), 0.4F) << seed;
    float least = 10;
    for (int k = 0; k <= 100; ++k) {
      const Vec3 p = task.goal * (static_cast<float>(k) / 100);
      least = std::min(least, control::floor_clearance(task.props, p.x, p.z));
    }
    blocked += least < 0 ? 1 : 0;
  }
  EXPECT_GE(blocked, 85);
}

TEST(Goals, WalkerGoesAround) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const auto walker =
      control::load_controller(std::filesystem::path(source != nullptr ? source : ".") / "models/walker");
  ASSERT_TRUE(walker) << walker.error().message;
  const GoalReport report = measure_goals(**walker, {.num_tasks = 4, .seed = 11});
  ASSERT_EQ(report.results.size(), 4U);
  for (const GoalResult& result : report.results) {
    EXPECT_TRUE(result.planned) << result.seed;
    EXPECT_LT(result.distance_m, 0.4F) << result.seed;
    EXPECT_GT(result.walked_m, 0.7F * result.planned_m) << result.seed;
    EXPECT_EQ(result.num_recoveries, 0);
  }
  EXPECT_GT(report.foot_skate_cm_s, 0);
  // No time: nothing is reached.
  const GoalReport late = measure_goals(**walker, {.num_tasks = 2, .seed = 11, .seconds = 0.5});
  EXPECT_EQ(late.reached_share(), 0);
}

}  // namespace
}  // namespace zoe::eval
