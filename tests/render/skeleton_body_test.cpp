// SPDX-License-Identifier: MIT
#include "zoe/render/skeleton_body.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace zoe::render {
namespace {

// A marker on the ground, then hips with a spine and two legs of two bones.
SkeletonPtr make_biped() {
  const auto at = [](float x, float y, float z) { return Transform{.translation = {x, y, z}}; };
  return Skeleton::create({{.name = "place"},
                           {.name = "hips", .parent = 0, .rest_local = at(0, 1, 0)},
                           {.name = "chest", .parent = 1, .rest_local = at(0, 0.5F, 0)},
                           {.name = "left_knee", .parent = 1, .rest_local = at(0.1F, -0.5F, 0)},
                           {.name = "left_foot", .parent = 3, .rest_local = at(0, -0.5F, 0)},
                           {.name = "right_knee", .parent = 1, .rest_local = at(-0.1F, -0.5F, 0)},
                           {.name = "right_foot", .parent = 5, .rest_local = at(0, -0.5F, 0)}})
      .value();
}

TEST(SkeletonBody, ABoneBetweenJointsAndABallAtEach) {
  const SkeletonPtr skeleton = make_biped();
  const SkeletonBody body(*skeleton, skeleton->rest_model());
  EXPECT_FALSE(body.is_drawn(0));  // The marker is no part of the body.
  EXPECT_TRUE(body.is_drawn(1));
  EXPECT_NEAR(body.size(), 1.5F, 1e-5);
  RenderFrame frame;
  body.add_to(frame, skeleton->rest_model(), {}, 7);
  EXPECT_EQ(frame.cones.size(), 5U + 6U);
  for (const RoundCone& cone : frame.cones) {
    EXPECT_EQ(cone.id, 7U);
    EXPECT_GT(cone.start_radius_m, 0);
    EXPECT_LT(cone.start_radius_m, 0.15F);
  }
}

// Ends follow the pose, also where a joint is pulled away from its parent; the scale of the world
// scales radii.
TEST(SkeletonBody, FollowsThePose) {
  const SkeletonPtr skeleton = make_biped();
  const SkeletonBody body(*skeleton, skeleton->rest_model());
  std::vector<Affine> pose(skeleton->rest_model().begin(), skeleton->rest_model().end());
  pose[2].t = {0.3F, 2.5F, 0};
  RenderFrame frame, twice;
  body.add_to(frame, pose, {});
  body.add_to(twice, pose, {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {}});
  const auto reaches = [&](Vec3 p) {
    return std::any_of(frame.cones.begin(), frame.cones.end(), [&](const RoundCone& c) {
      return distance(c.end_m, p) < 1e-6F && distance(c.start_m, p) > 0.1F;
    });
  };
  EXPECT_TRUE(reaches(pose[2].t));
  EXPECT_NEAR(twice.cones[0].start_radius_m, 2 * frame.cones[0].start_radius_m, 1e-6);
  EXPECT_NEAR(distance(twice.cones[0].end_m, frame.cones[0].end_m * 2.0F), 0, 1e-6);
}

// A pose of a body twice as large looks as the reference does in a space twice as large.
TEST(SkeletonBody, LargerBodiesHaveThickerBones) {
  const SkeletonPtr skeleton = make_biped();
  const SkeletonBody body(*skeleton, skeleton->rest_model(), 2);
  std::vector<Affine> large(skeleton->rest_model().begin(), skeleton->rest_model().end());
  for (Affine& joint : large) joint.t *= 2;
  RenderFrame expected, frame;
  body.add_to(expected, skeleton->rest_model(), {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {}});
  body.add_to(frame, large, {}, 0, {}, 2);
  ASSERT_EQ(frame.cones.size(), expected.cones.size());
  for (std::size_t i = 0; i < frame.cones.size(); ++i) {
    EXPECT_LT(distance(frame.cones[i].start_m, expected.cones[i].start_m), 1e-5F);
    EXPECT_LT(distance(frame.cones[i].end_m, expected.cones[i].end_m), 1e-5F);
    EXPECT_NEAR(frame.cones[i].start_radius_m, expected.cones[i].start_radius_m, 1e-6F);
  }
}

// A skull above the head's joint, along its neck, which turns with it.
TEST(SkeletonBody, APersonHasASkull) {
  const SkeletonPtr skeleton = make_biped();
  const int head = 2;
  const SkeletonBody body(*skeleton, skeleton->rest_model(), head);
  std::vector<Affine> pose(skeleton->rest_model().begin(), skeleton->rest_model().end());
  const auto skull_of = [&] {
    RenderFrame frame;
    body.add_to(frame, pose, {});
    EXPECT_EQ(frame.cones.size(), 5U + 6U + 1U);
    return frame.cones[5];
  };
  const RoundCone upright = skull_of();
  EXPECT_GT(upright.start_m.y, pose[head].t.y);
  EXPECT_GT(upright.end_m.y, upright.start_m.y);
  const float height = distance(upright.start_m, upright.end_m) + upright.start_radius_m + upright.end_radius_m;
  EXPECT_GT(height, body.size() / 9);
  EXPECT_LT(height, body.size() / 6);
  // Nods forward by a quarter turn.
  pose[head].y = {0, 0, 1};
  pose[head].z = {0, -1, 0};
  const RoundCone nodding = skull_of();
  EXPECT_NEAR(nodding.end_m.y, pose[head].t.y, 1e-5);
  EXPECT_GT(nodding.end_m.z, 0.05F);
}

}  // namespace
}  // namespace zoe::render
