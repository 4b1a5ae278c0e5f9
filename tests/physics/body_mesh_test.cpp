// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Shapes of bodies as meshes.
#include "zoe/physics/body_mesh.h"

#include <algorithm>

#include "bodies.h"

namespace zoe::physics {
namespace {

class BodyMesh : public testing::TestWithParam<BodyFamily> {};

TEST_P(BodyMesh, HasTheShapesOfThePlan) {
  const TestRig made = make_test_rig(GetParam());
  const CharacterPtr body = make_body_mesh(made.plan, made.body.skeleton);
  const Result<void> valid = validate(*body);
  ASSERT_TRUE(valid) << valid.error().format();
  const Mesh& mesh = body->meshes[0];
  // Outward triangles enclose the volumes; rounds have corners, so a little less.
  double volume = 0, expected = 0, lowest = 1e9;
  const auto at = [&](std::size_t i) { return to_double(mesh.positions[mesh.indices[i]]) * made.plan.metres_per_unit; };
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    volume += dot(at(i), cross(at(i + 1), at(i + 2))) / 6;
    lowest = std::min({lowest, at(i).y, at(i + 1).y, at(i + 2).y});
  }
  double lowest_shape = 1e9;
  for (const Bone& bone : made.plan.bones) {
    expected += bone.shape.volume_m3();
    const Affine& rest = made.body.skeleton->rest_model()[static_cast<std::size_t>(bone.joint)];
    const Vec3d origin = to_double(rest.t) * made.plan.metres_per_unit;
    lowest_shape = std::min(lowest_shape, bone.shape.lowest_y(to_double(rotation_of(rest)), origin));
  }
  EXPECT_LT(volume, expected);
  EXPECT_GT(volume, 0.93 * expected);
  EXPECT_NEAR(lowest, lowest_shape, 0.002 * made.plan.height_m);
}

INSTANTIATE_TEST_SUITE_P(Families, BodyMesh,
                         testing::Values(BodyFamily::kBiped, BodyFamily::kQuadruped, BodyFamily::kSnake));

}  // namespace
}  // namespace zoe::physics
