// SPDX-License-Identifier: MIT
#include "zoe/motion/statistics.h"

#include <cmath>

#include <gtest/gtest.h>

#include "motion/synthetic.h"

namespace zoe {
namespace {

TEST(BoneLengths, RigidBonesDoNotChange) {
  const Motion motion = test::random_motion({});
  const auto bones = bone_lengths(motion);
  EXPECT_EQ(bones[0].mean, 0);
  for (std::size_t i = 1; i < bones.size(); ++i) {
    EXPECT_GT(bones[i].rest, 0.04F);
    EXPECT_EQ(bones[i].min, bones[i].rest);
    EXPECT_EQ(bones[i].max, bones[i].rest);
    EXPECT_LT(bones[i].deviation, 1e-6F);
  }
}

TEST(BoneLengths, SeesStretching) {
  Motion motion = test::random_motion({.num_frames = 2});
  motion.translations[20 + 3] = motion.translations[3] * 3.0F;
  const BoneLength bone = bone_lengths(motion)[3];
  EXPECT_FLOAT_EQ(bone.max, 3 * bone.rest);
  EXPECT_FLOAT_EQ(bone.mean, 2 * bone.rest);
  EXPECT_FLOAT_EQ(bone.deviation, bone.rest);
}

// A hinge swinging by ±1 rad about z while its bone points along y; one frame is an outlier.
TEST(JointLimits, FindsTheHingeAndIgnoresOutliers) {
  const Transform up{{0, 1, 0}, normalized(Quat{0.3F, 0.1F, 0, 1}), {1, 1, 1}};
  const SkeletonPtr skeleton = Skeleton::create({{"hinge", kNoJoint, up, JointKind::kBone},
                                                 {"tip", 0, {{0, 1, 0}, {}, {1, 1, 1}}, JointKind::kBone}})
                                   .value();
  Motion motion = make_motion(skeleton, "hinge", 100, 1001, false);
  for (int frame = 0; frame < 1001; ++frame) {
    const float angle = frame == 500 ? 3.0F : std::sin(0.05F * static_cast<float>(frame));
    auto& q = motion.rotations[2 * static_cast<std::size_t>(frame)];
    q = normalized(q * from_axis_angle(Vec3{0, 0, 1}, angle));
  }
  const JointLimits all = joint_limits(motion).value()[0];
  EXPECT_NEAR(all.axes[2].max, 3.0F, 1e-3F);
  EXPECT_NEAR(all.axes[2].min, -1.0F, 1e-3F);
  EXPECT_NEAR(all.axes[0].max, 0.0F, 1e-3F);
  EXPECT_LT(distance(all.twist_axis, Vec3{0, 1, 0}), 1e-6F);
  EXPECT_NEAR(all.twist.max, 0.0F, 1e-3F);
  EXPECT_NEAR(all.swing.max, 3.0F, 1e-3F);
  const JointLimits robust = joint_limits(motion, {.low = 0.01, .high = 0.99}).value()[0];
  EXPECT_NEAR(robust.axes[2].max, 1.0F, 1e-2F);
  EXPECT_NEAR(robust.swing.max, 1.0F, 1e-2F);
  EXPECT_FALSE(joint_limits(motion, {.low = 0.9, .high = 0.1}));
  motion = make_motion(skeleton, "none", 100, 0, false);
  EXPECT_FALSE(joint_limits(motion));
}

}  // namespace
}  // namespace zoe
