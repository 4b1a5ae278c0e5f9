// SPDX-License-Identifier: MIT
// Intents between their moments and made safe; the sources that produce them, by their formulas.
#include "zoe/control/intent.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/control/motion_range.h"
#include "zoe/control/sources.h"
#include "zoe/control/style_range.h"
#include "zoe/control/trajectory.h"

namespace zoe::control {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

TEST(IntentTimes, VelocitiesAndFacingsAreInterpolated) {
  Intent intent;
  intent.num_wanted = 3;
  intent.wanted[0] = {0, {1, 0, 0}, 0.5F};
  intent.wanted[1] = {1, {3, 0, 2}, {}};
  intent.wanted[2] = {2, {0, 0, 0}, -3.0F};
  EXPECT_EQ(intent.velocity_at(-1), (Vec3{1, 0, 0}));
  EXPECT_LT(distance(intent.velocity_at(0.25F), {1.5F, 0, 0.5F}), 1e-6F);
  EXPECT_EQ(intent.velocity_at(1), (Vec3{3, 0, 2}));
  EXPECT_LT(distance(intent.velocity_at(1.5F), {1.5F, 0, 1}), 1e-6F);
  EXPECT_EQ(intent.velocity_at(9), Vec3{});
  const float along = std::atan2(3.0F, 2.0F);  // Where no facing is set: along the velocity.
  EXPECT_NEAR(*intent.facing_at(-1), 0.5F, 1e-6F);
  EXPECT_NEAR(*intent.facing_at(0.5F), 0.5F + (along - 0.5F) / 2, 1e-6F);
  EXPECT_NEAR(*intent.facing_at(1), along, 1e-6F);
  const float way = std::remainder(-3.0F - along, 6.2831853F);  // The shorter way.
  EXPECT_NEAR(*intent.facing_at(1.25F), along + way / 4, 1e-5F);
  EXPECT_NEAR(*intent.facing_at(5), -3, 1e-6F);
  // A slow character keeps its facing: from five centimetres a second on it has one.
  EXPECT_FALSE(Intent::move({0.049F, 0, 0}).facing_at(0).has_value());
  EXPECT_TRUE(Intent::move({0.051F, 0, 0}).facing_at(0).has_value());
  intent.wanted[0] = {0, {}, {}};
  EXPECT_NEAR(*intent.facing_at(0.5F), along, 1e-6F) << "one of two is enough";
  intent.wanted[1] = {1, {}, {}};
  EXPECT_FALSE(intent.facing_at(0.5F).has_value());
}

TEST(IntentSanitised, EveryFieldAloneBecomesSafe) {
  Intent wild = Intent::move({kNan, 5, 3}, kInf);
  Intent safe = sanitised(wild);
  EXPECT_EQ(safe.wanted[0].velocity_mps, (Vec3{0, 0, 3}));
  EXPECT_FALSE(safe.wanted[0].facing_rad.has_value());
  wild = Intent::move({-kInf, 0, 1e30F}, 7.0F);
  safe = sanitised(wild);
  EXPECT_NEAR(length(safe.wanted[0].velocity_mps), 12, 1e-4F);
  EXPECT_NEAR(safe.wanted[0].velocity_mps.x, -safe.wanted[0].velocity_mps.z, 1e-3F) << "both were cut alike";
  EXPECT_NEAR(*safe.wanted[0].facing_rad, 7 - 6.2831853F, 1e-5F);
  EXPECT_EQ(sanitised(Intent::move({3, 0, 4})).wanted[0].velocity_mps, (Vec3{3, 0, 4})) << "below the limit it stays";
  EXPECT_NEAR(length(sanitised(Intent::move({3, 0, 4}), {.max_speed_mps = 2.5F}).wanted[0].velocity_mps), 2.5F, 1e-5F);

  wild = {};
  wild.num_wanted = 5;
  const float times[] = {3, 2, kNan, 1, 100};
  for (std::size_t i = 0; i < 5; ++i) wild.wanted[i].time_s = times[i];
  safe = sanitised(wild);
  const float expected[] = {0, 2, 2, 2, 60};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(safe.wanted[i].time_s, expected[i]) << i;
  wild.num_wanted = 0;
  EXPECT_EQ(sanitised(wild).num_wanted, 1);
  wild.num_wanted = 99;
  EXPECT_EQ(sanitised(wild).num_wanted, kMaxWanted);

  wild = {};
  wild.styles[0] = kNan, wild.styles[1] = 3, wild.styles[2] = -5, wild.styles[3] = 0.25F;
  wild.actions[0] = kInf, wild.actions[1] = 0.5F;
  safe = sanitised(wild);
  EXPECT_EQ(safe.styles[0], 0);
  EXPECT_EQ(safe.styles[1], kMostStyle);
  EXPECT_EQ(safe.styles[2], kLeastStyle);
  EXPECT_EQ(safe.styles[3], 0.25F);
  EXPECT_EQ(safe.actions[0], 0);
  EXPECT_EQ(safe.actions[1], 0.5F);

  wild.gait = static_cast<Gait>(77);
  EXPECT_EQ(sanitised(wild).gait, Gait::kAuto);
  wild.gait = Gait::kCrouch;
  EXPECT_EQ(sanitised(wild).gait, Gait::kCrouch) << "the last one is a gait";
  wild.goal = WantedPlace{{2e5F, -3e5F, 7}, kNan};
  safe = sanitised(wild);
  EXPECT_EQ(safe.goal->position, (Vec3{1e5F, -1e5F, 7}));
  EXPECT_FALSE(safe.goal->facing_rad.has_value());
  wild.goal->position.z = kInf;
  EXPECT_FALSE(sanitised(wild).goal.has_value());
}

TEST(IntentSanitised, AnglesAreWrapped) {
  EXPECT_NEAR(wrapped(3.2F), 3.2F - 6.2831853F, 1e-5F);
  EXPECT_NEAR(wrapped(-3.2F), 6.2831853F - 3.2F, 1e-5F);
  EXPECT_EQ(wrapped(3.1F), 3.1F);
}

TEST(Sticks, FollowTheDeadZoneAndTheRange) {
  const MotionRange range = MotionRange::measured(1.2F);
  const auto speed = [&](Sticks sticks) { return length(from_sticks(sticks, 0.3F, range).velocity_at(0)); };
  EXPECT_EQ(speed({.move_y = 0.15F}), 0);
  EXPECT_NEAR(speed({.move_y = 0.575F}), 0.5F * range.stick_mps(), 1e-4F) << "half of what is beyond the dead zone";
  EXPECT_NEAR(speed({.move_y = 1}), range.stick_mps(), 1e-4F);
  EXPECT_NEAR(speed({.move_x = 3, .move_y = 4}), range.stick_mps(), 1e-4F) << "never more than all of it";
  EXPECT_NEAR(speed({.move_y = 1, .run = true}), range.stick_run_mps(), 1e-4F);
  EXPECT_NEAR(speed({.move_y = 1, .walk = true}), range.stick_walk_mps(), 1e-4F);
  EXPECT_EQ(from_sticks({.move_y = 1, .run = true}, 0, range).gait, Gait::kRun);
  EXPECT_EQ(from_sticks({.move_y = 1}, 0, range).gait, Gait::kAuto);
  EXPECT_FALSE(from_sticks({.look_y = 0.1F}, 0, range).wanted[0].facing_rad.has_value());
  EXPECT_NEAR(*from_sticks({.look_y = 1}, 0.3F, range).wanted[0].facing_rad, 0.3F, 1e-5F);
  const Sticks keys = from_keys(false, true, true, false, false);
  EXPECT_EQ(keys.move_x, -1);
  EXPECT_EQ(keys.move_y, -1);
  EXPECT_FALSE(keys.run);
}

// Seven moments of 0.15 s: along the path from a lead ahead, and back to it with a half-life.
TEST(Follow, LeadsAlongThePathAndBackToIt) {
  const PathOptions options{.speed_mps = 1.5F};
  const auto source = follow(Path::create({{0, 0, 0}, {0, 0, 50}}).value(), options);
  const Vec3 place{0.4F, 0.7F, 0.5F};  // Aside of the path, half a metre on.
  const Intent intent = source->next({place, 0}, 0.1);
  EXPECT_EQ(intent.num_wanted, kMaxWanted);
  const float rate = std::log(2.0F) / options.return_half_life_s;
  for (int i = 0; i < kMaxWanted; ++i) {
    const WantedMotion& wanted = intent.wanted[static_cast<std::size_t>(i)];
    const float t = 0.15F * static_cast<float>(i);
    EXPECT_NEAR(wanted.time_s, t, 1e-6F);
    EXPECT_NEAR(wanted.velocity_mps.x, -0.4F * rate * std::exp(-rate * t), 1e-4F) << i;
    EXPECT_NEAR(wanted.velocity_mps.z, 1.5F, 0.03F * rate) << i;
    EXPECT_EQ(wanted.velocity_mps.y, 0);
    EXPECT_NEAR(*wanted.facing_rad, 0, 1e-6F);
  }
  EXPECT_FALSE(source->done());
  ASSERT_NE(source->path(), nullptr);
}

// Pushed far away and fallen: the way back is walked, not flown, and the body looks where it goes.
TEST(Follow, WalksBackFromFarAway) {
  const auto source = follow(Path::create({{0, 0, 0}, {0, 0, 50}}).value(), {.speed_mps = 1.5F});
  source->next({{0, 0, 5}, 0}, 0.1);
  const Intent intent = source->next({{8, 0, 0.5F}, 0}, 0.1);
  EXPECT_NEAR(length(intent.velocity_at(0)), 1.5F, 1e-4F);
  EXPECT_LT(intent.velocity_at(0).x, -1.3F);
  EXPECT_NEAR(*intent.facing_at(0), std::atan2(intent.velocity_at(0).x, intent.velocity_at(0).z), 1e-4F);
}

TEST(Follow, StopsAtTheEndAndByTheClock) {
  const auto end = follow(Path::create({{0, 0, 0}, {0, 0, 2}}).value(), {.speed_mps = 1});
  Intent intent;
  for (int i = 0; i < 5; ++i) intent = end->next({{0, 0, 0.5F * static_cast<float>(i)}, 0}, 0.1);
  EXPECT_TRUE(end->done());
  EXPECT_LT(length(intent.velocity_at(0)), 0.05F);
  // Two seconds on, one off.
  const auto pauses = follow(Path::create({{0, 0, 0}, {0, 0, 50}}).value(), {.speed_mps = 1, .on_s = 2, .off_s = 1});
  for (int i = 1; i <= 60; ++i) {
    const float t = 0.1F * static_cast<float>(i);
    const float speed = length(pauses->next({{0, 0, 0}, 0}, 0.1).wanted[0].velocity_mps);
    const float part = std::fmod(t, 3.0F);
    if (std::abs(part - 2) < 0.05F || part < 0.05F || part > 2.95F) continue;
    EXPECT_NEAR(speed, part < 2 ? 1 : 0, 1e-4F) << t;
  }
  // A ring has no end.
  const auto ring = follow(Path::create({{0, 0, 0}, {0, 0, 2}, {2, 0, 2}}, true).value(), {.speed_mps = 1});
  for (int i = 0; i < 4; ++i) intent = ring->next({{0, 0, 0.6F * static_cast<float>(i)}, 0}, 0.1);
  EXPECT_FALSE(ring->done());
  EXPECT_GT(length(intent.velocity_at(0)), 0.5F);
}

}  // namespace
}  // namespace zoe::control
