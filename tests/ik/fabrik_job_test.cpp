// SPDX-License-Identifier: MIT
#include "zoe/ik/fabrik_job.h"

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"

#include "ik/ik_rig.h"
#include "support/allocation.h"

namespace zoe {
namespace {

using test::IkRig;
using test::RandomCharacter;

// Within reach, and outside the hole that one long bone may leave (at its rim, as at full stretch, FABRIK is slow).
Vec3 reachable(RandomCharacter& random, const IkRig& rig, Vec3 base) {
  float longest_bone = 0;
  for (std::size_t i = 1; i < rig.chain.size(); ++i) {
    longest_bone = std::max(longest_bone, length(rig.skeleton->rest_local(rig.chain[i]).translation));
  }
  const float hole = std::max(0.0F, 2 * longest_bone - rig.length());
  return base + normalized(random.vec(1), {1, 0, 0}) * random.number(hole + 0.1F, 0.98F * rig.length());
}

TEST(FabrikJob, SaysWhichFieldIsWrong) {
  RandomCharacter random(1);
  const IkRig rig(random, 3);
  Pose pose = rig.random_pose(random);
  const std::vector<int> gap{2, 4};
  const std::vector<JointLimit> limits(3);
  std::vector<JointLimit> bad(3);
  bad[1] = make_hinge({}, {1, 0, 0}, 1, -1);
  const FabrikJob good{
      .skeleton = rig.skeleton.get(), .settings = {.chain = rig.chain}, .limits = limits, .pose = ik_pose(pose)};
  EXPECT_EQ(good.validate(), nullptr);
  const auto why = [&](auto change) {
    FabrikJob job = good;
    change(job);
    EXPECT_FALSE(job.run());
    return std::string(job.validate() != nullptr ? job.validate() : "");
  };
  EXPECT_EQ(why([](auto& job) { job.skeleton = nullptr; }), "skeleton is missing");
  EXPECT_EQ(why([](auto& job) { job.settings.chain = {}; }), "chain has fewer than two joints");
  EXPECT_EQ(why([&](auto& job) { job.settings.chain = gap; }), "chain: a joint is not the parent of the next one");
  EXPECT_EQ(why([&](auto& job) { job.limits = job.limits.first(2); }),
            "limits is neither empty nor one entry a turning joint");
  EXPECT_EQ(why([&](auto& job) { job.limits = bad; }), "limits: min_rad is above max_rad");
  EXPECT_EQ(why([](auto& job) { job.settings.max_iterations = 0; }), "settings.max_iterations is below one");
  EXPECT_EQ(why([](auto& job) { job.settings.pole_weight = -1; }), "settings.pole_weight is not within [0, 1]");
  EXPECT_EQ(why([](auto& job) { job.target_model.y = INFINITY; }), "target_model is not finite");
}

TEST(FabrikJob, ReachesToAMillimetreAndKeepsLengths) {
  RandomCharacter random(2);
  for (int i = 0; i < 1000; ++i) {
    const IkRig rig(random, 2 + i % 8, i % 10 == 0);
    Pose pose = i % 20 == 0 ? make_pose(*rig.skeleton) : rig.random_pose(random);
    const Vec3 target = reachable(random, rig, rig.base(pose));
    float missing = 1;
    FabrikJob job{.skeleton = rig.skeleton.get(),
                  .settings = {.chain = rig.chain, .max_iterations = 100},
                  .target_model = target,
                  .pole_model = i % 3 == 0 ? random.vec(1) : Vec3{},
                  .pose = ik_pose(pose),
                  .missing_m = &missing};
    test::AllocationMeter meter;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(meter.allocations(), 0U);
    EXPECT_LT(distance(rig.tip(pose), target), 1.1e-3F) << i << " " << missing;
    EXPECT_LT(rig.length_error(pose), 1e-5F);
  }
}

TEST(FabrikJob, BendsAStraightChainTowardsItsOwnRoot) {
  RandomCharacter random(3);
  const IkRig rig(random, 4, true);
  Pose pose = make_pose(*rig.skeleton);
  const Vec3 target = lerp(rig.base(pose), rig.tip(pose), 0.5F);
  ASSERT_TRUE((FabrikJob{
      .skeleton = rig.skeleton.get(), .settings = {.chain = rig.chain}, .target_model = target, .pose = ik_pose(pose)}
                   .run()));
  EXPECT_LT(distance(rig.tip(pose), target), 1.1e-3F);
}

TEST(FabrikJob, StretchesStraightWithoutIterating) {
  RandomCharacter random(4);
  const IkRig rig(random, 5);
  Pose pose = rig.random_pose(random);
  const Vec3 base = rig.base(pose), direction = normalized(Vec3{1, -2, 0.5F});
  int iterations = -1;
  ASSERT_TRUE((FabrikJob{.skeleton = rig.skeleton.get(),
                         .settings = {.chain = rig.chain},
                         .target_model = base + direction * 9.0F,
                         .pose = ik_pose(pose),
                         .iterations = &iterations}
                   .run()));
  EXPECT_EQ(iterations, 0);
  EXPECT_LT(distance(rig.tip(pose), base + direction * rig.length()), 1e-4F);
}

TEST(FabrikJob, TurnsTheChainToThePole) {
  RandomCharacter random(5);
  for (int i = 0; i < 200; ++i) {
    const IkRig rig(random, 2);
    Pose pose = rig.random_pose(random);
    const Vec3 base = rig.base(pose), pole = normalized(random.vec(1), {0, 1, 0});
    const Vec3 line = normalized(random.vec(1), {1, 0, 0});
    if (std::abs(dot(pole, line)) > 0.98F) continue;
    ASSERT_TRUE((FabrikJob{.skeleton = rig.skeleton.get(),
                           .settings = {.chain = rig.chain, .tolerance_m = 1e-5F, .max_iterations = 300},
                           .target_model = base + line * (0.85F * rig.length()),
                           .pole_model = pole,
                           .pose = ik_pose(pose)}
                     .run()));
    const Vec3 mid = rig.positions(pose)[static_cast<std::size_t>(rig.chain[1])] - base;
    const Vec3 side = normalized(mid - line * dot(mid, line)), wanted = normalized(pole - line * dot(pole, line));
    EXPECT_LT(distance(side, wanted), 5e-3F) << i;
  }
}

// The tip runs round a circle a hundred times, each solve starting from the last: no bone may have wound up.
TEST(FabrikJob, TwistDoesNotDrift) {
  RandomCharacter random(6);
  const IkRig rig(random, 3, true);
  Pose pose = make_pose(*rig.skeleton);
  const Vec3 base = rig.base(pose), down = normalized(rig.tip(pose) - base);
  const Vec3 side = normalized(cross(down, Vec3{0.3F, 0.8F, -0.5F})), other = cross(down, side);
  const auto twist_of = [&](int joint) {
    const Quat rest = rig.skeleton->rest_local(joint).rotation;
    const Vec3 bone = normalized(rig.skeleton->rest_local(joint + 1).translation);
    return to_rotation_vector(
        split_swing_twist(conjugate(rest) * pose.rotations[static_cast<std::size_t>(joint)], bone).twist);
  };
  for (int step = 0; step < 6400; ++step) {
    const float a = 0.0981748F * static_cast<float>(step);
    const Vec3 target = base + (down * 0.7F + (side * std::cos(a) + other * std::sin(a)) * 0.5F);
    ASSERT_TRUE((FabrikJob{
        .skeleton = rig.skeleton.get(), .settings = {.chain = rig.chain}, .target_model = target, .pose = ik_pose(pose)}
                     .run()));
  }
  for (int i = 0; i < 3; ++i) EXPECT_LT(length(twist_of(rig.chain[static_cast<std::size_t>(i)])), 1e-3F) << i;
}

TEST(FabrikJob, RespectsLimitsAndReachesWhatTheyAllow) {
  RandomCharacter random(7);
  int reached = 0;
  constexpr int kTries = 300;
  for (int i = 0; i < kTries; ++i) {
    const IkRig rig(random, 3, true);
    Pose pose = make_pose(*rig.skeleton);
    // A shoulder, an elbow, a wrist. The target is where an allowed pose has its tip.
    const Vec3 bone{0, -1, 0};
    const std::vector<JointLimit> limits{make_cone({}, bone, 1.2F, -0.5F, 0.5F), make_hinge({}, {1, 0, 0}, 0, 2.5F),
                                         make_cone({}, bone, 0.6F, -0.5F, 0.5F)};
    Pose goal = pose;
    for (std::size_t k = 0; k < 3; ++k) {
      Quat& q = goal.rotations[static_cast<std::size_t>(rig.chain[k])];
      q = clamp_to_limit(limits[k], nlerp(Quat{}, random.quat(), 0.5F));
    }
    const Vec3 target = rig.tip(goal);
    float missing = 0;
    ASSERT_TRUE((FabrikJob{.skeleton = rig.skeleton.get(),
                           .settings = {.chain = rig.chain, .max_iterations = 60},
                           .target_model = target,
                           .limits = limits,
                           .pose = ik_pose(pose),
                           .missing_m = &missing}
                     .run()));
    EXPECT_NEAR(distance(rig.tip(pose), target), missing, 1e-5F);
    reached += missing < 0.01F ? 1 : 0;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT(limit_violation_rad(limits[k], pose.rotations[static_cast<std::size_t>(rig.chain[k])]), 1e-3F) << i;
    }
    EXPECT_LT(rig.length_error(pose), 1e-5F);
  }
  EXPECT_GE(reached, kTries * 6 / 10);
  RecordProperty("reached", reached);
}

TEST(FabrikJob, GivesTheTipItsRotation) {
  RandomCharacter random(8);
  const IkRig rig(random, 3);
  Pose pose = rig.random_pose(random);
  const Quat wanted = random.quat();
  ASSERT_TRUE((FabrikJob{.skeleton = rig.skeleton.get(),
                         .settings = {.chain = rig.chain},
                         .target_model = rig.base(pose) + Vec3{0.2F, 0.3F, 0.1F},
                         .tip_rotation_model = &wanted,
                         .pose = ik_pose(pose)}
                   .run()));
  Quat model;
  for (int joint = 0; joint <= rig.chain.back(); ++joint)
    model = model * pose.rotations[static_cast<std::size_t>(joint)];
  EXPECT_LT(angle_between(model, wanted), 1e-4F);
}

TEST(BatchFabrikJob, EqualsTheSingleJobOnEveryTarget) {
  for (const simd::Target& isa : simd::supported_targets()) {
    const simd::ForceTarget force(isa);
    RandomCharacter random(9);
    const IkRig rig(random, 3);
    constexpr std::size_t kPoses = 53;
    PoseBatch batch(kPoses, static_cast<std::size_t>(rig.skeleton->num_joints()), false);
    VectorBatch targets(kPoses), poles(kPoses);
    std::vector<Pose> poses;
    std::vector<float> missing(kPoses);
    for (std::size_t i = 0; i < kPoses; ++i) {
      poses.push_back(rig.random_pose(random));
      const PoseView view = poses.back().view();
      pack_poses({&view, 1}, i, batch);
      targets.set(i,
                  i % 5 == 0 ? rig.base(poses.back()) + Vec3{0, 5, 1} : reachable(random, rig, rig.base(poses.back())));
      poles.set(i, i % 3 == 0 ? Vec3{} : random.vec(1));
    }
    const FabrikSettings settings{.chain = rig.chain, .max_iterations = 60};
    const BatchFabrikJob job{.skeleton = rig.skeleton.get(),
                             .settings = settings,
                             .targets_model = &targets,
                             .poles_model = &poles,
                             .poses = &batch,
                             .missing_m = missing};
    test::AllocationMeter meter;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(meter.allocations(), 0U);
    for (std::size_t i = 0; i < kPoses; ++i) {
      ASSERT_TRUE((FabrikJob{.skeleton = rig.skeleton.get(),
                             .settings = settings,
                             .target_model = targets.get(i),
                             .pole_model = poles.get(i),
                             .pose = ik_pose(poses[i])}
                       .run()));
      Pose batched = make_pose(*rig.skeleton);
      unpack_pose(batch, i, batched);
      EXPECT_LT(rig.length_error(batched), 1e-5F);
      EXPECT_NEAR(distance(rig.tip(batched), targets.get(i)), missing[i], 1e-4F) << isa.name << i;
      const std::vector<Vec3> a = rig.positions(batched), b = rig.positions(poses[i]);
      for (std::size_t k = 0; k < a.size(); ++k) EXPECT_LT(distance(a[k], b[k]), 2e-3F) << isa.name << i;
      if (i % 5 != 0) {
        EXPECT_LT(missing[i], 1e-3F) << isa.name << i;
      }
    }
  }
}

}  // namespace
}  // namespace zoe
