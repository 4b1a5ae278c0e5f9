// SPDX-License-Identifier: MIT
// Rows of bones and the view of them.
#include "zoe/motion/bone_rows.h"

#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe {
namespace {

Vec3d any(Random& random) { return {random.normal(), random.normal(), random.normal()}; }
std::vector<BoneMotion> some_bones(Random& random) {
  std::vector<BoneMotion> bones(3);
  for (BoneMotion& bone : bones) bone = {any(random), from_rotation_vector(any(random)), any(random), any(random)};
  return bones;
}
std::vector<float> row_of(std::span<const BoneMotion> bones) {
  std::vector<float> row(bones.size() * kBoneRowWidth);
  write_bone_row(bones, row);
  return row;
}
std::vector<float> view_of(std::span<const BoneMotion> body, std::span<const BoneMotion> target) {
  std::vector<float> view(static_cast<std::size_t>(bone_view_width(static_cast<int>(body.size()))));
  write_bone_view(row_of(body), row_of(target), view);
  return view;
}

// Turned about +Y and moved over the ground.
std::vector<BoneMotion> carried(std::vector<BoneMotion> bones, double yaw_rad, Vec3d by) {
  const Quatd turn = from_axis_angle(Vec3d{0, 1, 0}, yaw_rad);
  for (BoneMotion& bone : bones)
    bone = {rotate(turn, bone.position_m) + by, turn * bone.rotation, rotate(turn, bone.velocity_m_s),
            rotate(turn, bone.spin_rad_s)};
  return bones;
}

TEST(BoneView, DoesNotDependOnPlaceAndFacing) {
  Random random(1);
  const std::vector<BoneMotion> body = some_bones(random), target = some_bones(random);
  const Vec3d by{3, 0, -4};
  const std::vector<float> here = view_of(body, target), there = view_of(carried(body, 2, by), carried(target, 2, by));
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(here[i], there[i], 1e-5) << i;
  // Heights do.
  const std::vector<float> above = view_of(carried(body, 0, {0, 1, 0}), carried(target, 0, {0, 1, 0}));
  EXPECT_NEAR(above[3], here[3] + 1, 1e-5);
}

TEST(BoneView, HasTheNumbersByHand) {
  // The root is turned by 90 degrees about +Y: its x axis points along -z, its z axis along +x.
  const Quatd turned = from_axis_angle(Vec3d{0, 1, 0}, 1.5707963267948966);
  const std::vector<BoneMotion> body{{{1, 2, 3}, turned, {1, 0, 0}, {0, 5, 0}}, {{2, 2, 3}, turned, {}, {}}};
  std::vector<BoneMotion> target = body;
  target[1].position_m.y += 0.25;
  target[1].velocity_m_s = {0, 0, -2};
  const std::vector<float> view = view_of(body, target);
  EXPECT_NEAR(view[1], 1, 1e-6);           // Up is the root's own y.
  EXPECT_NEAR(view[3], 2, 1e-6);           // Height of the root.
  EXPECT_NEAR(view[5 + 9 + 2], 1, 1e-6);   // Its velocity along its z.
  EXPECT_NEAR(view[5 + 15 + 2], 1, 1e-6);  // The other bone is 1 m along it.
  const std::size_t error = 5 + 2 * 15 + 15;
  EXPECT_NEAR(view[error + 1], 0.25, 1e-6);  // Its target is above it,
  EXPECT_NEAR(view[error + 3], 1, 1e-6);     // turned as it is,
  EXPECT_NEAR(view[error + 9], 2, 1e-6);     // and moves along the root's x.
  std::vector<float> change(12);
  write_bone_change(row_of(body), row_of(target), change);
  EXPECT_NEAR(change[6], 2, 1e-6);
  EXPECT_NEAR(change[0], 0, 1e-6);
}

}  // namespace
}  // namespace zoe
