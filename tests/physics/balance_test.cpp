// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Balance without assist.
#include "zoe/physics/balance.h"

#include "bodies.h"
#include "support/allocation.h"

namespace zoe::physics {
namespace {

struct Stood {
  TestRig made = make_test_rig(BodyFamily::kBiped);
  TrackOptions options;

  Stood() {
    made.model = BodyModel::create(made.plan, made.body.skeleton, {.steps_per_frame = 2}).value();
    options.pushes.push_back({.time_s = 0.1, .force_n = {0, 0, 0.25 * 9.81 * made.plan.mass_kg}});
  }
};

TEST(Balance, BringsAPushedBodyBack) {
  Stood stood;
  const Motion motion = swaying(stood.made, zoe::test::kSanitized ? 20 : 70);
  const auto without = track_motion(stood.made.model, motion, stood.options);
  stood.options.balance.horizon_frames = 12;
  const auto with = track_motion(stood.made.model, motion, stood.options);
  ASSERT_TRUE(without && with);
  EXPECT_EQ(without->planned_ticks, 0);
  EXPECT_GT(with->planned_ticks, 0);
  EXPECT_EQ(with->mean_assist_n, 0);
  EXPECT_FALSE(with->fall_s);
  if (zoe::test::kSanitized) return;
  EXPECT_LT(with->mean_error_m, 0.3 * without->mean_error_m);
}

// A body that stands well needs few plans.
TEST(Balance, PlansThatAreGoodEnoughAreKept) {
  Stood stood;
  stood.options.pushes.clear();
  const Motion motion = swaying(stood.made, 40);
  stood.options.balance.horizon_frames = 12;
  const auto cheap = track_motion(stood.made.model, motion, stood.options);
  stood.options.balance.good_enough = 0;
  const auto all = track_motion(stood.made.model, motion, stood.options);
  ASSERT_TRUE(cheap && all);
  EXPECT_LT(cheap->planned_ticks, all->planned_ticks / 2);
  EXPECT_FALSE(cheap->fall_s);
}

TEST(Balance, SameHashTwice) {
  Stood stood;
  const Motion motion = swaying(stood.made, 12);
  stood.options.balance.horizon_frames = 6;
  const auto first = track_motion(stood.made.model, motion, stood.options);
  const auto second = track_motion(stood.made.model, motion, stood.options);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->hash, second->hash);
}

TEST(Balance, DoesNotAllocate) {
  if (zoe::test::kSanitized) GTEST_SKIP() << "malloc of the engine itself would count";
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Motion motion = swaying(made, 10);
  BodyState state(made.model);
  state.reset(motion.frame(0), ground_under(*made.model, motion));
  Balancer balancer(made.model, motion, {.horizon_frames = 3, .window_frames = 2}, 0);
  state.tick(motion.frame(1), {.offsets_rad = balancer.offsets(state, 1)});
  const zoe::test::AllocationMeter counter;
  for (int frame = 2; frame < 10; ++frame)
    state.tick(motion.frame(frame), {.offsets_rad = balancer.offsets(state, frame)});
  EXPECT_EQ(counter.allocations(), 0U);
}

// Bodies without legs have nothing to balance with.
TEST(Balance, LeavesOtherBodiesAlone) {
  const TestRig made = make_test_rig(BodyFamily::kSnake);
  TrackOptions options;
  const Motion motion = swaying(made, 8);
  const auto without = track_motion(made.model, motion, options);
  options.balance.horizon_frames = 4;
  const auto with = track_motion(made.model, motion, options);
  ASSERT_TRUE(without && with);
  EXPECT_EQ(with->hash, without->hash);
}

}  // namespace
}  // namespace zoe::physics
