// SPDX-License-Identifier: MIT
#include "zoe/motion/remap.h"

#include <gtest/gtest.h>

namespace zoe {
namespace {

SkeletonPtr make(std::vector<JointDesc> joints) { return Skeleton::create(std::move(joints)).value(); }

// Hips moves, Spine and Head turn; the middle joint of the source has no namesake on the target and vice versa.
Motion source_motion() {
  const auto skeleton =
      make({{"Hips", -1, {{0, 1, 0}}}, {"Spine", 0, {{0, 0.5F, 0}}}, {"Twist", 1, {}}, {"Head", 2, {{0, 0.4F, 0}}}});
  Motion motion = make_motion(skeleton, "nod", 30, 3, false);
  for (int frame = 0; frame < 3; ++frame) {
    const float angle = 0.3F * static_cast<float>(frame);
    const std::size_t first = static_cast<std::size_t>(frame) * 4;
    motion.translations[first] = {angle, 1, 0};
    motion.rotations[first + 1] = from_axis_angle(Vec3{1, 0, 0}, angle);
    motion.rotations[first + 2] = from_axis_angle(Vec3{0, 1, 0}, angle);
    motion.rotations[first + 3] = from_axis_angle(Vec3{0, 0, 1}, angle);
  }
  return motion;
}

TEST(Remap, SameSkeletonIsTheSameMotion) {
  const Motion motion = source_motion();
  RemapReport report;
  const Motion out = remap_by_name(motion, motion.skeleton, &report);
  EXPECT_EQ(report.num_matched, 4);
  EXPECT_TRUE(report.unmatched_source.empty());
  EXPECT_EQ(out.translations, motion.translations);
  EXPECT_EQ(out.rotations, motion.rotations);
}

TEST(Remap, HelperJointsOnEitherSideDoNoHarm) {
  const Motion motion = source_motion();
  const Quat tilt = from_axis_angle(Vec3{0, 0, 1}, 0.5F);
  const auto target = make({{"Armature", -1, {}},
                            {"rig:Hips", 0, {{0, 1, 0}}},
                            {"Spine", 1, {{0, 0.5F, 0}}},
                            {"Helper", 2, {{0.1F, 0.2F, 0}, tilt}},
                            {"Head", 3, {{0, 0.2F, 0}}}});
  RemapReport report;
  const Motion out = remap_by_name(motion, target, &report);
  EXPECT_EQ(report.num_matched, 3);
  ASSERT_EQ(report.unmatched_source.size(), 1U);
  EXPECT_EQ(motion.skeleton->name(report.unmatched_source[0]), "Twist");
  std::vector<Affine> from(4), to(5);
  compute_model_from_joint(*motion.skeleton, motion.frame(2), from);
  compute_model_from_joint(*target, out.frame(2), to);
  EXPECT_LT(angle_between(rotation_of(from[3]), rotation_of(to[4])), 1e-5F);  // Head looks the same way.
  EXPECT_LT(distance(from[0].t, to[1].t), 1e-6F);                             // Hips travel.
  EXPECT_EQ(out.frame(2).translations[4], (Vec3{0, 0.2F, 0}));                // Head keeps the target's own offset.
}

}  // namespace
}  // namespace zoe
