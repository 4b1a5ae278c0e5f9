// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Balance without assist.
#include "zoe/physics/balance.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/thread_pool.h"

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

TEST(Balance, SameHashWithThreads) {
  Stood stood;
  const Motion motion = swaying(stood.made, 12);
  stood.options.balance.horizon_frames = 6;
  const auto alone = track_motion(stood.made.model, motion, stood.options);
  ThreadPool pool(3);
  stood.options.balance.executor = &pool;
  const auto shared = track_motion(stood.made.model, motion, stood.options);
  ASSERT_TRUE(alone && shared);
  EXPECT_EQ(alone->hash, shared->hash);
  EXPECT_EQ(alone->planned_ticks, shared->planned_ticks);
}

// Knees that bend in the targets turn about the axis in which they bend, feet about two axes, hips and waist about all.
TEST(Balance, ControlsAreThoseOfAnatomy) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  Motion bent = swaying(made, 8);
  std::vector<int> knees;
  for (const Bone& bone : made.plan.bones)
    if (bone.role == BoneRole::kLeg && made.plan.bones[static_cast<std::size_t>(bone.parent)].role == BoneRole::kLeg)
      knees.push_back(bone.joint);
  ASSERT_EQ(knees.size(), 2U);
  const Quat bend = from_axis_angle(Vec3{1, 0, 0}, 0.8F);
  for (int frame = 0; frame < bent.num_frames; ++frame)
    for (const int knee : knees) {
      Quat& local = bent.rotations[static_cast<std::size_t>(frame * bent.num_joints() + knee)];
      local = normalized(local * bend);
    }
  std::vector<int> counts(made.plan.bones.size());
  for (const BalanceControl& control : balance_controls(*made.model, bent)) {
    const auto bone = static_cast<std::size_t>(control.bone);
    ++counts[bone];
    EXPECT_NEAR(length(control.axis), 1, 1e-6);
    if (std::ranges::find(knees, made.plan.bones[bone].joint) != knees.end()) {
      EXPECT_GT(std::abs(control.axis.x), 0.95) << "the leg was bent about x";
    }
  }
  for (const int bone : balancing_bones(made.plan)) {
    const Bone& b = made.plan.bones[static_cast<std::size_t>(bone)];
    const bool is_knee = std::ranges::find(knees, b.joint) != knees.end();
    EXPECT_EQ(counts[static_cast<std::size_t>(bone)], is_knee ? 1 : b.role == BoneRole::kFoot ? 2 : 3);
  }
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

// Small bodies fall faster, so their plans are shorter.
TEST(Balance, SmallBodiesPlanMoreOften) {
  TestRig made = make_test_rig(BodyFamily::kBiped);
  const int usual = usual_window_frames(*made.model);
  EXPECT_NEAR(usual, 4, 1);
  const int ahead = usual_horizon_frames(*made.model);
  EXPECT_NEAR(ahead, 36, 6);
  made.plan.root_height_m *= 0.45;
  const auto small = BodyModel::create(made.plan, made.body.skeleton).value();
  EXPECT_LT(usual_window_frames(*small), usual);
  EXPECT_NEAR(usual_horizon_frames(*small), std::sqrt(0.45) * ahead, 1);
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
