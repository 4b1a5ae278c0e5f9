// SPDX-License-Identifier: MIT
#include "zoe/scene/clip.h"

#include <gtest/gtest.h>

#include "scene/rig.h"

namespace zoe::scene {
namespace {

TEST(Clip, ShorterClipsStartOverOnASharedTimeLine) {
  const MotionPtr clip = make_clip(make_rig_skeleton(), 0, 0.3F);  // Two seconds.
  EXPECT_EQ(clip_time_s(*clip, 0.5), 0.5);
  EXPECT_EQ(clip_time_s(*clip, 2), 2);         // Its end is its own.
  EXPECT_EQ(clip_time_s(*clip, 2 + 1e-7), 2);  // Rounding does not start it over.
  EXPECT_NEAR(clip_time_s(*clip, 5.25), 1.25, 1e-9);
  const Motion still = make_motion(clip->skeleton, "still", 30, 1, false);
  EXPECT_EQ(clip_time_s(still, 3), 0);
}

TEST(Clip, ABareClipIsBonesInMetres) {
  Motion motion = make_motion(make_rig_skeleton(), "walk", 30, 2, false);
  const SkeletonPtr skeleton = motion.skeleton;
  const ClipOnBody clip = make_bare_clip(std::move(motion), "a walk");
  EXPECT_EQ(clip.title, "a walk");
  EXPECT_FALSE(clip.has_mesh());
  EXPECT_EQ(clip.character->skeleton, skeleton);
  EXPECT_EQ(clip.metres_per_unit, 1);
}

TEST(Clip, JointsAreMeasuredInTheUnitOfTheModel) {
  const Motion motion = make_motion(make_rig_skeleton(), "rest", 30, 2, false);
  EXPECT_NEAR(measure_joints_m(motion, 1), 1.5F, 1e-5F);  // From hand to hand.
  EXPECT_NEAR(measure_joints_m(motion, 0.01F), 0.015F, 1e-6F);
  EXPECT_EQ(measure_joints_m(motion, 1e9F), 1e4F);
  EXPECT_EQ(measure_joints_m(motion, 0), 1e-3F);
}

}  // namespace
}  // namespace zoe::scene
