// SPDX-License-Identifier: MIT
// Against the formulas of the specification, worked out by hand.
#include "zoe/features/control_series.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace zoe::features {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

TEST(ControlSeries, ApproachesByRateAndSnapsWithinACentimetre) {
  // 1 - exp(-0.1 * 10) = 0.632121.
  EXPECT_NEAR(approach_by_rate({0, 0, 0}, {2, 0, 0}, 0.1, 10).x, 1.264241, 1e-5);
  EXPECT_EQ(approach_by_rate({0, 0, 0}, {2, 0, 0}, 0.1, 0), (Vec3{0, 0, 0})) << "rate 0 stays";
  // After the step 0.0074 m are left: it is there.
  EXPECT_EQ(approach_by_rate({1.98F, 0, 0}, {2, 0, 0}, 0.1, 10), (Vec3{2, 0, 0}));
  EXPECT_NE(approach_by_rate({1.97F, 0, 0}, {2, 0, 0}, 0.1, 10), (Vec3{2, 0, 0}));
  // 350 degrees and 10 degrees are 20 degrees apart.
  EXPECT_NEAR(approach_facing_by_rate(-kPi / 18, kPi / 18, 0.1, 10), -kPi / 18 + kPi / 9 * 0.632121F, 1e-5);
  EXPECT_NEAR(approach_facing_by_rate(0, kPi, 0.1, 10), kPi * 0.632121F, 1e-5) << "half a turn goes towards +X";
}

TEST(ControlSeries, OneTickByHand) {
  ControlSeries series = ControlSeries::standing({0, 0.5, 3}, {{1, 0, 2}, 0});
  series.control({1, 0, 2}, std::nullopt, {1, 0, 0}, 0.1, {.move_rate = 10, .turn_rate = 10});
  const double e = std::exp(-1.0);
  EXPECT_NEAR(series.velocities[0].x, 1 - e, 1e-6);
  EXPECT_NEAR(series.roots[0].position.x, 1 + 0.1 * (1 - e), 1e-6);
  EXPECT_NEAR(series.roots[0].position.z, 2, 1e-6);
  EXPECT_NEAR(series.roots[0].facing_rad, kPi / 2 * (1 - e), 1e-6) << "no facing given: along the velocity";
  // Sample 1: half the rate over the series' step of 0.25 s; half the way to the facing.
  const double v1 = 1 - e * std::exp(-0.25 * 5);
  EXPECT_NEAR(series.velocities[1].x, v1, 1e-6);
  EXPECT_NEAR(series.roots[1].position.x, 1 + 0.1 * (1 - e) + 0.25 * v1, 1e-6);
  EXPECT_NEAR(series.roots[1].facing_rad, kPi / 2 * (1 - e / 2), 1e-6);
  // Sample 2: whole rate; at the goal's facing. The velocity is 0.0087 short: it snaps.
  const double v2 = 1 - (1 - v1) * std::exp(-0.25 * 10);
  EXPECT_LT(1 - v2, 0.01);
  EXPECT_EQ(series.velocities[2].x, 1.0F);
  EXPECT_NEAR(series.roots[2].position.x, 1 + 0.1 * (1 - e) + 0.25 * v1 + 0.25, 1e-6);
  EXPECT_NEAR(series.roots[2].facing_rad, kPi / 2, 1e-6);
}

TEST(ControlSeries, FacingStaysWithoutGoalAndVelocity) {
  ControlSeries series = ControlSeries::standing({0, 0.5, 4}, {{0, 0, 0}, 0.7F});
  series.control({0, 0, 0}, std::nullopt, {0, 0, 0}, 0.1);
  for (const PlanarRoot& root : series.roots) EXPECT_EQ(root.facing_rad, 0.7F);
  series.control({0, 0, 0}, 0.2F, {0, 0, 1}, 10.0);
  EXPECT_NEAR(series.roots[3].facing_rad, 0.2F, 1e-6) << "a facing given wins over the velocity";
}

TEST(ControlSeries, SamplesBetween) {
  ControlSeries series = ControlSeries::standing({0, 1, 3}, {{0, 0, 0}, 3.0F});
  series.roots[1] = {{1, 0, 0}, -3.0F};
  series.velocities[1] = {2, 0, 0};
  EXPECT_NEAR(series.root_at(0.25).position.x, 0.5, 1e-6);
  EXPECT_NEAR(std::remainder(series.root_at(0.25).facing_rad - kPi, 2 * kPi), 0, 1e-6)
      << "the shorter way, over half a turn";
  EXPECT_NEAR(series.velocity_at(0.75).x, 1, 1e-6);
  EXPECT_EQ(series.root_at(9).position.x, 0);
  EXPECT_NEAR(series.length_m(), 2, 1e-6);
}

// velocity_i = sum over j >= i of offsets / sum of their times, then blended.
TEST(ControlSeries, CorrectionByHand) {
  const SampleTimes times{0, 0.5, 3};
  ControlSeries wanted = ControlSeries::standing(times, {}), predicted = wanted, out = wanted;
  for (int i = 0; i < 3; ++i) {
    wanted.roots[static_cast<std::size_t>(i)].position = {0, 0, 0.5F * static_cast<float>(i)};
    predicted.roots[static_cast<std::size_t>(i)].position = {0, 0, 0.3F * static_cast<float>(i)};
    predicted.velocities[static_cast<std::size_t>(i)] = {0, 0, 1};
  }
  correct(wanted, predicted, {{0, 0, 0}, 0}, 0.25F, out);
  // Positions 0, 0.45, 0.9 at 0, 0.25, 0.5 s.
  EXPECT_NEAR(out.roots[2].position.z, 0.9, 1e-6);
  EXPECT_NEAR(out.velocities[2].z, 0.75 * (0.9 / 0.5) + 0.25, 1e-6);
  EXPECT_NEAR(out.velocities[1].z, 0.75 * (1.35 / 0.75) + 0.25, 1e-6);
  EXPECT_NEAR(out.velocities[0].z, 0.75 * (1.35 / 0.75) + 0.25, 1e-6);
}

}  // namespace
}  // namespace zoe::features
