// SPDX-License-Identifier: MIT
// Paths keep their distance from props, are not much longer than needed, and bad requests are handled and said.
#include "zoe/control/plan_path.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe::control {
namespace {

float least_clearance(const PathPlan& plan, std::span<const Prop> props, const PlanOptions& options) {
  float least = std::numeric_limits<float>::max();
  for (std::size_t i = 0; i + 1 < plan.points.size(); ++i)
    for (int k = 0; k <= 100; ++k) {
      const Vec3 p = lerp(plan.points[i], plan.points[i + 1], static_cast<float>(k) / 100);
      least = std::min(least, floor_clearance(props, p.x, p.z, options));
    }
  return least;
}

TEST(PlanPath, IsStraightWhereNothingIsInTheWay) {
  const Prop props[] = {make_obstacle({1, 1, 1}, {3, 0, 3})};
  const PathPlan plan = plan_path({0, 0, 0}, {0, 0, 5}, props);
  ASSERT_EQ(plan.points.size(), 2U);
  EXPECT_TRUE(plan.reaches);
  EXPECT_NEAR(plan.length_m, 5, 1e-4F);
  EXPECT_TRUE(plan.note.empty());
}

TEST(PlanPath, KeepsItsDistanceAmongRandomProps) {
  int reached = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    std::vector<Prop> props;
    for (int i = 0; i < 6; ++i)
      props.push_back(make_obstacle({random.uniform(0.3F, 1.5F), 1, random.uniform(0.3F, 1.5F)},
                                    {random.uniform(-2.5F, 2.5F), 0, random.uniform(1, 6)}, random.uniform(-3, 3)));
    const PlanOptions options;
    const PathPlan plan = plan_path({0, 0, -1}, {0.2F, 0, 7.5F}, props, options);
    EXPECT_GE(least_clearance(plan, props, options), options.radius_m - 0.01F) << seed;
    EXPECT_TRUE(plan.reaches) << seed;
    EXPECT_LT(plan.length_m, 15) << seed;
    reached += plan.reaches ? 1 : 0;
  }
  EXPECT_GE(reached, 38);
}

TEST(PlanPath, GoesAroundAWallByTheShorterEnd) {
  const Prop props[] = {make_obstacle({4, 2, 0.2F}, {0.5F, 0, 2})};  // From x = -1.5 to 2.5.
  const PathPlan plan = plan_path({0, 0, 0}, {0, 0, 4}, props);
  ASSERT_TRUE(plan.reaches);
  float left = 0;
  for (const Vec3& p : plan.points) left = std::min(left, p.x);
  EXPECT_LT(left, -1.75F);
  // Over the corners at the character's radius: 2 * hypot(1.8, 2) at least, 12 % for the grid.
  EXPECT_LT(plan.length_m, 1.12F * 2 * std::hypot(1.8F, 2.0F));
}

TEST(PlanPath, PassesOverLowAndBelowHighProps) {
  const Prop low[] = {make_obstacle({4, 0.05F, 1}, {0, 0, 2})}, high[] = {make_obstacle({4, 1, 1}, {0, 2.2F, 2})};
  EXPECT_EQ(plan_path({0, 0, 0}, {0, 0, 4}, low).points.size(), 2U);
  EXPECT_EQ(plan_path({0, 0, 0}, {0, 0, 4}, high).points.size(), 2U);
}

TEST(PlanPath, GoalsInPropsEndBesideThem) {
  const Prop props[] = {make_obstacle({1, 1, 1}, {0, 0, 3})};
  const PathPlan plan = plan_path({0, 0, 0}, {0.1F, 0, 2.9F}, props);
  EXPECT_FALSE(plan.reaches);
  EXPECT_NE(plan.note.find("inside a prop"), std::string::npos) << plan.note;
  EXPECT_GE(floor_clearance(props, plan.points.back().x, plan.points.back().z), 0.29F);
  EXPECT_LT(distance(plan.points.back(), {0.1F, 0, 2.9F}), 1.1F);
  // The prop that is used is no obstacle.
  EXPECT_TRUE(plan_path({0, 0, 0}, {0.1F, 0, 2.9F}, props, {.ignored = &props[0]}).reaches);
}

TEST(PlanPath, StartsInPropsLeaveThemFirst) {
  const Prop props[] = {make_obstacle({1, 1, 1}, {0, 0, 0})};
  const PathPlan plan = plan_path({0.2F, 0, 0.1F}, {0, 0, 4}, props);
  EXPECT_TRUE(plan.reaches);
  EXPECT_NE(plan.note.find("leaves it"), std::string::npos) << plan.note;
  ASSERT_GE(plan.points.size(), 3U);
  EXPECT_GE(floor_clearance(props, plan.points[1].x, plan.points[1].z), 0.29F);
}

TEST(PlanPath, SaysWhereNoPathLeads) {
  // A closed room.
  const Prop room[] = {make_obstacle({4, 2, 0.2F}, {0, 0, 3}), make_obstacle({4, 2, 0.2F}, {0, 0, 7}),
                       make_obstacle({0.2F, 2, 4.2F}, {-2, 0, 5}), make_obstacle({0.2F, 2, 4.2F}, {2, 0, 5})};
  const PathPlan plan = plan_path({0, 0, 0}, {0, 0, 5}, room);
  EXPECT_FALSE(plan.reaches);
  EXPECT_NE(plan.note.find("no path"), std::string::npos) << plan.note;
  EXPECT_GE(least_clearance(plan, room, {}), 0.29F);
}

TEST(PlanPath, SurvivesBadNumbers) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Prop props[] = {make_obstacle({1, 1, 1}, {0, 0, 3})};
  EXPECT_FALSE(plan_path({0, 0, 0}, {nan, 0, 3}, props).note.empty());
  EXPECT_EQ(plan_path({nan, 0, 0}, {0, 0, 1}, props).points.front().x, 0);
  EXPECT_FALSE(plan_path({0, 0, 0}, {1e9F, 0, 3}, props).note.empty());
  EXPECT_TRUE(plan_path({0, 0, 0}, {0, 0, 1}, {}).reaches);
}

TEST(FollowPlan, LeadsAPointToTheGoal) {
  const Prop props[] = {make_obstacle({1.5F, 1, 0.5F}, {0, 0, 2})};
  const PathPlan plan = plan_path({0, 0, 0}, {0, 0, 4}, props);
  const auto source = follow_plan(plan, {{0, 0, 4}, 1.0F});
  // A point that moves as desired.
  PlanarRoot root{};
  float least = 10;
  for (int i = 0; i < 600; ++i) {
    const Intent intent = source->next(root, 1.0 / 60);
    root.position += intent.velocity_at(0) * (1.0F / 60);
    if (intent.wanted[0].facing_rad) root.facing_rad = *intent.wanted[0].facing_rad;
    least = std::min(least, floor_clearance(props, root.position.x, root.position.z));
  }
  EXPECT_LT(distance(root.position, {0, 0, 4}), 0.06F);
  EXPECT_EQ(root.facing_rad, 1.0F);
  EXPECT_GT(least, 0.15F);
}

// A body that walks as it turns passes the first half metre of its path. It must not be sent back there.
TEST(FollowPlan, TheFirstTurnDoesNotTurnBack) {
  const PathPlan plan = plan_path({0, 0, 0}, {0, 0, 4}, {});
  const auto source = follow_plan(plan, {{0, 0, 4}, 0.0F});
  PlanarRoot root{{}, 2.0F};  // It looks aside, and walks along the path all the same.
  for (int i = 0; i < 60; ++i) {
    const Intent intent = source->next(root, 1.0 / 60);
    ASSERT_TRUE(intent.wanted[0].facing_rad.has_value());
    EXPECT_NEAR(*intent.wanted[0].facing_rad, 0, 0.2F) << i;
    root.position.z += 0.02F;
  }
}

}  // namespace
}  // namespace zoe::control
