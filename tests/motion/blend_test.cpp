// SPDX-License-Identifier: MIT
#include "zoe/motion/blend.h"

#include <gtest/gtest.h>

#include "motion/synthetic.h"

namespace zoe {
namespace {

TEST(BlendJob, WeighsLayersAndMasks) {
  const Motion motion = test::random_motion({.num_joints = 8, .scales = true});
  const Pose rest = make_pose(*motion.skeleton);
  Pose out = rest;
  std::vector<float> mask(8, 1.0F);
  mask[3] = 0;
  const BlendLayer layers[] = {{motion.frame(10), 1, {}}, {motion.frame(60), 3, mask}};
  const BlendJob job{layers, rest.view(), out.translations, out.rotations, out.scales};
  ASSERT_TRUE(job.validate());
  ASSERT_TRUE(job.run());
  const PoseView a = motion.frame(10), b = motion.frame(60);
  EXPECT_LT(distance(out.translations[0], a.translations[0] * 0.25F + b.translations[0] * 0.75F), 1e-5F);
  EXPECT_LT(angle_between(out.rotations[5], nlerp(a.rotations[5], b.rotations[5], 0.75F)), 1e-3F);
  EXPECT_LT(angle_between(out.rotations[3], a.rotations[3]), 1e-3F);
  // Nothing weighs: the fallback.
  const BlendLayer none[] = {{motion.frame(10), 0, {}}};
  const BlendJob idle{none, rest.view(), out.translations, out.rotations, out.scales};
  ASSERT_TRUE(idle.run());
  EXPECT_EQ(out.rotations[2], rest.rotations[2]);
  const BlendLayer bad[] = {{motion.frame(10), -1, {}}};
  EXPECT_FALSE((BlendJob{bad, rest.view(), out.translations, out.rotations, out.scales}.run()));
  EXPECT_FALSE((BlendJob{layers, rest.view(), out.translations, std::span(out.rotations).subspan(1), {}}.run()));
}

TEST(Additive, SubtractThenAddIsThePose) {
  const Motion motion = test::random_motion({.num_joints = 8, .scales = true});
  Pose difference = make_pose(*motion.skeleton), pose = difference;
  subtract_pose(motion.frame(5), motion.frame(77), difference);
  const PoseView from = motion.frame(5), to = motion.frame(77);
  pose.translations.assign(from.translations.begin(), from.translations.end());
  pose.rotations.assign(from.rotations.begin(), from.rotations.end());
  pose.scales.assign(from.scales.begin(), from.scales.end());
  add_pose(difference.view(), 1, {}, pose);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_LT(angle_between(to_double(pose.rotations[i]), to_double(to.rotations[i])), 1e-5);
    EXPECT_LT(distance(pose.translations[i], to.translations[i]), 1e-6F);
    EXPECT_LT(distance(pose.scales[i], to.scales[i]), 1e-5F);
  }
}

TEST(BlendMotions, EndsAreTheInputs) {
  const Motion a = test::random_motion({.num_frames = 50, .num_morph_weights = 2});
  Motion b = test::random_motion({.num_frames = 40, .swing_rad = 0.3, .num_morph_weights = 2});
  EXPECT_LT(test::worst_position_difference(blend(a, b, 0).value(), a), 1e-5);
  const Motion at_b = blend(a, b, 1).value();
  EXPECT_EQ(at_b.num_frames, 40);
  EXPECT_LT(test::worst_position_difference(at_b, b), 1e-5);
  EXPECT_EQ(at_b.morph_weights[7], b.morph_weights[7]);
  EXPECT_TRUE(validate(blend(a, b, 0.4F).value()));
  EXPECT_FALSE(blend(a, b, 1.5F));
  b.fps = 50;
  EXPECT_FALSE(blend(a, b, 0.5F));
}

TEST(AddMotions, AddsDepartureFromTheFirstFrame) {
  const Motion base = test::random_motion({.num_frames = 50});
  Motion still = base;
  for (int frame = 1; frame < still.num_frames; ++frame) {
    std::copy_n(still.rotations.begin(), 20, still.rotations.begin() + 20 * frame);
    std::copy_n(still.translations.begin(), 20, still.translations.begin() + 20 * frame);
  }
  EXPECT_LT(test::worst_position_difference(add(base, still, 1).value(), base), 1e-5);
  // The clip's own departure on its frozen first frame gives the clip.
  EXPECT_LT(test::worst_position_difference(add(still, base, 1).value(), base), 1e-4);
}

}  // namespace
}  // namespace zoe
