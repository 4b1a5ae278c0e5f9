// SPDX-License-Identifier: MIT
#include "zoe/scene/extent.h"

#include <gtest/gtest.h>

#include "zoe/scene/surroundings.h"

#include "scene/rig.h"

namespace zoe::scene {
namespace {

// The rig walks along +Z, two metres a second.
Motion walking(int num_frames = 61) {
  Motion motion = make_motion(make_rig_skeleton(), "walk", 30, num_frames, false);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  for (int f = 0; f < num_frames; ++f)
    motion.translations[static_cast<std::size_t>(f) * n].z = 2.0F * static_cast<float>(f) / 30;
  return motion;
}

render::SkeletonBody bones_of(const Skeleton& skeleton) { return {skeleton, skeleton.rest_model()}; }

bool inside(Vec3 p, const BodyExtent::Sample& sample) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (p[axis] < sample.min[axis] - 1e-5F || p[axis] > sample.max[axis] + 1e-5F) return false;
  }
  return true;
}

TEST(Extent, OfBonesHoldsEveryJointAndItsBall) {
  const Motion motion = walking();
  const render::SkeletonBody bones = bones_of(*motion.skeleton);
  const BodyExtent extent = measure_extent(motion, nullptr, &bones, {});
  ASSERT_EQ(extent.samples.size(), 61u);  // Every frame: bones cost little.
  EXPECT_EQ(extent.samples.front().time_s, 0);
  EXPECT_NEAR(extent.samples.back().time_s, 2, 1e-9);
  std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(0), joints);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!bones.is_drawn(static_cast<int>(j))) continue;
    const float r = bones.joint_radius(static_cast<int>(j));
    EXPECT_TRUE(inside(joints[j].t + Vec3{r, r, r}, extent.samples[0]));
    EXPECT_TRUE(inside(joints[j].t - Vec3{r, r, r}, extent.samples[0]));
  }
  // Hands are 0.75 m to each side: with their balls that is the largest extent.
  EXPECT_GT(extent.size_m, 1.5F);
  EXPECT_LT(extent.size_m, 1.7F);
  EXPECT_NEAR(extent.samples.back().max.z - extent.samples.front().max.z, 4, 0.01F);
}

TEST(Extent, OfBonesHoldsEverythingThatIsDrawn) {
  const Motion motion = walking();
  const int head = motion.skeleton->num_joints() - 1;  // Any joint with a parent gets a skull.
  const render::SkeletonBody bones(*motion.skeleton, motion.skeleton->rest_model(), head);
  const BodyExtent extent = measure_extent(motion, nullptr, &bones, {});
  std::vector<Affine> joints(static_cast<std::size_t>(motion.num_joints()));
  compute_model_from_joint(*motion.skeleton, motion.frame(0), joints);
  render::RenderFrame frame;
  bones.add_to(frame, joints, {});
  for (const render::RoundCone& cone : frame.cones) {
    for (const auto& [center, radius] :
         {std::pair{cone.start_m, cone.start_radius_m}, {cone.end_m, cone.end_radius_m}}) {
      EXPECT_TRUE(inside(center + Vec3{radius, radius, radius}, extent.samples[0]));
      EXPECT_TRUE(inside(center - Vec3{radius, radius, radius}, extent.samples[0]));
    }
  }
}

TEST(Extent, FrontIsTheMeanFacingUnlessTheBodyTurnsAround) {
  RootTrajectory root;
  for (int i = 0; i < 10; ++i) root.roots.push_back({{}, 1 + 0.1F * static_cast<float>(i)});
  EXPECT_NEAR(front_of(root), 1.45F, 1e-3F);
  root.roots.clear();
  for (int i = 0; i < 100; ++i) root.roots.push_back({{}, 0.3F + 0.0628F * static_cast<float>(i)});
  EXPECT_NEAR(front_of(root), 0.3F, 1e-3F);
}

// The farthest points in every direction are among the outline: seen from anywhere it is as wide as the body.
TEST(Extent, OutlineReachesTheBoxOnAllSides) {
  const MotionPtr motion = make_clip(make_rig_skeleton(), 0.3F, 0.6F);
  const render::SkeletonBody bones = bones_of(*motion->skeleton);
  for (const BodyExtent::Sample& sample : measure_extent(*motion, nullptr, &bones, {}).samples) {
    ASSERT_EQ(sample.outline.size(), 26u);
    Vec3 min = sample.outline[0], max = min;
    for (const Vec3 p : sample.outline) {
      EXPECT_TRUE(inside(p, sample));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        min[axis] = std::min(min[axis], p[axis]);
        max[axis] = std::max(max[axis], p[axis]);
      }
    }
    EXPECT_EQ(min, sample.min);
    EXPECT_EQ(max, sample.max);
  }
}

TEST(Extent, FollowsTheUnitOfTheModelAndScales) {
  const Motion motion = walking();
  const render::SkeletonBody bones = bones_of(*motion.skeleton);
  BodyExtent metres = measure_extent(motion, nullptr, &bones, {});
  const BodyExtent centimetres =
      measure_extent(motion, nullptr, &bones, {{0.01F, 0, 0}, {0, 0.01F, 0}, {0, 0, 0.01F}, {}});
  EXPECT_NEAR(centimetres.size_m, metres.size_m * 0.01F, 1e-6F);
  scale_extent(metres, 0.01F);
  EXPECT_NEAR(metres.size_m, centimetres.size_m, 1e-6F);
  EXPECT_NEAR(metres.lowest_m, centimetres.lowest_m, 1e-6F);
  EXPECT_LT(distance(metres.samples[5].outline[3], centimetres.samples[5].outline[3]), 1e-5F);
  EXPECT_LT(distance(metres.samples[5].max, centimetres.samples[5].max), 1e-5F);
}

// A sword five metres long, held by a body one metre high: the picture is of the body.
TEST(Extent, WhatABodyHoldsCountsOnlyNearIt) {
  auto character = std::make_shared<Character>(*make_rig());
  Mesh& skin = character->meshes[0];
  skin.morph_targets.clear();
  skin.positions = {{0, 1, 0}, {0.4F, 1, 0}, {0, 2, 0}};
  Mesh& sword = character->meshes[1];
  sword.morph_targets.clear();
  sword.positions = {{0, 0, 0}, {0, 0, 5}, {0, 0.1F, 0}};
  sword.influences_per_vertex = 0;
  sword.influence_joints.clear();
  sword.influence_weights.clear();
  const Motion motion = make_motion(character->skeleton, "still", 30, 2, false);
  const BodyExtent held = measure_extent(motion, character.get(), nullptr, {});
  EXPECT_NEAR(held.samples[0].max.z, 0.3F, 1e-4F);  // Three tenths of the body's size beyond it.
  // Where the skin is a rag and the joints are high above it, rigid meshes are the body.
  skin.positions = {{0, 1, 0}, {0.4F, 1, 0}, {0, 1.05F, 0}};
  EXPECT_NEAR(measure_extent(motion, character.get(), nullptr, {}).samples[0].max.z, 5, 1e-3F);
}

TEST(Extent, GroundIsALowPercentileNotTheLowestPoint) {
  Motion motion = walking(20);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  motion.translations[7 * n].y = -3;  // One frame falls through the floor.
  const render::SkeletonBody bones = bones_of(*motion.skeleton);
  EXPECT_GT(measure_extent(motion, nullptr, &bones, {}).lowest_m, 0.8F);
}

TEST(Surroundings, GroundIsAtZeroUnlessFeetSayOtherwise) {
  const auto ground = [](float lowest_m, float size_m) {
    return ground_height_m(BodyExtent{.samples = {{}}, .lowest_m = lowest_m, .size_m = size_m});
  };
  EXPECT_EQ(ground(0.1F, 1.8F), 0.1F);  // Feet a little above: the ground is there.
  EXPECT_EQ(ground(0.9F, 1.8F), 0);     // It flies.
  EXPECT_EQ(ground(-4, 1.8F), -4);
}

TEST(Surroundings, AreInProportionToTheBody) {
  render::RenderFrame person, spider;
  fit_surroundings({.samples = {{}}, .size_m = 1.8F}, {0, 1, 4}, {0, 1, 0}, person);
  fit_surroundings({.samples = {{}}, .size_m = 0.018F}, {0, 0.01F, 0.04F}, {0, 0.01F, 0}, spider);
  EXPECT_EQ(person.environment.grid_cell_m, 1);  // People: metres.
  EXPECT_NEAR(spider.environment.grid_cell_m, 0.0078F, 1e-3F);
  EXPECT_NEAR(spider.settings.shadow_softness_m * 100, person.settings.shadow_softness_m, 1e-6F);
  EXPECT_NEAR(spider.environment.ground_fade_m * 100, person.environment.ground_fade_m, 1e-3F);
}

}  // namespace
}  // namespace zoe::scene
