// SPDX-License-Identifier: MIT
#include "zoe/motion/frame_span.h"

#include <gtest/gtest.h>

namespace zoe {
namespace {

SkeletonPtr two_joints() {
  return Skeleton::create({{"root", kNoJoint, {}}, {"tip", 0, {{0, 1, 0}, {}, {2, 2, 2}}}}).value();
}

TEST(FrameSpan, WritesOneFrameAndNoOther) {
  for (const bool scales : {false, true}) {
    Motion motion = make_motion(two_joints(), "m", 30, 3, scales);
    Pose pose = make_pose(*motion.skeleton);
    pose.translations[1] = {4, 5, 6};
    pose.rotations[0] = {1, 0, 0, 0};
    pose.scales[1] = {3, 3, 3};
    const Motion before = motion;
    copy_pose(pose.view(), frame_span(motion, 1));
    EXPECT_EQ(motion.frame(1).translations[1], (Vec3{4, 5, 6}));
    EXPECT_EQ(motion.frame(1).rotations[0], (Quat{1, 0, 0, 0}));
    EXPECT_EQ(motion.frame(1).scales.empty(), !scales);
    if (scales) {
      EXPECT_EQ(motion.frame(1).scales[1], (Vec3{3, 3, 3}));
    }
    for (const int other : {0, 2}) {
      EXPECT_EQ(motion.frame(other).translations[1], before.frame(other).translations[1]);
      EXPECT_EQ(motion.frame(other).rotations[0], before.frame(other).rotations[0]);
    }
  }
}

TEST(FrameSpanDeathTest, RefusesAFrameThatIsNotThere) {
  Motion motion = make_motion(two_joints(), "m", 30, 3, false);
  EXPECT_DEATH(frame_span(motion, 3), "does not have this frame");
  EXPECT_DEATH(frame_span(motion, -1), "does not have this frame");
}

}  // namespace
}  // namespace zoe
