// SPDX-License-Identifier: MIT
#include "zoe/motion/sample.h"

#include <limits>

#include <gtest/gtest.h>

#include "motion/lerp_kernels.h"
#include "motion/synthetic.h"

namespace zoe {
namespace {

Motion clip() {
  Motion motion =
      test::random_motion({.num_joints = 13, .num_frames = 31, .fps = 30, .scales = true, .num_morph_weights = 5});
  motion.start_time_s = 2.5;
  return motion;
}

TEST(FindFrame, WrapsAsAsked) {
  const auto at = [](double time, Wrap wrap) { return find_frame(11, 10, 0, time, wrap); };
  EXPECT_EQ(at(-3, Wrap::kClamp).frame, 0);
  EXPECT_EQ(at(9, Wrap::kClamp).frame, 10);
  EXPECT_EQ(at(9, Wrap::kClamp).fraction, 0);
  EXPECT_EQ(at(1.0, Wrap::kLoop).frame, 10);  // The end is still the end,
  EXPECT_EQ(at(1.1, Wrap::kLoop).frame, 1);   // beyond it the clip starts again.
  EXPECT_EQ(at(-0.1, Wrap::kLoop).frame, 9);
  const FramePosition seam = at(1.05, Wrap::kLoopClosed);
  EXPECT_EQ(seam.frame, 10);
  EXPECT_EQ(seam.next_frame, 0);
  EXPECT_NEAR(seam.fraction, 0.5F, 1e-5F);
  EXPECT_EQ(at(1.1, Wrap::kLoopClosed).frame, 0);
  EXPECT_EQ(at(1e9, Wrap::kLoop).next_frame, at(1e9, Wrap::kLoop).frame);
  EXPECT_EQ(find_frame(1, 30, 0, 7, Wrap::kLoop).next_frame, 0);
}

TEST(SampleJob, RefusesWhatDoesNotFit) {
  const Motion motion = clip();
  Pose pose = make_pose(*motion.skeleton);
  SampleJob job;
  job.translations = pose.translations;
  job.rotations = pose.rotations;
  EXPECT_FALSE(job.validate());
  EXPECT_FALSE(job.run());
  job.motion = &motion;
  EXPECT_TRUE(job.validate());
  job.time_s = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(job.run());
  job.time_s = 0;
  job.rotations = job.rotations.subspan(1);
  EXPECT_NE(job.validate().error().message.find("rotations"), std::string::npos);
  job.rotations = pose.rotations;
  float one = 0;
  job.morph_weights = {&one, 1};
  EXPECT_FALSE(job.run());
}

TEST(SampleJob, IsExactAtFramesAndInterpolatesBetween) {
  const Motion motion = clip();
  Pose pose = make_pose(*motion.skeleton);
  std::vector<float> weights(5);
  for (const Interpolation interpolation : {Interpolation::kNlerp, Interpolation::kSlerp}) {
    SampleJob job{&motion, 0, Wrap::kClamp, interpolation, pose.translations, pose.rotations, pose.scales, weights};
    for (int frame = 0; frame < motion.num_frames; ++frame) {
      job.time_s = motion.start_time_s + frame / motion.fps;
      ASSERT_TRUE(job.run());
      const PoseView expected = motion.frame(frame);
      EXPECT_TRUE(std::equal(pose.rotations.begin(), pose.rotations.end(), expected.rotations.begin()));
      EXPECT_TRUE(std::equal(pose.translations.begin(), pose.translations.end(), expected.translations.begin()));
      EXPECT_TRUE(std::equal(pose.scales.begin(), pose.scales.end(), expected.scales.begin()));
      EXPECT_EQ(weights[3], motion.frame_morph_weights(frame)[3]);
    }
    job.time_s = motion.start_time_s + 7.25 / motion.fps;
    ASSERT_TRUE(job.run());
    for (std::size_t i = 0; i < pose.rotations.size(); ++i) {
      const auto a = motion.frame(7), b = motion.frame(8);
      EXPECT_LT(distance(pose.translations[i], lerp(a.translations[i], b.translations[i], 0.25F)), 1e-6F);
      EXPECT_LT(distance(pose.scales[i], lerp(a.scales[i], b.scales[i], 0.25F)), 1e-6F);
      const Quatd truth = slerp(to_double(a.rotations[i]), to_double(b.rotations[i]), 0.25);
      const double step = angle_between(to_double(a.rotations[i]), to_double(b.rotations[i]));
      EXPECT_LT(angle_between(to_double(pose.rotations[i]), truth), 0.0042 * step * step * step + 1e-6);
    }
    EXPECT_NEAR(weights[1], 0.75F * motion.frame_morph_weights(7)[1] + 0.25F * motion.frame_morph_weights(8)[1], 1e-6F);
  }
}

TEST(SampleJob, NlerpKeepsItsStatedDistanceFromSlerp) {
  for (double step = 0.05; step <= 1.5708; step += 0.05) {
    const Quatd a, b = from_axis_angle(Vec3d{0, 1, 0}, step);
    for (double t = 0; t <= 1; t += 0.01) {
      EXPECT_LE(angle_between(nlerp(a, b, t), slerp(a, b, t)), 0.0042 * step * step * step + 1e-7);
    }
  }
}

TEST(SampleJob, OnesWhereTheMotionHasNoScales) {
  const Motion motion = test::random_motion({});
  Pose pose = make_pose(*motion.skeleton);
  pose.scales.assign(pose.scales.size(), Vec3{9, 9, 9});
  sample(motion, 0.0123, Wrap::kClamp, pose);
  EXPECT_EQ(pose.scales[4], (Vec3{1, 1, 1}));
}

// Every tail length, both signs of the dot product.
TEST(LerpKernels, AgreeWithThePlainLoops) {
  const Motion motion = test::random_motion({.num_joints = 40});
  for (std::size_t n = 0; n <= 40; ++n) {
    std::vector<Quat> a(motion.rotations.begin(), motion.rotations.begin() + static_cast<long>(n)), out(n), expected(n);
    std::vector<Quat> b(motion.rotations.begin() + 80, motion.rotations.begin() + 80 + static_cast<long>(n));
    for (std::size_t i = 0; i < n; i += 3) b[i] = -b[i];
    nlerp_quats(a, b, 0.3F, out);
    nlerp_quats_scalar(a, b, 0.3F, expected);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(dot(out[i], expected[i]), 1.0F, 1e-6F);
    std::vector<float> fa(n), fb(n), fo(n), fe(n);
    for (std::size_t i = 0; i < n; ++i) fa[i] = a[i].x, fb[i] = b[i].y;
    lerp_floats(fa, fb, 0.7F, fo);
    lerp_floats_scalar(fa, fb, 0.7F, fe);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(fo[i], fe[i], 1e-6F);
  }
}

}  // namespace
}  // namespace zoe
