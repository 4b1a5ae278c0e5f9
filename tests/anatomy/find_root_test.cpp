// SPDX-License-Identifier: MIT
#include "zoe/anatomy/find_root.h"

#include <numbers>

#include <gtest/gtest.h>

#include "zoe/anatomy/root_joints.h"

namespace zoe {
namespace {

SkeletonPtr make_person() {
  const auto joint = [](const char* name, int parent, Vec3 offset) { return JointDesc{name, parent, {offset, {}}}; };
  return Skeleton::create({joint("hips", kNoJoint, {0, 1, 0}), joint("left_leg", 0, {0.1F, -0.05F, 0}),
                           joint("right_leg", 0, {-0.1F, -0.05F, 0}), joint("neck", 0, {0, 0.5F, 0})})
      .value();
}

// Hips and both legs, as the analysis of a person finds them.
SkeletonAnalysis analysis_of_person() {
  SkeletonAnalysis body;
  body.family = BodyFamily::kBiped;
  body.root = body.hips = 0;
  body.limbs = {{LimbKind::kLeg, Side::kLeft, {1}}, {LimbKind::kLeg, Side::kRight, {2}}};
  return body;
}

// 2 m/s along +X, turned to look there.
Motion walk_along_x() {
  Motion motion = make_motion(make_person(), "walk", 30, 31, false);
  const auto n = static_cast<std::size_t>(motion.num_joints());
  for (std::size_t f = 0; f < 31; ++f) {
    motion.translations[f * n] += Vec3{2.0F * static_cast<float>(f) / 30, 0, 0.5F};
    motion.rotations[f * n] = from_axis_angle(Vec3{0, 1, 0}, std::numbers::pi_v<float> / 2);
  }
  return motion;
}

// Without hips, shoulders or a neck the first joint says where the body is, and nothing where it looks.
TEST(FindRoot, OfAnUnknownBodyIsItsFirstJoint) {
  const Motion motion = walk_along_x();
  const RootTrajectory root = find_root(motion, SkeletonAnalysis{});
  ASSERT_EQ(root.roots.size(), 31u);
  EXPECT_EQ(root.fps, 30);
  EXPECT_LT(distance(root.roots[15].position, {1, 0, 0.5F}), 1e-5F);
  EXPECT_EQ(root.roots[15].facing_rad, 0);
  for (const Vec3 velocity : root.velocities) EXPECT_LT(distance(velocity, {2, 0, 0}), 1e-3F);
}

TEST(FindRoot, OfAPersonFacesAcrossTheHips) {
  const RootTrajectory root = find_root(walk_along_x(), analysis_of_person());
  ASSERT_EQ(root.roots.size(), 31u);
  for (const std::size_t frame : {0u, 15u, 30u}) {
    EXPECT_NEAR(root.roots[frame].facing_rad, std::numbers::pi_v<float> / 2, 1e-3F);
    EXPECT_LT(distance(root.roots[frame].position, {2.0F * static_cast<float>(frame) / 30, 0, 0.5F}), 1e-3F);
  }
}

// Rigs whose sides are named as a viewer before them sees them.
TEST(FindRoot, MirroredSidesDoNotTurnABodyRound) {
  SkeletonAnalysis body = analysis_of_person();
  body.reference_positions = {{0, 1, 0}, {0.1F, 0.95F, 0}, {-0.1F, 0.95F, 0}, {0, 1.5F, 0}};
  EXPECT_NEAR(find_root(walk_along_x(), body).roots[0].facing_rad, std::numbers::pi_v<float> / 2, 1e-3F);
  std::swap(body.limbs[0].side, body.limbs[1].side);
  EXPECT_NEAR(find_root(walk_along_x(), body).roots[0].facing_rad, std::numbers::pi_v<float> / 2, 1e-3F);
}

// The joint of a spider's head may be behind that of its body: then its legs tell where it faces.
TEST(FindRoot, AHeadBehindTheHipsIsNotAhead) {
  SkeletonAnalysis body = analysis_of_person();
  body.family = BodyFamily::kOctopod;
  body.head = 3;
  body.reference_positions = {{0, 1, 0}, {0.1F, 0.95F, 0}, {-0.1F, 0.95F, 0}, {0, 1.5F, 0.3F}};
  EXPECT_EQ(facing_rule(body, root_joints(body)), RootOptions::Facing::kQuadruped);
  body.reference_positions[3].z = -0.3F;
  EXPECT_EQ(facing_rule(body, root_joints(body)), RootOptions::Facing::kBiped);
}

TEST(FindRoot, OfOneFrameStands) {
  const Motion motion = make_motion(make_person(), "still", 30, 1, false);
  const RootTrajectory root = find_root(motion, SkeletonAnalysis{});
  ASSERT_EQ(root.velocities.size(), 1u);
  EXPECT_EQ(root.velocities[0], Vec3{});
}

TEST(FindRoot, RootsBetweenFramesAndAtTheEnds) {
  RootTrajectory root{.fps = 10};
  root.roots = {{{0, 0, 0}, 0}, {{1, 0, 2}, 0.4F}, {{3, 0, 2}, 0.2F}};
  EXPECT_LT(distance(root_at(root, 0.05).position, {0.5F, 0, 1}), 1e-5F);
  EXPECT_NEAR(root_at(root, 0.05).facing_rad, 0.2F, 1e-6F);
  EXPECT_EQ(root_at(root, 0.1).position, (Vec3{1, 0, 2}));
  EXPECT_EQ(root_at(root, -1).position, (Vec3{}));
  EXPECT_EQ(root_at(root, 9).position, (Vec3{3, 0, 2}));
  EXPECT_EQ(root_at(RootTrajectory{}, 1).position, Vec3{});
}

}  // namespace
}  // namespace zoe
