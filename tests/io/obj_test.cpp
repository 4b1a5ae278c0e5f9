// SPDX-License-Identifier: MIT
#include "zoe/io/obj.h"

#include <gtest/gtest.h>

#include "zoe/core/file.h"

#include "support/data.h"

namespace zoe::io {
namespace {

// A quad whose author had three points and a fourth that nothing uses; one point is split for its
// uvs.
Character split_quad() {
  Character character;
  character.skeleton = Skeleton::create({{"node", -1, {{0, 0, 1}}, JointKind::kNode}}).value();
  character.materials = {{.name = "dark wood"}};
  Mesh mesh;
  mesh.name = "my quad";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
  mesh.normals = std::vector<Vec3>(4, {0, 0, 1});
  mesh.uvs = {{0, 0}, {1, 0}, {0, 1}, {0.5F, 0.25F}};
  mesh.indices = {0, 1, 2, 3, 1, 2};
  mesh.submeshes = {{0, 6, 0}};
  mesh.source_points = {2, 1, 0, 2};
  mesh.num_source_points = 4;
  character.meshes = {mesh};
  character.instances = {{.mesh = 0, .joint = 0}, {.mesh = 0, .joint = -1}};
  return character;
}

TEST(Obj, PointsKeepTheAuthorsOrder) {
  const Character character = split_quad();
  const auto path = test::temporary_dir("obj") / "a.obj";
  ASSERT_TRUE(write_obj(path, character, make_pose(*character.skeleton).view()));
  const auto file = MappedFile::open(path);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->text(),
            "o my_quad\nv 0 1 1\nv 1 0 1\nv 0 0 1\nv 0 0 1\n"
            "vt 0 1\nvt 1 1\nvt 0 0\nvt 0.5 0.75\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
            "usemtl dark_wood\nf 3/1/1 2/2/2 1/3/3\nf 3/4/4 2/2/2 1/3/3\n"
            "o my_quad\nv 0 1 0\nv 1 0 0\nv 0 0 0\nv 0 0 0\n"
            "vt 0 1\nvt 1 1\nvt 0 0\nvt 0.5 0.75\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
            "usemtl dark_wood\nf 7/5/5 6/6/6 5/7/7\nf 7/8/8 6/6/6 5/7/7\n");
}

TEST(Obj, NormalsAndUvsCanBeLeftOut) {
  const Character character = split_quad();
  const std::vector<Affine> model{Affine{}};
  const std::vector<DeformedMesh> deformed{deform_instance(character, 0, model), deform_instance(character, 1, model)};
  const std::string text = format_obj(character, deformed, {.normals = false, .uvs = false});
  EXPECT_NE(text.find("\nf 3 2 1\n"), std::string::npos);
  EXPECT_NE(format_obj(character, deformed, {.uvs = false}).find("\nf 3//1 2//2 1//3\n"), std::string::npos);
}

TEST(Obj, RefusesCharactersWithoutMeshes) {
  Character character = split_quad();
  character.instances.clear();
  EXPECT_EQ(write_obj("x.obj", character, make_pose(*character.skeleton).view()).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace zoe::io
