// SPDX-License-Identifier: MIT
// Who gives way to whom and by how much: each rule of avoidance and of detail levels alone.
#include "zoe/control/crowd/avoidance.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/control/crowd/detail.h"
#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"

#include "support/allocation.h"

namespace zoe::control {
namespace {

std::vector<Vec3> chosen(std::span<const Pedestrian> people, const AvoidanceOptions& options) {
  Avoidance avoidance(people.size(), options);
  std::vector<Vec3> velocities(people.size());
  ThreadPool pool(1);
  avoidance.run(people, velocities, pool);
  return velocities;
}
Pedestrian person(Vec3 position, Vec3 velocity) {
  return {.disc = {position, velocity, 0.3F}, .wanted_mps = velocity, .max_speed_mps = 2};
}

// The border of the half-plane: the nearest point of the truncated cone to the relative velocity, found by trying all.
TEST(HalfPlanes, BorderIsTheNearestRelativeVelocityThatJustMisses) {
  Random random(11);
  constexpr float kHorizon = 2;
  for (int i = 0; i < (zoe::test::kSanitized ? 4 : 24); ++i) {
    const MovingDisc me{{}, {random.uniform(-2, 2), 0, random.uniform(-2, 2)}, 0.3F};
    const float far = random.uniform(0.9F, 4), angle = random.uniform(0, 6.28F);
    const MovingDisc other{
        {far * std::sin(angle), 0, far * std::cos(angle)}, {random.uniform(-1, 1), 0, random.uniform(-1, 1)}, 0.5F};
    const Vec3 relative = me.velocity_mps - other.velocity_mps;
    // How near the discs come within the horizon, less their radii.
    const auto gap = [&](Vec3 v) {
      const float t = std::clamp(dot(other.position, v) / std::max(dot(v, v), 1e-9F), 0.0F, kHorizon);
      return length(other.position - v * t) - 0.8F;
    };
    float least = 1e9F;
    const bool collides = gap(relative) < 0;
    for (int k = 0; k < 720; ++k) {
      const Vec3 direction{std::sin(0.0087266F * static_cast<float>(k)), 0,
                           std::cos(0.0087266F * static_cast<float>(k))};
      for (float step = 0.004F; step < std::min(least, 4.0F); step += 0.004F) {
        if ((gap(relative + direction * step) < 0) != collides) {
          least = step;
          break;
        }
      }
    }
    if (least > 3.9F) continue;
    for (const float share : {0.5F, 1.0F}) {
      const HalfPlane plane = allowed_beside(me, other, share, {.horizon_s = kHorizon});
      EXPECT_NEAR(plane.depth(me.velocity_mps), (collides ? -least : least) * share, 0.01F) << i << " " << share;
      EXPECT_NEAR(length(plane.normal), 1, 1e-5F);
    }
  }
}

TEST(HalfPlanes, OverlappingDiscsPartInTheirTime) {
  const MovingDisc me{{}, {}, 0.3F}, other{{0, 0, 0.4F}, {}, 0.3F};
  const HalfPlane plane = allowed_beside(me, other, 1, {.horizon_s = 3, .separate_s = 0.5F});
  // 0.2 m in half a second, away from the other.
  EXPECT_NEAR(plane.normal.z, -1, 1e-5F);
  EXPECT_NEAR(plane.point.z, -0.4F, 1e-5F);
  const HalfPlane half = allowed_beside(me, other, 0.5F, {.separate_s = 0.5F});
  EXPECT_NEAR(half.point.z, -0.2F, 1e-5F);
  // Just touching counts as overlapping; at the same place one goes along z.
  EXPECT_NEAR(allowed_beside(me, {{0, 0, 0.6F}, {}, 0.3F}, 1).point.z, 0, 1e-5F);
  EXPECT_EQ(allowed_beside(me, {{}, {}, 0.3F}, 1).normal, (Vec3{0, 0, 1}));
}

TEST(Avoidance, WhoDoesNotYieldLeavesAllOfItToTheOther) {
  // Past each other at half a metre: each must go aside.
  std::vector<Pedestrian> people{person({}, {0, 0, 1}), person({0.3F, 0, 3}, {0, 0, -1})};
  const AvoidanceOptions options{.keep_right_rad = 0};
  const std::vector<Vec3> both = chosen(people, options);
  people[1].yields = false;
  const std::vector<Vec3> alone = chosen(people, options);
  EXPECT_EQ(alone[1], people[1].wanted_mps);
  const float shared = std::abs(both[0].x), whole = std::abs(alone[0].x);
  EXPECT_GT(shared, 0.01F);
  EXPECT_NEAR(whole, 2 * shared, 0.05F * whole);
}

TEST(Avoidance, KeepsToTheRightNearOthersByItsAngle) {
  // A neighbour far to the side that excludes nothing: only the turn is left.
  const std::vector<Pedestrian> people{person({}, {0, 0, 1}), person({5, 0, -3}, {0, 0, -1})};
  const Vec3 v = chosen(people, {.keep_right_rad = 0.2F})[0];
  EXPECT_NEAR(v.x, -std::sin(0.2F), 1e-5F);  // To the right of +z is -x.
  EXPECT_NEAR(v.z, std::cos(0.2F), 1e-5F);
  const std::vector<Pedestrian> sideways{person({}, {1, 0, 0}), person({-3, 0, 5}, {-1, 0, 0})};
  const Vec3 w = chosen(sideways, {.keep_right_rad = 0.2F})[0];
  EXPECT_NEAR(w.z, std::sin(0.2F), 1e-5F);
  EXPECT_NEAR(w.x, std::cos(0.2F), 1e-5F);
}

TEST(Avoidance, RadiiAreWidenedByTheMarginAndHeightsIgnored) {
  // Passing at 0.9 m, radii 0.3 m each: clear without a margin, not with 0.2 m each.
  std::vector<Pedestrian> people{person({}, {0, 0, 1}), person({0.9F, 0, 2}, {0, 0, -1})};
  EXPECT_LT(distance(chosen(people, {.margin_m = 0, .keep_right_rad = 0})[0], {0, 0, 1}), 1e-5F);
  const Vec3 wide = chosen(people, {.margin_m = 0.2F, .keep_right_rad = 0})[0];
  EXPECT_LT(wide.x, -0.005F);
  people[1].disc.position.y = 0.4F;
  people[1].disc.velocity_mps.y = 3;
  const Vec3 high = chosen(people, {.margin_m = 0.2F, .keep_right_rad = 0})[0];
  EXPECT_LT(distance(high, wide), 1e-5F);
}

TEST(Avoidance, TwoAtOnePlacePart) {
  const std::vector<Pedestrian> people{person({1, 0, 1}, {}), person({1, 0, 1}, {})};
  const std::vector<Vec3> v = chosen(people, {.keep_right_rad = 0});
  EXPECT_GT(distance(v[0], v[1]), 0.5F);
}

TEST(Overlaps, ArePairsNearerThanTheirRadii) {
  std::vector<MovingDisc> discs{{{0, 0, 0}, {}, 0.3F},
                                {{0.5F, 0, 0}, {}, 0.3F},
                                {{0, 0, 0.65F}, {}, 0.4F},
                                {{5, 0, 5}, {}, 0.01F},
                                {{5, 0, 5.03F}, {}, 0.01F}};
  NeighbourGrid grid(discs.size());
  std::vector<Vec3> scratch(discs.size());
  const Overlaps found = find_overlaps(discs, grid, scratch);
  EXPECT_EQ(found.pairs, 2);  // 0 with 1 by 0.1 m, 0 with 2 by 0.05 m; 1 and 2 are 0.82 m apart.
  EXPECT_NEAR(found.deepest_m, 0.1F, 1e-5F);
  discs[1].position.x = 0.6F;  // Just touching is no overlap.
  EXPECT_EQ(find_overlaps(discs, grid, scratch).pairs, 1);
  discs = {{{0, 0, 0}, {}, 0.0F}, {{0, 0, 0}, {}, 0.02F}};
  EXPECT_EQ(find_overlaps(discs, grid, scratch).pairs, 1);
}

TEST(DetailLevels, ChangeAtTheirBordersAndComeBackBelowTheSlack) {
  DetailLevels levels(1);
  DetailOptions options{.half_from_m = 10, .third_from_m = 20, .slack = 0.2F};
  const auto at = [&](float far) {
    const std::vector<Vec3> places{{0, 0, far}};
    levels.update(places, options);
    return levels.steps_an_answer(0);
  };
  EXPECT_EQ(at(9.99F), 1);
  EXPECT_EQ(at(10), 2);
  EXPECT_EQ(at(8.01F), 2) << "not nearer by a fifth";
  EXPECT_EQ(at(7.99F), 1);
  EXPECT_EQ(at(9.9F), 1);
  EXPECT_EQ(at(20), 3);
  EXPECT_EQ(at(16.01F), 3);
  EXPECT_EQ(at(15.99F), 2);
  EXPECT_EQ(at(19.9F), 2);
  options.eye = {0, 0, 19};
  EXPECT_EQ(at(19.9F), 1) << "from the eye";
}

TEST(DetailLevels, TheNearestHaveTheBudgetAndLevelsTakeTurns) {
  DetailLevels levels(6);
  const std::vector<Vec3> places{{5, 0, 0}, {3, 0, 0}, {1, 0, 0}, {4, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  levels.update(places, {.max_full = 2, .max_half = 3});
  const int expected[] = {3, 2, 1, 2, 1, 2};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(levels.steps_an_answer(i), expected[i]) << i;
  levels.update(places, {.max_full = 3, .max_half = 0});  // Equal distances: the earlier one.
  const int tied[] = {3, 1, 1, 3, 1, 3};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(levels.steps_an_answer(i), tied[i]) << i;
  levels.update(places, {.max_full = -1, .max_half = 0});
  for (std::size_t i = 0; i < 6; ++i) {
    int asked = 0;
    for (std::int64_t step = 0; step < 6; ++step) asked += levels.asks(i, step) ? 1 : 0;
    EXPECT_EQ(asked, 2) << i;
    EXPECT_TRUE(levels.asks(i, 6 - static_cast<std::int64_t>(i)));
  }
}

}  // namespace
}  // namespace zoe::control
