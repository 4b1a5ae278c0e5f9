// SPDX-License-Identifier: MIT
#include "zoe/character/deform.h"

#include <gtest/gtest.h>

#include "zoe/character/pose.h"

namespace zoe {
namespace {

constexpr float kQuarter = 1.57079633F;

// Two joints, a metre apart; a mesh of three points bound to the first, both, the second.
Character bent_arm() {
  Character character;
  character.skeleton =
      Skeleton::create({{"upper", -1, {}}, {"lower", 0, {{1, 0, 0}}}, {"node", -1, {}, JointKind::kNode}}).value();
  Mesh mesh;
  mesh.positions = {{0.5F, 0, 0}, {1, 0.5F, 0}, {2, 0, 0}};
  mesh.normals = std::vector<Vec3>(3, {0, 1, 0});
  mesh.influences_per_vertex = 2;
  mesh.influence_joints = {0, 0, 0, 1, 1, 0};
  mesh.influence_weights = {1, 0, 0.5F, 0.5F, 1, 0};
  mesh.morph_targets = {{"up", {2}, {{0, 0, 1}}, {}}};
  character.meshes = {mesh};
  character.skins = {{"skin", {0, 1}, {Affine{}, inverse(to_affine(Transform{{1, 0, 0}}))}}};
  character.instances = {{.mesh = 0, .joint = 2, .skin = 0}};
  return character;
}

std::vector<Affine> bent_pose(const Character& character, Quat elbow, Transform node = {}) {
  Pose pose = make_pose(*character.skeleton);
  pose.rotations[1] = elbow;
  pose.translations[2] = node.translation;
  pose.rotations[2] = node.rotation;
  std::vector<Affine> model(3);
  compute_model_from_joint(*character.skeleton, pose.view(), model);
  return model;
}

TEST(Deform, BlendsJointsAndIgnoresTheMeshNode) {
  const Character character = bent_arm();
  const auto pose = bent_pose(character, from_axis_angle(Vec3{0, 0, 1}, kQuarter), {{9, 9, 9}});
  const DeformedMesh mesh = deform_instance(character, 0, pose);
  EXPECT_LT(distance(mesh.positions[0], {0.5F, 0, 0}), 1e-6F);
  EXPECT_LT(distance(mesh.positions[1], {0.75F, 0.25F, 0}),
            1e-6F);  // Half way between (1, .5) and (.5, 0).
  EXPECT_LT(distance(mesh.positions[2], {1, 1, 0}), 1e-6F);
  EXPECT_LT(distance(mesh.normals[2], {-1, 0, 0}), 1e-6F);
}

TEST(Deform, MorphsBeforeSkinning) {
  const Character character = bent_arm();
  const std::vector<float> weights{0.5F};
  const auto pose = bent_pose(character, from_axis_angle(Vec3{1, 0, 0}, kQuarter));
  EXPECT_LT(distance(deform_instance(character, 0, pose, weights).positions[2], {2, -0.5F, 0}), 1e-6F);
}

TEST(Deform, MayaSkinsFollowTheirNode) {
  Character character = bent_arm();
  character.instances[0].skin_follows_joint = true;
  character.instances[0].joint_from_model_at_bind = to_affine(Transform{{-1, 0, 0}});
  const auto pose = bent_pose(character, {}, {{0, 5, 0}, from_axis_angle(Vec3{0, 0, 1}, kQuarter)});
  // (2,0,0) in model space, one left by the bind, a quarter turn, five up.
  EXPECT_LT(distance(deform_instance(character, 0, pose).positions[2], {0, 6, 0}), 1e-5F);
}

// Half bound to a joint at rest, half to one twisted by 120 degrees around its axis.
TEST(Deform, DualQuaternionsKeepTheRadiusOfATwist) {
  Character character = bent_arm();
  const auto pose = bent_pose(character, from_axis_angle(Vec3{1, 0, 0}, 2.0943951F));
  const auto radius = [&] {
    const Vec3 p = deform_instance(character, 0, pose).positions[1];
    return std::hypot(p.y, p.z);
  };
  EXPECT_NEAR(radius(), 0.25F, 1e-6F);  // Half of 0.5: the cosine of 60 degrees.
  character.skins[0].blend = SkinBlend::kDualQuaternion;
  EXPECT_NEAR(radius(), 0.5F, 1e-6F);
  const DeformedMesh dual = deform_instance(character, 0, pose);
  EXPECT_LT(distance(dual.positions[1], {1, 0.25F, 0.4330127F}), 1e-6F);
  EXPECT_LT(distance(dual.normals[1], {0, 0.5F, 0.8660254F}), 1e-6F);
  EXPECT_LT(distance(dual.positions[2], {2, 0, 0}), 1e-6F);  // One influence: as ever.
  // Shares of linear blending lie between the two.
  character.meshes[0].linear_shares = {0, 0.5F, 0};
  EXPECT_NEAR(radius(), 0.375F, 1e-6F);
  character.meshes[0].linear_shares = {0, 1, 0};
  EXPECT_NEAR(radius(), 0.25F, 1e-6F);
}

// Scaled joints: the stretch is blended linearly, the rigid rest as dual quaternions.
TEST(Deform, DualQuaternionsFollowScaledJoints) {
  Character character = bent_arm();
  character.skins[0].blend = SkinBlend::kDualQuaternion;
  std::vector<Affine> pose = bent_pose(character, {});
  for (Affine& joint : pose) joint = to_affine(Transform{{}, {}, {2, 2, 2}}) * joint;
  const DeformedMesh scaled = deform_instance(character, 0, pose);
  for (std::size_t v = 0; v < 3; ++v) {
    EXPECT_LT(distance(scaled.positions[v], character.meshes[0].positions[v] * 2.0F), 1e-5F) << v;
  }
}

TEST(Deform, RigidMeshesHangOnTheirJoint) {
  Character character = bent_arm();
  character.instances[0] = {.mesh = 0, .joint = 1};
  character.instances[0].joint_from_mesh = to_affine(Transform{{0, 0, 1}, {}, {1, 2, 1}});
  const auto pose = bent_pose(character, from_axis_angle(Vec3{0, 0, 1}, kQuarter));
  const DeformedMesh mesh = deform_instance(character, 0, pose);
  EXPECT_LT(distance(mesh.positions[1], {0, 1, 1}), 1e-6F);
  EXPECT_LT(distance(mesh.normals[1], {-1, 0, 0}), 1e-6F);
}

}  // namespace
}  // namespace zoe
