// SPDX-License-Identifier: MIT
#include "zoe/ik/two_bone_ik_job.h"

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"

#include "ik/ik_rig.h"
#include "support/allocation.h"

namespace zoe {
namespace {

using test::IkRig;
using test::RandomCharacter;

TwoBoneIkSettings settings_of(const IkRig& rig) {
  return {.start_joint = rig.chain[0], .mid_joint = rig.chain[1], .end_joint = rig.chain[2]};
}
// Within the ring that the two bones can reach.
Vec3 reachable(RandomCharacter& random, const IkRig& rig, Vec3 base) {
  const float a = length(rig.skeleton->rest_local(rig.chain[1]).translation);
  const float b = length(rig.skeleton->rest_local(rig.chain[2]).translation);
  return base + normalized(random.vec(1), {1, 0, 0}) * random.number(std::abs(a - b) + 1e-3F, a + b);
}

TEST(TwoBoneIkJob, SaysWhichFieldIsWrong) {
  RandomCharacter random(1);
  const IkRig rig(random, 2);
  Pose pose = rig.random_pose(random);
  const TwoBoneIkJob good{.skeleton = rig.skeleton.get(), .settings = settings_of(rig), .pose = ik_pose(pose)};
  EXPECT_EQ(good.validate(), nullptr);
  const auto why = [&](auto change) {
    TwoBoneIkJob job = good;
    change(job);
    EXPECT_FALSE(job.run());
    return std::string(job.validate() != nullptr ? job.validate() : "");
  };
  EXPECT_EQ(why([](auto& job) { job.skeleton = nullptr; }), "skeleton is missing");
  EXPECT_EQ(why([](auto& job) { job.pose.rotations = {}; }), "pose.rotations does not have one entry per joint");
  EXPECT_EQ(why([](auto& job) { job.settings.mid_joint = 99; }), "settings.mid_joint is not a joint of the skeleton");
  EXPECT_EQ(why([](auto& job) { job.settings.mid_joint = 0; }), "settings.mid_joint is not below start_joint");
  EXPECT_EQ(why([](auto& job) { job.settings.end_joint = 2; }), "settings.end_joint is not below mid_joint");
  EXPECT_EQ(why([](auto& job) { job.settings.mid_axis = {}; }), "settings.mid_axis is not a unit vector");
  EXPECT_EQ(why([](auto& job) { job.settings.soften = 0; }), "settings.soften is not within (0, 1]");
  EXPECT_EQ(why([](auto& job) { job.settings.weight = 2; }), "settings.weight is not within [0, 1]");
  EXPECT_EQ(why([](auto& job) { job.target_model.x = NAN; }), "target_model is not finite");
}

TEST(TwoBoneIkJob, ReachesEveryTargetAndKeepsLengths) {
  RandomCharacter random(2);
  for (int i = 0; i < 2000; ++i) {
    const IkRig rig(random, 2, i % 10 == 0);
    Pose pose = rig.random_pose(random);
    if (i % 20 == 0) pose = make_pose(*rig.skeleton);  // Straight limbs.
    const Vec3 target = reachable(random, rig, rig.base(pose));
    float missing = 1;
    TwoBoneIkJob job{.skeleton = rig.skeleton.get(),
                     .settings = settings_of(rig),
                     .target_model = target,
                     .pole_model = i % 2 == 0 ? random.vec(1) : Vec3{},
                     .pose = ik_pose(pose),
                     .missing_m = &missing};
    ASSERT_TRUE(job.run());
    EXPECT_LT(distance(rig.tip(pose), target), 1e-4F) << i;
    EXPECT_LT(missing, 1e-4F) << i;
    EXPECT_LT(rig.length_error(pose), 1e-5F) << i;
  }
}

TEST(TwoBoneIkJob, PutsMidOnThePolesSideAndTwistsFromThere) {
  RandomCharacter random(3);
  for (int i = 0; i < 500; ++i) {
    const IkRig rig(random, 2);
    Pose pose = rig.random_pose(random);
    const Vec3 base = rig.base(pose), pole = normalized(random.vec(1), {0, 1, 0});
    const Vec3 target = base + normalized(random.vec(1), {1, 0, 0}) * (0.8F * rig.length());
    const Vec3 line = normalized(target - base);
    const Vec3 side = normalized(pole - line * dot(pole, line));
    if (std::abs(dot(pole, line)) > 0.99F) continue;
    TwoBoneIkJob job{.skeleton = rig.skeleton.get(),
                     .settings = settings_of(rig),
                     .target_model = target,
                     .pole_model = pole,
                     .pose = ik_pose(pose)};
    const float twist = i % 2 == 0 ? 0 : random.number(-3, 3);
    job.settings.twist_rad = twist;
    ASSERT_TRUE(job.run());
    const Vec3 mid = rig.positions(pose)[static_cast<std::size_t>(rig.chain[1])] - base;
    const Vec3 mid_side = normalized(mid - line * dot(mid, line));
    EXPECT_LT(distance(mid_side, rotate(from_axis_angle(line, twist), side)), 2e-3F) << i;
  }
}

TEST(TwoBoneIkJob, BendsAStraightLimbAboutItsAxis) {
  RandomCharacter random(4);
  const IkRig rig(random, 2, true);
  Pose pose = make_pose(*rig.skeleton);
  const Vec3 target = lerp(rig.base(pose), rig.tip(pose), 0.7F);
  ASSERT_TRUE((TwoBoneIkJob{
      .skeleton = rig.skeleton.get(), .settings = settings_of(rig), .target_model = target, .pose = ik_pose(pose)}
                   .run()));
  EXPECT_LT(distance(rig.tip(pose), target), 1e-4F);
  const Vec3 turned = to_rotation_vector(pose.rotations[static_cast<std::size_t>(rig.chain[1])]);
  EXPECT_GT(turned.x, 0.5F);  // mid_axis is +x.
  EXPECT_LT(std::abs(turned.y) + std::abs(turned.z), 1e-4F);
}

TEST(TwoBoneIkJob, StretchesTowardsWhatIsOutOfReach) {
  RandomCharacter random(5);
  const IkRig rig(random, 2);
  Pose pose = rig.random_pose(random);
  const Vec3 base = rig.base(pose), far = base + Vec3{3, 1, -2};
  float missing = 0;
  ASSERT_TRUE((TwoBoneIkJob{.skeleton = rig.skeleton.get(),
                            .settings = settings_of(rig),
                            .target_model = far,
                            .pose = ik_pose(pose),
                            .missing_m = &missing}
                   .run()));
  EXPECT_LT(distance(rig.tip(pose), base + normalized(far - base) * rig.length()), 1e-3F);
  EXPECT_NEAR(missing, distance(far, base) - rig.length(), 1e-3F);
}

TEST(TwoBoneIkJob, SoftReachIsMonotonousAndNeverQuiteStraight) {
  RandomCharacter random(6);
  const IkRig rig(random, 2);
  const Pose start = rig.random_pose(random);
  const Vec3 base = rig.base(start);
  float last = 0;
  for (float share = 0.85F; share < 1.4F; share += 0.01F) {
    Pose pose = start;
    TwoBoneIkJob job{.skeleton = rig.skeleton.get(),
                     .settings = settings_of(rig),
                     .target_model = base + Vec3{0, 0, share * rig.length()},
                     .pose = ik_pose(pose)};
    job.settings.soften = 0.9F;
    ASSERT_TRUE(job.run());
    const float reached = distance(rig.tip(pose), base) / rig.length();
    if (share < 0.9F) {
      EXPECT_NEAR(reached, share, 1e-4F);
    }
    EXPECT_GT(reached, last);
    EXPECT_LT(reached, 0.9999F);
    EXPECT_LT(reached - last, share < 0.855F ? 1.0F : 0.0102F);  // No faster than the target.
    last = reached;
  }
}

TEST(TwoBoneIkJob, WeightZeroChangesNothing) {
  RandomCharacter random(7);
  const IkRig rig(random, 2);
  Pose pose = rig.random_pose(random);
  const Pose before = pose;
  TwoBoneIkJob job{.skeleton = rig.skeleton.get(), .settings = settings_of(rig), .pose = ik_pose(pose)};
  job.settings.weight = 0;
  ASSERT_TRUE(job.run());
  for (std::size_t i = 0; i < before.rotations.size(); ++i) {
    EXPECT_LT(angle_between(before.rotations[i], pose.rotations[i]), 1e-5F);
  }
}

TEST(BatchTwoBoneIkJob, EqualsTheSingleJobOnEveryTarget) {
  for (const simd::Target& isa : simd::supported_targets()) {
    const simd::ForceTarget force(isa);
    RandomCharacter random(8);
    const IkRig rig(random, 2);
    constexpr std::size_t kPoses = 37;
    PoseBatch batch(kPoses, static_cast<std::size_t>(rig.skeleton->num_joints()), false);
    VectorBatch targets(kPoses), poles(kPoses);
    std::vector<Pose> poses;
    std::vector<float> weights, missing(kPoses, -1);
    for (std::size_t i = 0; i < kPoses; ++i) {
      poses.push_back(rig.random_pose(random));
      const PoseView view = poses.back().view();
      pack_poses({&view, 1}, i, batch);
      targets.set(i, rig.base(poses.back()) + random.vec(0.6F));
      poles.set(i, i % 3 == 0 ? Vec3{} : random.vec(1));
      weights.push_back(random.number(0, 1));
    }
    BatchTwoBoneIkJob job{.skeleton = rig.skeleton.get(),
                          .settings = settings_of(rig),
                          .targets_model = &targets,
                          .poles_model = &poles,
                          .weights = weights,
                          .poses = &batch,
                          .missing_m = missing};
    job.settings.twist_rad = 0.3F;
    job.settings.soften = 0.95F;
    test::AllocationMeter meter;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(meter.allocations(), 0U);
    for (std::size_t i = 0; i < kPoses; ++i) {
      float single_missing = 0;
      TwoBoneIkJob single{.skeleton = rig.skeleton.get(),
                          .settings = job.settings,
                          .target_model = targets.get(i),
                          .pole_model = poles.get(i),
                          .pose = ik_pose(poses[i]),
                          .missing_m = &single_missing};
      single.settings.weight = weights[i];
      ASSERT_TRUE(single.run());
      Pose batched = make_pose(*rig.skeleton);
      unpack_pose(batch, i, batched);
      EXPECT_LT(rig.length_error(batched), 1e-5F) << isa.name << i;
      for (std::size_t joint = 0; joint < batched.rotations.size(); ++joint) {
        EXPECT_LT(angle_between(batched.rotations[joint], poses[i].rotations[joint]), 2e-4F) << isa.name << i;
      }
      EXPECT_NEAR(missing[i], single_missing, 1e-5F);
    }
  }
}

TEST(BatchTwoBoneIkJob, SaysWhichFieldIsWrong) {
  RandomCharacter random(9);
  const IkRig rig(random, 2);
  const auto n = static_cast<std::size_t>(rig.skeleton->num_joints());
  PoseBatch batch(4, n, false), scaled(4, n, true);
  VectorBatch targets(4), few(3);
  const BatchTwoBoneIkJob good{
      .skeleton = rig.skeleton.get(), .settings = settings_of(rig), .targets_model = &targets, .poses = &batch};
  EXPECT_EQ(good.validate(), nullptr);
  BatchTwoBoneIkJob job = good;
  job.poses = &scaled;
  EXPECT_STREQ(job.validate(), "poses has scales: bake them into the translations first");
  job = good;
  job.targets_model = &few;
  EXPECT_STREQ(job.validate(), "targets_model has another number of poses than poses");
  job = good;
  job.poles_model = &few;
  EXPECT_STREQ(job.validate(), "poles_model has another number of poses than poses");
  EXPECT_FALSE(job.run());
}

}  // namespace
}  // namespace zoe
