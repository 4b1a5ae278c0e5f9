// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. The bind pose of skins, and which pose is the reference.
#include "zoe/anatomy/bind_pose.h"

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"

#include "support/skinned_body.h"

namespace zoe {
namespace {

// The same joints with nodes that hold a frame of an idle: one arm down and bent, head and hips turned.
SkeletonPtr posed(const Skeleton& skeleton) {
  std::vector<JointDesc> joints(skeleton.joints().begin(), skeleton.joints().end());
  const auto turn = [&](const char* name, Vec3 axis, float angle) {
    joints[static_cast<std::size_t>(skeleton.find(name))].rest_local.rotation = from_axis_angle(axis, angle);
  };
  turn("LeftArm", {0, 0, 1}, -1.2F);
  turn("LeftForeArm", {0, 1, 0}, -0.9F);
  turn("RightArm", {0, 0, 1}, 0.5F);
  turn("Spine", {1, 0, 0}, 0.3F);
  turn("LeftUpLeg", {1, 0, 0}, -0.5F);
  turn("LeftLeg", {1, 0, 0}, 0.9F);
  return Skeleton::create(joints).value();
}

TEST(BindPose, ComesFromTheInverseBindMatrices) {
  const SkeletonPtr straight = make_skeleton(person_joints()), idle = posed(*straight);
  const CharacterPtr character = make_skinned(idle, rest_of(*straight), [](int) { return true; });
  const std::optional<Pose> pose = anatomy::bind_pose(*character);
  ASSERT_TRUE(pose.has_value());
  std::vector<Affine> model(static_cast<std::size_t>(idle->num_joints()));
  compute_model_from_joint(*idle, pose->view(), model);
  for (std::size_t j = 0; j < model.size(); ++j)
    EXPECT_LT(distance(model[j].t, straight->rest_model()[j].t), 1e-4F) << idle->name(static_cast<int>(j));
}

TEST(BindPose, IsTheReferenceWhereNodesHoldAnIdle) {
  const SkeletonPtr straight = make_skeleton(person_joints()), idle = posed(*straight);
  const CharacterPtr character = make_skinned(idle, rest_of(*straight), [](int) { return true; });
  const SkeletonAnalysis body = analyse(*idle, {}, character.get());
  EXPECT_TRUE(body.reference_is_bind);
  const auto hand = static_cast<std::size_t>(idle->find("LeftHand"));
  EXPECT_LT(distance(body.reference_positions[hand], straight->rest_model()[hand].t), 1e-4F);
  EXPECT_EQ(body.family, BodyFamily::kBiped);
}

// Some exporters bind in any pose and leave the nodes straight.
TEST(BindPose, IsNotTheReferenceWhereNodesAreStraighter) {
  const SkeletonPtr straight = make_skeleton(person_joints()), idle = posed(*straight);
  const CharacterPtr character = make_skinned(straight, rest_of(*idle), [](int) { return true; });
  EXPECT_FALSE(analyse(*straight, {}, character.get()).reference_is_bind);
}

// Nodes and skin both hold a frame of a run, one clip has a T-pose.
TEST(BindPose, AFrameOfAClipIsTheReferenceWhereNodesAndSkinArePosed) {
  const SkeletonPtr straight = make_skeleton(person_joints()), idle = posed(*straight);
  const CharacterPtr character = make_skinned(idle, rest_of(*idle), [](int) { return true; });
  Motion clip = make_motion(idle, "pose", 30, 3, true);
  const std::size_t n = static_cast<std::size_t>(idle->num_joints());
  for (std::size_t j = 0; j < n; ++j) clip.rotations[n + j] = straight->rest_local(static_cast<int>(j)).rotation;
  const SkeletonAnalysis body = analyse(*idle, {&clip, 1}, character.get());
  EXPECT_EQ(body.reference_clip, 0);
  EXPECT_EQ(body.reference_frame, 1);
  const auto hand = static_cast<std::size_t>(idle->find("LeftHand"));
  EXPECT_LT(distance(body.reference_positions[hand], straight->rest_model()[hand].t), 1e-4F);
  EXPECT_NEAR(body.ground_height, 0, 0.05);  // Of the surface in that frame.
  EXPECT_NEAR(body.height_m, 1.67, 0.05);
  // Without the clip there is nothing better.
  EXPECT_EQ(analyse(*idle, {}, character.get()).reference_clip, -1);
}

TEST(BindPose, ARootThatIsPosedTooDoesNotTiltTheBody) {
  const SkeletonPtr straight = make_skeleton(person_joints());
  std::vector<JointDesc> joints(straight->joints().begin(), straight->joints().end());
  joints[0].rest_local.rotation = from_axis_angle(Vec3{1, 0, 0}, 0.4F);
  joints[1].rest_local.rotation = from_axis_angle(Vec3{0, 0, 1}, 0.3F);
  const SkeletonPtr tilted = Skeleton::create(joints).value();
  const CharacterPtr character = make_skinned(tilted, rest_of(*straight), [](int) { return true; });
  const std::optional<Pose> pose = anatomy::bind_pose(*character);
  ASSERT_TRUE(pose.has_value());
  std::vector<Affine> model(static_cast<std::size_t>(tilted->num_joints()));
  compute_model_from_joint(*tilted, pose->view(), model);
  EXPECT_LT(distance(model[5].t, straight->rest_model()[5].t), 1e-4F);
}

TEST(BindPose, SurvivesSingularMatricesAndNoSkin) {
  const SkeletonPtr skeleton = make_skeleton(person_joints());
  Character empty;
  empty.skeleton = skeleton;
  EXPECT_FALSE(anatomy::bind_pose(empty).has_value());
  Character character = *make_skinned(skeleton, rest_of(*skeleton), [](int) { return true; });
  for (Affine& m : character.skins[0].joint_from_mesh) m = {{}, {}, {}, {}};
  EXPECT_FALSE(anatomy::bind_pose(character).has_value());
}

}  // namespace
}  // namespace zoe
