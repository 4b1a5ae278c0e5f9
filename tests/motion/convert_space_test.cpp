// SPDX-License-Identifier: MIT
#include "zoe/motion/convert_space.h"

#include <limits>

#include <gtest/gtest.h>

#include "motion/synthetic.h"

namespace zoe {
namespace {

using Turn = SpaceChange::Turn;

TEST(ConvertSpace, MovesEveryJointByTheSameMap) {
  const Motion motion = test::random_motion({.num_frames = 20, .animated_translations = true, .scales = true});
  const SpaceChange change{Turn::kYUpToZUp, 100.0};
  const Motion converted = convert_space(motion, change, convert_space(*motion.skeleton, change));
  ASSERT_TRUE(validate(converted));
  std::vector<Affine> a(20), b(20);
  for (int frame = 0; frame < 20; ++frame) {
    compute_model_from_joint(*motion.skeleton, motion.frame(frame), a);
    compute_model_from_joint(*converted.skeleton, converted.frame(frame), b);
    for (std::size_t i = 0; i < 20; ++i) {
      const Vec3 p = a[i].t;
      EXPECT_LT(distance(b[i].t, Vec3{p.x, -p.z, p.y} * 100.0F), 2e-3F);
    }
  }
  const SpaceChange back = change.inverse();
  const Motion again = convert_space(converted, back, convert_space(*converted.skeleton, back));
  EXPECT_LT(test::worst_position_difference(again, motion), 1e-6);
  EXPECT_EQ(again.rotations[17], motion.rotations[17]);
  EXPECT_EQ(again.scales[17], motion.scales[17]);
}

TEST(ConvertSpace, CarriesMeshesAndBinds) {
  Character character;
  character.skeleton = test::random_skeleton(3, 5);
  Mesh mesh;
  mesh.positions = {{1, 2, 3}};
  mesh.normals = {{0, 1, 0}};
  mesh.morph_targets = {{"smile", {}, {{0, 0.5F, 0}}, {}}};
  character.meshes = {mesh};
  Skin skin;
  skin.joints = {2};
  skin.joint_from_mesh = {inverse(character.skeleton->rest_model()[2])};
  character.skins = {skin};
  character.instances = {{}};
  const SpaceChange change{Turn::kYUpToZUp, 2.0};
  const Character out = convert_space(character, change);
  EXPECT_EQ(out.meshes[0].positions[0], (Vec3{2, -6, 4}));
  EXPECT_EQ(out.meshes[0].normals[0], (Vec3{0, 0, 1}));
  EXPECT_EQ(out.meshes[0].morph_targets[0].position_deltas[0], (Vec3{0, 0, 1}));
  // At rest the skin still leaves the vertex where it is.
  const Affine skinning = out.skeleton->rest_model()[2] * out.skins[0].joint_from_mesh[0];
  EXPECT_LT(distance(skinning.apply_point({2, -6, 4}), Vec3{2, -6, 4}), 1e-5F);
}

TEST(ConvertSpace, RefusesSenselessScales) {
  EXPECT_TRUE(validate(SpaceChange{}));
  EXPECT_FALSE(validate(SpaceChange{Turn::kNone, 0}));
  EXPECT_FALSE(validate(SpaceChange{Turn::kNone, -1}));
  EXPECT_FALSE(validate(SpaceChange{Turn::kNone, std::numeric_limits<double>::infinity()}));
}

}  // namespace
}  // namespace zoe
