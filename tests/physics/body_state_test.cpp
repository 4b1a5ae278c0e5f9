// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. States of simulated bodies: falling, standing, saving, and violence.
#include <cmath>

#include "zoe/core/random.h"

#include "bodies.h"
#include "support/allocation.h"

namespace zoe::physics {
namespace {

bool all_finite(const Pose& pose) {
  for (const Vec3& t : pose.translations)
    if (!is_finite(t)) return false;
  for (const Quat& q : pose.rotations)
    if (!is_finite(q)) return false;
  return true;
}

TEST(BodyState, ALimpBodyFallsAsFastAsGravitySays) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Pose pose = reference_pose_of(made.source());
  BodyState state(made.model);
  state.reset(pose.view(), -100);  // High above the ground.
  const double start = state.centre_of_mass_m().y;
  constexpr int kTicks = 30;
  for (int i = 0; i < kTicks; ++i) state.tick(pose.view(), {.servo_scale = 0});
  const double time_s = kTicks / 60.0;
  EXPECT_NEAR(start - state.centre_of_mass_m().y, 0.5 * 9.81 * time_s * time_s, 0.02);
}

TEST(BodyState, ServosCannotMoveTheCentreOfMassInTheAir) {
  // Without contacts and assist the servos are inner forces.
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Motion motion = swaying(made, 40);
  BodyState state(made.model);
  state.reset(motion.frame(0), -100);
  const Vec3d start = state.centre_of_mass_m();
  for (int i = 1; i < 40; ++i) state.tick(motion.frame(i));
  EXPECT_NEAR(state.centre_of_mass_m().x, start.x, 0.01);
  EXPECT_NEAR(state.centre_of_mass_m().z, start.z, 0.01);
}

TEST(BodyState, NoAssistIsNoForce) {
  const TestRig made = make_test_rig(BodyFamily::kQuadruped);
  const Pose pose = reference_pose_of(made.source());
  BodyState state(made.model);
  state.reset(pose.view(), 0.5);
  for (int i = 0; i < 20; ++i) {
    const TickReport report = state.tick(pose.view());
    EXPECT_EQ(report.assist_n, 0);
    EXPECT_EQ(report.assist_nm, 0);
  }
  for (int i = 0; i < 20; ++i) EXPECT_LE(state.tick(pose.view(), {.assist_n = 30}).assist_n, 30 + 1e-9);
}

TEST(BodyState, BodiesWithLegsStandWithASmallAssist) {
  for (const BodyFamily family :
       {BodyFamily::kBiped, BodyFamily::kQuadruped, BodyFamily::kHexapod, BodyFamily::kOctopod}) {
    SCOPED_TRACE(to_string(family));
    const TestRig made = make_test_rig(family);
    Motion still = make_motion(made.body.skeleton, "still", 60, 1, false);
    BodyState state(made.model);
    state.reset(still.frame(0), ground_under(*made.model, still));
    const double assist_n = 0.2 * 9.81 * made.plan.mass_kg;
    for (int i = 0; i < 60; ++i) {
      EXPECT_FALSE(state.tick(still.frame(0), {.assist_n = assist_n}).went_bad);
      ASSERT_FALSE(has_fallen(state, made.plan)) << "after " << i << " ticks";
    }
    EXPECT_LT(distance(state.bone_origin_m(0), state.target_origin_m(0)), 0.1 * made.plan.height_m);
  }
}

TEST(BodyState, SavedStatesHaveTheSameFuture) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Motion motion = swaying(made, 60);
  BodyState state(made.model), other(made.model), copied(made.model);
  state.reset(motion.frame(0));
  for (int i = 1; i < 30; ++i) state.tick(motion.frame(i), {.assist_n = 100});
  std::vector<std::byte> bytes(state.num_saved_bytes());
  state.save(bytes);
  ASSERT_TRUE(other.restore(bytes));
  copied.copy_from(state);
  EXPECT_EQ(state.hash(), other.hash());
  for (int i = 30; i < 60; ++i) {
    for (BodyState* one : {&state, &other, &copied}) one->tick(motion.frame(i), {.assist_n = 100});
    ASSERT_EQ(state.hash(), other.hash()) << "tick " << i;
    ASSERT_EQ(state.hash(), copied.hash()) << "tick " << i;
  }
}

TEST(BodyState, DamagedBytesAreRefused) {
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  BodyState state(made.model);
  std::vector<std::byte> bytes(state.num_saved_bytes());
  state.save(bytes);
  const std::uint64_t before = state.hash();
  EXPECT_FALSE(state.restore(std::span(bytes).first(bytes.size() - 1)));
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 256) {
    std::vector<std::byte> damaged = bytes;
    for (std::size_t i = 0; i < 8; ++i) damaged[at + i] = std::byte{0xff};  // Not a number, as double and as float.
    EXPECT_FALSE(state.restore(damaged)) << at;
  }
  EXPECT_EQ(state.hash(), before);
}

TEST(BodyState, ViolenceLeavesFiniteNumbers) {
  const TestRig made = make_test_rig(BodyFamily::kQuadruped);
  const Pose rest = make_pose(*made.body.skeleton);
  BodyState state(made.model);
  state.reset(rest.view());
  Random random(5);
  Pose target = rest, out = rest;
  const int num_ticks = zoe::test::kSanitized ? 60 : 400;
  for (int i = 0; i < num_ticks; ++i) {
    if (i % 20 == 0) {
      for (Quat& q : target.rotations)
        q = normalized(Quat{static_cast<float>(random.normal()), static_cast<float>(random.normal()),
                            static_cast<float>(random.normal()), static_cast<float>(random.normal())});
      target.translations[0] = {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
    }
    TickOptions options{.assist_n = 1e5 * random.uniform(), .servo_scale = random.uniform()};
    options.push_n = {1e5 * random.normal(), 1e5 * random.normal(), 1e5 * random.normal()};
    options.push_bone = static_cast<int>(random.below(made.plan.bones.size()));
    state.tick(target.view(), options);
    state.read_pose(out);
    ASSERT_TRUE(all_finite(out)) << "tick " << i;
  }
}

TEST(BodyState, ReadsBackThePoseItWasGiven) {
  const TestRig made = make_test_rig(BodyFamily::kBird);
  const Motion motion = swaying(made, 30);
  BodyState state(made.model);
  state.reset(motion.frame(29));
  Pose out = make_pose(*made.body.skeleton);
  state.read_pose(out);
  for (int joint = 0; joint < motion.num_joints(); ++joint) {
    const auto j = static_cast<std::size_t>(joint);
    EXPECT_LT(angle_between(out.rotations[j], motion.frame(29).rotations[j]), 1e-3F);
    EXPECT_LT(distance(out.translations[j], motion.frame(29).translations[j]), 1e-4F);
  }
}

TEST(BodyState, TicksDoNotAllocate) {
  if (zoe::test::kSanitized) GTEST_SKIP() << "malloc of the engine itself would count";
  const TestRig made = make_test_rig(BodyFamily::kBiped);
  const Pose pose = make_pose(*made.body.skeleton);
  Pose out = pose;
  BodyState state(made.model);
  state.reset(pose.view());
  state.tick(pose.view());
  const zoe::test::AllocationMeter counter;
  for (int i = 0; i < 10; ++i) {
    state.tick(pose.view(), {.assist_n = 50});
    state.read_pose(out);
  }
  EXPECT_EQ(counter.allocations(), 0U);
}

}  // namespace
}  // namespace zoe::physics
