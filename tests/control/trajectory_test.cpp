// SPDX-License-Identifier: MIT
#include "zoe/control/trajectory.h"

#include <gtest/gtest.h>

namespace zoe::control {
namespace {

TEST(Trajectory, EqualsTheSpringIntegratedInSmallSteps) {
  TrajectoryPoint exact{{{1, 0, 2}, 0.3F}, {0.5F, 0, -1}, {2, 0, 1}, 0.4F};
  const Vec3 goal{1, 0, 1.5F};
  const double w = 1.67834699 / 0.2;
  Vec3d x = to_double(exact.root.position), v = to_double(exact.velocity_mps), a = to_double(exact.acceleration_mps2);
  constexpr int kSteps = 200000;
  const double dt = 0.5 / kSteps;
  for (int i = 0; i < kSteps; ++i) {  // v'' = -2 w v' - w² (v - goal), midpoint in time.
    const Vec3d change = a * (-2 * w) - (v - to_double(goal)) * (w * w);
    const Vec3d v_before = v;
    v = v + a * dt + change * (dt * dt / 2);
    a = a + change * dt;
    x = x + (v_before + v) * (dt / 2);
  }
  const TrajectoryPoint once = advance(exact, goal, {}, 0.5F);
  EXPECT_LT(length(to_double(once.root.position) - x), 1e-3);
  EXPECT_LT(length(to_double(once.velocity_mps) - v), 1e-3);
  // However the time is cut.
  for (int i = 0; i < 50; ++i) exact = advance(exact, goal, {}, 0.01F);
  EXPECT_LT(distance(exact.root.position, once.root.position), 1e-5F);
  EXPECT_LT(distance(exact.velocity_mps, once.velocity_mps), 1e-5F);
}

TEST(Trajectory, HalfOfAChangeIsDoneAfterTheHalfLife) {
  const TrajectoryPoint after = advance({}, {2, 0, 0}, 1.0F, 0.2F);
  EXPECT_NEAR(after.velocity_mps.x, 1.0F, 1e-4F);
  EXPECT_NEAR(after.root.facing_rad, 0.5F, 1e-4F);
}

TEST(Trajectory, TurnsTheShorterWayAndNotFasterThanAllowed) {
  TrajectoryPoint point;
  point.root.facing_rad = 3;
  EXPECT_GT(advance(point, {}, -3.0F, 0.1F).root.facing_rad, 3.0F);
  const TrajectoryPoint hard = advance({}, {}, 3.1F, 0.1F, {.facing_half_life_s = 1e-4F});
  EXPECT_LE(hard.root.facing_rad, 0.631F);
}

TEST(Trajectory, PredictionMeetsWishesThatChange) {
  Intent intent;
  intent.num_wanted = 2;
  intent.wanted[0] = {0, {0, 0, 2}, {}};
  intent.wanted[1] = {1, {2, 0, 0}, {}};
  auto series = features::ControlSeries::standing({0, 2, 9}, {});
  TrajectoryPoint now;
  now.velocity_mps = {0, 0, 2};
  predict(now, intent, series);
  EXPECT_EQ(series.roots[0].position, Vec3{});
  EXPECT_GT(series.velocities[2].z, series.velocities[2].x);
  EXPECT_NEAR(series.velocities[8].x, 2, 0.05F);
  EXPECT_NEAR(series.velocities[8].z, 0, 0.05F);
  EXPECT_NEAR(series.roots[8].facing_rad, 1.5708F, 0.1F);
}

TEST(RootCorrection, NeverSlidesAStandingCharacterAndNeverTeleports) {
  const PlanarRoot here{}, there{{1, 0, 0}, 2};
  const PlanarRoot standing = corrected(here, there, 0, 0, 1.0F / 60);
  EXPECT_EQ(standing.position, here.position);
  EXPECT_EQ(standing.facing_rad, 0);
  const PlanarRoot walking = corrected(here, there, 1.2F, 0.5F, 1.0F / 60);
  EXPECT_NEAR(walking.position.x, 0.6F / 60, 1e-6F);
  EXPECT_NEAR(walking.facing_rad, 0.25F / 60, 1e-6F);
  // Near the goal it is the half-life that counts.
  EXPECT_NEAR(corrected(here, {{0.01F, 0, 0}, 0}, 10, 10, 0.1F).position.x, 0.005F, 1e-5F);
}

TEST(Intent, IsTheSameSeenFromElsewhereAndBack) {
  Intent intent = Intent::move({1, 0, 2}, 0.7F);
  intent.goal = WantedPlace{{3, 0, 4}, 1.0F};
  const PlanarRoot place{{5, 0, -2}, 2.2F};
  const Intent inside = seen_from(place, intent);
  EXPECT_LT(distance(rotate(rotation_of(place), inside.velocity_at(0)), intent.velocity_at(0)), 1e-5F);
  EXPECT_LT(distance(place.position + rotate(rotation_of(place), inside.goal->position), {3, 0, 4}), 1e-5F);
  EXPECT_NEAR(wrapped(*inside.facing_at(0) + 2.2F), 0.7F, 1e-5F);
}

// A body whose data never walks backward or sideways, and turns in arcs.
TEST(Trajectory, LeadsNoBodyWhereItsDataNeverGoes) {
  const TrajectoryOptions free,
      bound{.max_turn_speed_rad_s = 1, .back_mps = 0.1F, .side_mps = 0.2F, .turning_mps = 0.3F};
  EXPECT_EQ(within_reach({0.5F, 0, -2}, 0.7F, 3.0F, free).z, -2) << "no limits: the same bits";
  // Faces +Z and shall go back and look back: it walks on along an arc.
  EXPECT_NEAR(within_reach({0, 0, -1}, 0, 3.1415926F, bound).z, 0.3F, 1e-5F);
  // Shall go back and look ahead: slowly backward.
  EXPECT_NEAR(within_reach({0, 0, -1}, 0, 0.0F, bound).z, -0.1F, 1e-5F);
  EXPECT_NEAR(within_reach({1, 0, 0}, 0, 0.0F, bound).x, 0.2F, 1e-5F);
  EXPECT_NEAR(within_reach({0, 0, 1}, 0, 0.0F, bound).z, 1, 1e-5F) << "ahead as desired";
  EXPECT_EQ(length(within_reach({}, 0, 2.0F, bound)), 0) << "a stand stays one";
  // The same seen from another facing.
  const Vec3 turned = within_reach({-1, 0, 0}, 1.5707963F, -1.5707963F, bound);
  EXPECT_NEAR(turned.x, 0.3F, 1e-5F);
  EXPECT_NEAR(turned.z, 0, 1e-5F);
  // In the end it goes where it shall, and meanwhile never faster backward than it can.
  TrajectoryPoint point{{{}, 0}, {0, 0, 1}, {}, 0};
  float most_back = 0;
  for (int i = 0; i < 300; ++i) {
    point = advance(point, {0, 0, -1}, 3.1415926F, 1.0F / 30, bound);
    const Vec3 own = rotate(conjugate(rotation_of(point.root)), point.velocity_mps);
    most_back = std::max(most_back, -own.z);
  }
  EXPECT_LT(most_back, 0.11F);
  EXPECT_NEAR(point.velocity_mps.z, -1, 1e-2F);
}

}  // namespace
}  // namespace zoe::control
