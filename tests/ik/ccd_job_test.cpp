// SPDX-License-Identifier: MIT
#include "zoe/ik/ccd_job.h"

#include <gtest/gtest.h>

#include "ik/ik_rig.h"
#include "support/allocation.h"

namespace zoe {
namespace {

using test::IkRig;
using test::RandomCharacter;

TEST(CcdJob, SaysWhichFieldIsWrong) {
  RandomCharacter random(1);
  const IkRig rig(random, 3);
  Pose pose = rig.random_pose(random);
  const CcdJob good{.skeleton = rig.skeleton.get(), .chain = rig.chain, .pose = ik_pose(pose)};
  EXPECT_EQ(good.validate(), nullptr);
  CcdJob job = good;
  job.max_step_rad = 0;
  EXPECT_STREQ(job.validate(), "max_step_rad is not above zero");
  EXPECT_FALSE(job.run());
  job = good;
  job.tolerance_m = NAN;
  EXPECT_STREQ(job.validate(), "tolerance_m is negative");
  job = good;
  job.chain = job.chain.first(1);
  EXPECT_STREQ(job.validate(), "chain has fewer than two joints");
  job = good;
  job.weight = 1.5F;
  EXPECT_STREQ(job.validate(), "weight is not within [0, 1]");
}

TEST(CcdJob, ReachesAndKeepsLengths) {
  RandomCharacter random(2);
  for (int i = 0; i < 300; ++i) {
    const IkRig rig(random, 4);
    Pose pose = rig.random_pose(random);
    const Vec3 base = rig.base(pose);
    const Vec3 target = base + normalized(random.vec(1), {1, 0, 0}) * random.number(0.3F, 0.8F) * rig.length();
    CcdJob job{.skeleton = rig.skeleton.get(),
               .chain = rig.chain,
               .target_model = target,
               .max_iterations = 200,
               .pose = ik_pose(pose)};
    test::AllocationMeter meter;
    ASSERT_TRUE(job.run());
    EXPECT_EQ(meter.allocations(), 0U);
    EXPECT_LT(distance(rig.tip(pose), target), 1.1e-3F) << i;
    EXPECT_LT(rig.length_error(pose), 1e-5F);
  }
}

TEST(CcdJob, RespectsLimits) {
  RandomCharacter random(3);
  int reached = 0;
  constexpr int kTries = 300;
  for (int i = 0; i < kTries; ++i) {
    const IkRig rig(random, 3, true);
    Pose pose = make_pose(*rig.skeleton), goal = pose;
    const std::vector<JointLimit> limits{make_cone({}, {0, -1, 0}, 1.2F, -0.5F, 0.5F),
                                         make_hinge({}, {1, 0, 0}, 0, 2.5F),
                                         make_cone({}, {0, -1, 0}, 0.6F, -0.5F, 0.5F)};
    // Bent a little to begin with: from a straight chain a hinge cannot see which way to go.
    pose.rotations[static_cast<std::size_t>(rig.chain[1])] = from_axis_angle(Vec3{1, 0, 0}, 0.5F);
    for (std::size_t k = 0; k < 3; ++k) {
      Quat& q = goal.rotations[static_cast<std::size_t>(rig.chain[k])];
      q = clamp_to_limit(limits[k], nlerp(Quat{}, random.quat(), 0.5F));
    }
    float missing = 0;
    ASSERT_TRUE((CcdJob{.skeleton = rig.skeleton.get(),
                        .chain = rig.chain,
                        .target_model = rig.tip(goal),
                        .limits = limits,
                        .max_iterations = 100,
                        .pose = ik_pose(pose),
                        .missing_m = &missing}
                     .run()));
    EXPECT_NEAR(distance(rig.tip(pose), rig.tip(goal)), missing, 1e-5F);
    reached += missing < 0.01F ? 1 : 0;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT(limit_violation_rad(limits[k], pose.rotations[static_cast<std::size_t>(rig.chain[k])]), 1e-3F) << i;
    }
  }
  EXPECT_GE(reached, kTries * 6 / 10);
  RecordProperty("reached", reached);
}

}  // namespace
}  // namespace zoe
