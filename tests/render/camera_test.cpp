// SPDX-License-Identifier: MIT
#include "zoe/render/camera.h"

#include <cmath>

#include <gtest/gtest.h>

namespace zoe::render {
namespace {

Vec3 project(const Mat4& m, Vec3 p) {
  const Vec4 clip = transform(m, {p.x, p.y, p.z, 1});
  return {clip.x / clip.w, clip.y / clip.w, clip.z / clip.w};
}

TEST(Camera, LooksAtItsTarget) {
  const Camera camera = look_at({3, 2, 5}, {1, 1, 1});
  const Vec3 middle = project(clip_from_world(camera, 16.0F / 9), {1, 1, 1});
  EXPECT_NEAR(middle.x, 0, 1e-6);
  EXPECT_NEAR(middle.y, 0, 1e-6);
  // What is above the target is above it in the picture, what is left of the view is left.
  EXPECT_GT(project(clip_from_world(camera, 1), {1, 1.5F, 1}).y, 0.05F);
  EXPECT_LT(project(clip_from_world(camera, 1), Vec3{1, 1, 1} - camera.world_from_camera.x).x, -0.05F);
}

TEST(Camera, LooksStraightDownWithoutBreaking) {
  const Camera camera = look_at({0, 5, 0}, {0, 0, 0});
  EXPECT_NEAR(determinant(camera.world_from_camera), 1, 1e-5);
}

TEST(Camera, DepthIsReversedAndEndless) {
  Camera camera = look_at({0, 0, 0}, {0, 0, -1});
  camera.near_m = 0.1F;
  const Mat4 clip = clip_from_world(camera, 1);
  EXPECT_NEAR(project(clip, {0, 0, -0.1F}).z, 1, 1e-6);
  EXPECT_NEAR(project(clip, {0, 0, -10}).z, 0.01, 1e-7);
  EXPECT_GT(project(clip, {0, 0, -1e6F}).z, 0);
}

TEST(Camera, OpeningAngleReachesTheEdge) {
  Camera camera = look_at({0, 0, 0}, {0, 0, -1});
  camera.fov_y_rad = 1;
  const Mat4 clip = clip_from_world(camera, 2);
  EXPECT_NEAR(project(clip, {0, 3 * std::tan(0.5F), -3}).y, 1, 1e-5);
  EXPECT_NEAR(project(clip, {6 * std::tan(0.5F), 0, -3}).x, 1, 1e-5);
}

TEST(Camera, OrthographicKeepsSizes) {
  Camera camera = look_at({0, 0, 0}, {0, 0, -1});
  camera.ortho_height_m = 4;
  camera.ortho_depth_m = 50;
  const Mat4 clip = clip_from_world(camera, 1.5F);
  for (const float z : {-1.0F, -40.0F}) {
    EXPECT_NEAR(project(clip, {0, 2, z}).y, 1, 1e-6);
    EXPECT_NEAR(project(clip, {3, 0, z}).x, 1, 1e-6);
    EXPECT_NEAR(project(clip, {0, 0, z}).z, 1 + z / 50, 1e-6);
  }
}

TEST(Mat4, InverseUndoes) {
  const Camera camera = look_at({3, 2, 5}, {1, 1, 1});
  const Mat4 m = clip_from_world(camera, 1.3F), product = m * inverse(m);
  for (int i = 0; i < 16; ++i) EXPECT_NEAR(product.columns[i], i % 5 == 0 ? 1 : 0, 2e-5) << i;
}

}  // namespace
}  // namespace zoe::render
