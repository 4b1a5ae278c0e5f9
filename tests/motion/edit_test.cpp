// SPDX-License-Identifier: MIT
#include "zoe/motion/edit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/motion/sample.h"

#include "motion/synthetic.h"

namespace zoe {
namespace {

Motion clip(int frames = 61) {
  Motion motion =
      test::random_motion({.num_joints = 9, .num_frames = frames, .fps = 60, .scales = true, .num_morph_weights = 2});
  motion.start_time_s = 0.5;
  return motion;
}

void expect_same_frames(const Motion& a, int first_a, const Motion& b, int first_b, int count) {
  for (int k = 0; k < count; ++k) {
    const PoseView x = a.frame(first_a + k), y = b.frame(first_b + k);
    for (std::size_t i = 0; i < x.rotations.size(); ++i) {
      // Equal up to sign: operations may flip a track to keep it continuous.
      EXPECT_EQ(std::abs(x.rotations[i].x), std::abs(y.rotations[i].x));
      EXPECT_EQ(x.translations[i], y.translations[i]);
      EXPECT_EQ(x.scales[i], y.scales[i]);
    }
    EXPECT_EQ(a.frame_morph_weights(first_a + k)[1], b.frame_morph_weights(first_b + k)[1]);
  }
}

TEST(Resample, IsExactWhereFramesCoincide) {
  const Motion motion = clip();
  const Motion up = resample(motion, 240).value();
  EXPECT_EQ(up.num_frames, 241);
  EXPECT_TRUE(validate(up));
  EXPECT_DOUBLE_EQ(up.start_time_s, motion.start_time_s);
  EXPECT_NEAR(up.duration_s(), motion.duration_s(), 1e-12);
  for (int frame = 0; frame < motion.num_frames; ++frame) expect_same_frames(up, 4 * frame, motion, frame, 1);
  const Motion down = resample(motion, 20).value();
  EXPECT_EQ(down.num_frames, 21);
  for (int frame = 0; frame < down.num_frames; ++frame) expect_same_frames(down, frame, motion, 3 * frame, 1);
  // Up by a whole factor and back is the clip itself.
  expect_same_frames(resample(up, 60).value(), 0, motion, 0, motion.num_frames);
}

TEST(Resample, KeepsTheDurationWithinHalfAFrame) {
  const Motion motion = clip();
  for (const double fps : {7.0, 23.976, 24.0, 29.97, 59.94, 100.0, 144.0}) {
    const Motion out = resample(motion, fps).value();
    EXPECT_NEAR(out.duration_s(), motion.duration_s(), 0.5 / fps + 1e-9) << fps;
    EXPECT_TRUE(validate(out));
  }
  EXPECT_EQ(resample(clip(1), 10).value().num_frames, 1);
  EXPECT_FALSE(resample(motion, 0));
  EXPECT_FALSE(resample(motion, std::nan("")));
  EXPECT_FALSE(resample(motion, 1e300));
}

TEST(Trim, KeepsFramesAndTheirTimes) {
  const Motion motion = clip();
  const Motion cut = trim(motion, 10, 20).value();
  EXPECT_EQ(cut.num_frames, 11);
  EXPECT_DOUBLE_EQ(cut.start_time_s, 0.5 + 10 / 60.0);
  expect_same_frames(cut, 0, motion, 10, 11);
  const Motion same = trim_time(motion, 0.5 + 10 / 60.0, 0.5 + 20 / 60.0).value();
  EXPECT_EQ(same.num_frames, 11);
  expect_same_frames(same, 0, motion, 10, 11);
  EXPECT_EQ(trim_time(motion, -100, 100).value().num_frames, 61);
  EXPECT_FALSE(trim(motion, 5, 61));
  EXPECT_FALSE(trim(motion, 6, 5));
  EXPECT_FALSE(trim_time(motion, 3, 4));
  EXPECT_FALSE(trim_time(motion, std::nan(""), 4));
}

TEST(Reverse, TwiceIsTheClip) {
  const Motion motion = clip();
  expect_same_frames(reverse(motion), 0, motion, 60, 1);
  expect_same_frames(reverse(reverse(motion)), 0, motion, 0, 61);
}

TEST(Concatenate, AddsLengths) {
  const Motion a = clip(), b = trim(a, 3, 12).value();
  const Motion* both[] = {&a, &b};
  const Motion joined = concatenate(both).value();
  EXPECT_EQ(joined.num_frames, 71);
  expect_same_frames(joined, 0, a, 0, 61);
  expect_same_frames(joined, 61, b, 0, 10);
  const Motion shared = concatenate(both, {.drop_shared_frame = true}).value();
  EXPECT_EQ(shared.num_frames, 70);
  expect_same_frames(shared, 61, b, 1, 9);
  Motion other = b;
  other.fps = 30;
  const Motion* bad[] = {&a, &other};
  EXPECT_NE(concatenate(bad).error().message.find("resample"), std::string::npos);
  EXPECT_FALSE(concatenate({}));
}

TEST(Concatenate, AlignsRootsOnTheGround) {
  const Motion a = clip();
  const Motion* both[] = {&a, &a};
  const Motion joined = concatenate(both, {.align_root = true}).value();
  const Vec3 before = joined.frame(60).translations[0], after = joined.frame(61).translations[0];
  EXPECT_NEAR(before.x, after.x, 1e-5F);
  EXPECT_NEAR(before.z, after.z, 1e-5F);
  EXPECT_FLOAT_EQ(after.y, a.frame(0).translations[0].y);
  // The step inside the second copy is the original step, turned about Y: heights and lengths stay.
  for (int frame = 0; frame < 60; ++frame) {
    const Vec3 step = a.frame(frame + 1).translations[0] - a.frame(frame).translations[0];
    const Vec3 moved = joined.frame(62 + frame).translations[0] - joined.frame(61 + frame).translations[0];
    EXPECT_NEAR(length(step), length(moved), 1e-5F);
    EXPECT_NEAR(step.y, moved.y, 1e-6F);
    // So is the up vector's height.
    EXPECT_NEAR(rotate(joined.frame(61 + frame).rotations[0], Vec3{0, 1, 0}).y,
                rotate(a.frame(frame).rotations[0], Vec3{0, 1, 0}).y, 1e-5F);
  }
}

TEST(WithoutEndSites, KeepsTheOtherJoints) {
  std::vector<JointDesc> joints = {{"a", kNoJoint, {}, JointKind::kBone},
                                   {"tip", 0, {{0, 1, 0}}, JointKind::kEndSite},
                                   {"b", 0, {{1, 0, 0}}, JointKind::kBone},
                                   {"c", 2, {{2, 0, 0}}, JointKind::kBone}};
  Motion motion = make_motion(Skeleton::create(joints).value(), "m", 30, 4, true);
  motion.rotations[2 * 4 + 3] = from_axis_angle(Vec3{0, 1, 0}, 0.5F);
  const Motion out = without_end_sites(motion);
  ASSERT_TRUE(validate(out));
  ASSERT_EQ(out.num_joints(), 3);
  EXPECT_EQ(out.skeleton->name(2), "c");
  EXPECT_EQ(out.skeleton->parent(2), 1);
  EXPECT_EQ(out.rotations[2 * 3 + 2], motion.rotations[2 * 4 + 3]);
  EXPECT_EQ(out.scales.size(), 12U);
}

}  // namespace
}  // namespace zoe
