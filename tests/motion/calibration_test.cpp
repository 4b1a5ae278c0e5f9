// SPDX-License-Identifier: MIT
#include "zoe/motion/calibration.h"

#include <array>

#include <gtest/gtest.h>

#include "zoe/math/quat.h"
#include "zoe/motion/edit.h"

#include "motion/synthetic.h"

namespace zoe {
namespace {

Motion with_pose_first(const Motion& motion, int num_frames) {
  Motion out = motion;
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t i = 0; i < static_cast<std::size_t>(num_frames) * joints; ++i) {
    out.rotations[i] = from_axis_angle(normalized(Vec3{1, 2, 3}), 1.0F);
  }
  return out;
}

TEST(Calibration, CountsFramesOfAStillPoseThatTheMotionLeavesAtOnce) {
  const Motion motion = test::random_motion({.fps = 120});
  EXPECT_EQ(num_calibration_frames(motion), 0);
  for (const int frames : {1, 2, 30}) EXPECT_EQ(num_calibration_frames(with_pose_first(motion, frames)), frames);
}

// A cut between two motions is for others to find; a start from rest is none; nor is a pose held
// for long.
TEST(Calibration, LeavesOtherStartsAlone) {
  const Motion motion = test::random_motion({.fps = 120});
  EXPECT_EQ(num_calibration_frames(with_pose_first(motion, 90)), 0);
  const Motion first = trim(motion, 0, 19).value(), second = trim(motion, 120, 199).value();
  EXPECT_EQ(num_calibration_frames(concatenate(std::array{&first, &second}).value()), 0);
  Motion rest = motion;
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t i = 0; i < 20 * joints; ++i) rest.rotations[i] = rest.rotations[20 * joints + i % joints];
  EXPECT_EQ(num_calibration_frames(rest), 0);
}

TEST(Calibration, DroppedFramesMoveTheStart) {
  const Motion whole = with_pose_first(test::random_motion({.fps = 120}), 3);
  Motion motion = whole;
  EXPECT_EQ(drop_calibration_frames(motion), 3);
  EXPECT_EQ(motion.num_frames, whole.num_frames - 3);
  EXPECT_NEAR(motion.start_time_s, whole.start_time_s + 3 / 120.0, 1e-9);
  EXPECT_EQ(drop_calibration_frames(motion), 0);
  EXPECT_EQ(motion.num_frames, whole.num_frames - 3);
}

TEST(Calibration, ShortClipsHaveNone) {
  const Motion motion = with_pose_first(test::random_motion({.fps = 120}), 1);
  for (const int frames : {1, 2, 3})
    EXPECT_EQ(num_calibration_frames(trim(motion, 0, frames - 1).value()), 0) << frames;
  EXPECT_EQ(num_calibration_frames(trim(motion, 0, 3).value()), 1);
}

}  // namespace
}  // namespace zoe
