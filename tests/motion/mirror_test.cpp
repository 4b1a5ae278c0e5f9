// SPDX-License-Identifier: MIT
#include "zoe/motion/mirror.h"

#include <gtest/gtest.h>

#include "motion/synthetic.h"

namespace zoe {
namespace {

// Pelvis, spine, two legs of two joints: symmetric in the plane x = 0, with joint frames that are not.
SkeletonPtr two_legs() {
  const auto joint = [](const char* name, int parent, Vec3 offset, Quat rotation) {
    return JointDesc{name, parent, {offset, normalized(rotation), {1, 1, 1}}, JointKind::kBone};
  };
  // Model-space positions are symmetric, so local offsets depend on the parent's frame.
  const Quat hip_left{0.1F, 0.3F, -0.2F, 1}, hip_right{-0.4F, 0.2F, 0.3F, 1};
  const Vec3 thigh{0.05F, -0.4F, 0.02F};
  const Vec3 thigh_right{-thigh.x, thigh.y, thigh.z};
  return Skeleton::create(
             {joint("pelvis", -1, {0, 1, 0}, {}), joint("spine", 0, {0, 0.3F, 0}, {}),
              joint("left_hip", 0, {0.1F, 0, 0}, hip_left), joint("right_hip", 0, {-0.1F, 0, 0}, hip_right),
              joint("left_knee", 2, rotate(conjugate(normalized(hip_left)), thigh), {0.2F, 0, 0, 1}),
              joint("right_knee", 3, rotate(conjugate(normalized(hip_right)), thigh_right), {0, 0.1F, 0, 1})})
      .value();
}

Motion moving(const SkeletonPtr& skeleton) {
  Motion motion = make_motion(skeleton, "m", 30, 40, true);
  const Motion source = test::random_motion({.num_joints = 6, .num_frames = 40, .animated_translations = true});
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    motion.rotations[i] = normalized(motion.rotations[i] * source.rotations[i]);
    if (i % 6 == 0) motion.translations[i] = source.translations[i];
    motion.scales[i] = Vec3{1, 1, 1} * (1.0F + 0.01F * static_cast<float>(i % 7));
  }
  make_continuous(motion);
  return motion;
}

const MirrorMap kMap{{0, 1, 3, 2, 5, 4}, {1, 0, 0}, {}};

TEST(Mirror, TwiceIsTheClip) {
  const Motion motion = moving(two_legs());
  const Motion back = mirror(mirror(motion, kMap).value(), kMap).value();
  EXPECT_LT(test::worst_position_difference(motion, back), 1e-6);
  for (std::size_t i = 0; i < motion.rotations.size(); ++i) {
    EXPECT_LT(angle_between(to_double(motion.rotations[i]), to_double(back.rotations[i])), 1e-6);
    EXPECT_LT(distance(motion.scales[i], back.scales[i]), 1e-5F);
  }
}

TEST(Mirror, ReflectsPositions) {
  Motion motion = moving(two_legs());
  motion.scales.clear();
  const Motion mirrored = mirror(motion, kMap).value();
  EXPECT_TRUE(validate(mirrored));
  std::vector<Affine> a(6), b(6);
  for (int frame = 0; frame < motion.num_frames; ++frame) {
    compute_model_from_joint(*motion.skeleton, motion.frame(frame), a);
    compute_model_from_joint(*motion.skeleton, mirrored.frame(frame), b);
    for (std::size_t i = 0; i < 6; ++i) {
      const Vec3 p = a[static_cast<std::size_t>(kMap.partners[i])].t;
      EXPECT_LT(distance(b[i].t, Vec3{-p.x, p.y, p.z}), 1e-5F) << i;
    }
  }
}

TEST(Mirror, RestPoseIsItsOwnImage) {
  const SkeletonPtr skeleton = two_legs();
  const Motion rest = make_motion(skeleton, "rest", 30, 1, false);
  EXPECT_LT(test::worst_position_difference(mirror(rest, kMap).value(), rest), 1e-6);
}

TEST(Mirror, RefusesWrongMaps) {
  const Motion motion = moving(two_legs());
  EXPECT_FALSE(mirror(motion, {{0, 1, 3, 2, 5}, {1, 0, 0}, {}}));
  EXPECT_FALSE(mirror(motion, {{0, 1, 3, 4, 5, 2}, {1, 0, 0}, {}}));  // No involution.
  EXPECT_FALSE(mirror(motion, {{0, 1, 3, 2, 4, 5}, {1, 0, 0}, {}}));  // Knees stay while hips swap.
  EXPECT_FALSE(mirror(motion, {{0, 1, 3, 2, 5, 99}, {1, 0, 0}, {}}));
  EXPECT_FALSE(mirror(motion, {{0, 1, 3, 2, 5, 4}, {0, 0, 0}, {}}));
}

}  // namespace
}  // namespace zoe
