// SPDX-License-Identifier: MIT
#include "zoe/control/controller.h"

#include <limits>

#include <gtest/gtest.h>

#include "zoe/control/crowd.h"
#include "zoe/core/random.h"
#include "zoe/core/thread_pool.h"

#include "support/allocation.h"
#include "support/pool.h"
#include "toy_controller.h"

namespace zoe::control {
namespace {

using test::ToyController;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A stick that changes once a second, by time alone.
Intent stick(double time_s) {
  const auto second = static_cast<float>(static_cast<int>(time_s));
  return Intent::move({std::sin(second), 0, 1.5F + std::cos(second * 2) / 2});
}

PlanarRoot root_after(double fps, double seconds) {
  const ToyController controller;
  const auto state = controller.make_state();
  const int ticks = static_cast<int>(seconds * fps);
  for (int i = 0; i < ticks; ++i) controller.tick(*state, stick((i + 0.5) / fps), 1 / fps);
  return state->root();
}

TEST(Controller, AnyFrameRateShowsTheSameMotion) {
  const PlanarRoot at_60 = root_after(60, 6);
  ASSERT_GT(length(at_60.position), 1.0F);
  for (const double fps : {1.0, 7.0, 24.0, 30.0, 59.94, 144.0, 1000.0}) {
    const PlanarRoot other = root_after(fps, 6);
    // A wish is met up to one tick and one step late: at 2 m/s that is 2 m at one frame a second.
    EXPECT_LT(distance(at_60.position, other.position), fps >= 24 ? 0.12F : 2.2F) << fps;
  }
}

TEST(Controller, StepsNeitherVanishNorDouble) {
  const ToyController controller;
  const auto state = controller.make_state();
  for (int i = 0; i < 6000; ++i) controller.tick(*state, {}, 1.0 / 60);
  EXPECT_EQ(state->num_steps(), 6000);
  for (int i = 0; i < 1000; ++i) controller.tick(*state, {}, 1.0 / 1000);
  EXPECT_NEAR(static_cast<double>(state->num_steps()), 6060, 1);
}

TEST(Controller, ShowsBetweenSteps) {
  const ToyController controller(10);
  const auto state = controller.make_state();
  for (int i = 0; i < 50; ++i) controller.tick(*state, Intent::move({0, 0, 1}), 0.1);
  const float z = state->root().position.z;
  controller.tick(*state, Intent::move({0, 0, 1}), 0.05);
  EXPECT_NEAR(state->root().position.z, z + 0.05F, 1e-3F);
  EXPECT_NEAR(state->pose().translations[0].z, z + 0.05F, 1e-3F);
}

TEST(Controller, TakesAnyTimeAndAnyWish) {
  const ToyController controller;
  const auto state = controller.make_state();
  Intent bad = Intent::move({kNan, kInfinity, -kInfinity}, kNan);
  bad.num_wanted = 99;
  bad.styles.fill(kNan);
  bad.goal = WantedPlace{{kNan, 0, 0}, kInfinity};
  bad.gait = static_cast<Gait>(200);
  for (const double dt_s :
       {1.0 / 60, 0.0, -1.0, 1e300, static_cast<double>(kNan), static_cast<double>(kInfinity), 1e-12}) {
    controller.tick(*state, bad, dt_s);
    ASSERT_TRUE(is_finite(state->root().position)) << dt_s;
    ASSERT_TRUE(is_finite(state->pose().translations[0]));
  }
  EXPECT_EQ(state->num_recoveries(), 0);
  // Four seconds in all at the limit of 12 m/s.
  EXPECT_LT(length(state->root().position), 50.0F);
}

TEST(Controller, PlacingMovesTheWorldOnly) {
  const ToyController controller;
  const auto a = controller.make_state(), b = controller.make_state();
  for (int i = 0; i < 30; ++i) {
    controller.tick(*a, Intent::move({0, 0, 1}), 1.0 / 60);
    controller.tick(*b, Intent::move({0, 0, 1}), 1.0 / 60);
  }
  const PlanarRoot there{{100, 0, -40}, 1.2F};
  controller.place(*b, there);
  EXPECT_LT(distance(b->root().position, there.position), 1e-4F);
  EXPECT_NEAR(b->root().facing_rad, 1.2F, 1e-5F);
  // Both go on from there alike, each along its own forward.
  const PlanarRoot a_before = a->root();
  const Vec3 forward = rotate(rotation_of(there), Vec3{0, 0, 1});
  for (int i = 0; i < 60; ++i) {
    controller.tick(*a, Intent::move({0, 0, 1}), 1.0 / 60);
    controller.tick(*b, Intent::move(forward), 1.0 / 60);
  }
  const float way_a = distance(a->root().position, a_before.position);
  EXPECT_LT(distance(b->root().position, there.position + forward * way_a), 1e-3F);
  controller.place(*b, {{kNan, 0, 0}, 0});
  EXPECT_TRUE(is_finite(b->root().position));
}

TEST(Controller, StartsAgainWhereItWasWhenTheModelFails) {
  ToyController controller;
  controller.poison_at_step = 100;
  const auto state = controller.make_state({.root = {{5, 0, 5}, 0.5F}});
  Vec3 last = state->root().position;
  for (int i = 0; i < 200; ++i) {
    controller.tick(*state, Intent::move({1, 0, 0}), 1.0 / 60);
    ASSERT_LT(distance(state->root().position, last), 0.03F) << "teleported in tick " << i;
    last = state->root().position;
    if (i == 100) {
      EXPECT_EQ(state->progress(), Progress::kRecovered);
    }
  }
  EXPECT_EQ(state->num_recoveries(), 1);
}

TEST(Controller, SaysWhenItIsStuckAndWhenAGoalIsOutOfReach) {
  ToyController controller;
  const auto state = controller.make_state();
  for (int i = 0; i < 30; ++i) controller.tick(*state, Intent::move({1, 0, 0}), 1.0 / 60);
  EXPECT_EQ(state->progress(), Progress::kMoving);
  controller.walls = true;
  for (int i = 0; i < 150; ++i) controller.tick(*state, Intent::move({1, 0, 0}), 1.0 / 60);
  EXPECT_EQ(state->progress(), Progress::kStuck);

  Intent go;
  go.goal = WantedPlace{{10, 0, 0}, {}};
  for (int i = 0; i < 240; ++i) controller.tick(*state, go, 1.0 / 60);
  EXPECT_EQ(state->progress(), Progress::kUnreachable);
  // The way is free again, but the character waits: only another goal makes it go.
  controller.walls = false;
  const Vec3 waiting = state->root().position;
  for (int i = 0; i < 60; ++i) controller.tick(*state, go, 1.0 / 60);
  EXPECT_LT(distance(state->root().position, waiting), 0.05F);
  go.goal->position = {4, 0, 1};
  for (int i = 0; i < 600; ++i) controller.tick(*state, go, 1.0 / 60);
  EXPECT_LT(distance(state->root().position, go.goal->position), 0.3F);
  EXPECT_EQ(state->progress(), Progress::kStanding);
}

TEST(Controller, TicksNeverAllocate) {
  const ToyController controller;
  const auto state = controller.make_state();
  const Intent intent = Intent::move({1, 0, 1});
  const zoe::test::AllocationMeter meter;
  for (int i = 0; i < 10; ++i) controller.tick(*state, intent, 0.1);
  EXPECT_EQ(meter.allocations(), 0U);
}

TEST(Controller, RefusesAnotherSkeletonByItsFirstJoint) {
  const SkeletonPtr model = test::toy_skeleton();
  EXPECT_TRUE(check_same_skeleton(*model, *model));
  const auto with = [](std::vector<JointDesc> joints) { return Skeleton::create(std::move(joints)).value(); };
  const JointDesc hips{"hips", kNoJoint, {}, JointKind::kBone};
  const JointDesc leg{"leg", 0, {{0, -0.9F, 0}, {}, {1, 1, 1}}, JointKind::kBone};
  JointDesc tail = leg, longer = leg;
  tail.name = "tail";
  longer.rest_local.translation.y = -1;
  for (const auto& [other, joint] : {std::pair{with({hips, tail}), "tail"},
                                     {with({hips, longer}), "leg"},
                                     {with({hips}), "leg"},
                                     {with({hips, leg, tail}), "tail"}}) {
    const Result<void> result = check_same_skeleton(*model, *other);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().where.joint, joint);
  }
}

TEST(Crowd, EqualsSingleCharactersWhateverTheThreads) {
  const auto controller = std::make_shared<ToyController>();
  std::vector<PlanarRoot> places;
  for (int i = 0; i < 150; ++i) places.push_back({{float(i), 0, 0}, float(i)});
  Crowd crowd(controller, places), other(controller, places);
  ThreadPool pool(3), none(0);
  zoe::test::wait_for_threads(pool);
  std::vector<Intent> intents(places.size());
  std::vector<std::unique_ptr<ControllerState>> singles;
  for (const PlanarRoot& place : places) singles.push_back(controller->make_state({.root = place}));
  Random random(7);
  for (int frame = 0; frame < 20; ++frame) {
    const double dt_s = random.uniform(0, 0.1F);
    for (Intent& intent : intents) intent = Intent::move({random.uniform(-2, 2), 0, random.uniform(-2, 2)});
    crowd.tick(intents, dt_s, pool);
    other.tick(intents, dt_s, none);
    for (std::size_t i = 0; i < singles.size(); ++i) controller->tick(*singles[i], intents[i], dt_s);
  }
  EXPECT_EQ(crowd.hash(), other.hash());
  for (std::size_t i = 0; i < singles.size(); ++i) {
    ASSERT_EQ(crowd.state(static_cast<int>(i)).hash(), singles[i]->hash()) << i;
  }
  const zoe::test::AllocationMeter meter;
  crowd.tick(intents, 0.1, none);
  EXPECT_EQ(meter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe::control
