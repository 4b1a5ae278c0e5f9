// SPDX-License-Identifier: MIT
// What comes back beside colours: depth, normals, ids, alpha; against closed forms.
#include <cmath>

#include "render/gl_support.h"

namespace zoe::test {
namespace {

using render::RenderFrame;

// A ball of half a metre, two metres in front of the camera.
RenderFrame ball_frame() {
  RenderFrame frame;
  frame.camera = render::look_at({0, 1, 3}, {0, 1, 0});
  frame.settings.width = 160;
  frame.settings.height = 90;
  frame.settings.write_ids = true;
  frame.cones.push_back(
      {.start_m = {0, 1, 0}, .end_m = {0, 1, 0}, .start_radius_m = 0.5F, .end_radius_m = 0.5F, .id = 42});
  return frame;
}

class Outputs : public GlTest {};

TEST_F(Outputs, BallHasTheDepthAndNormalsOfABall) {
  RenderFrame frame = ball_frame();
  frame.environment.ground = false;
  for (const int supersampling : {1, 3}) {
    frame.settings.supersampling = supersampling;
    ASSERT_TRUE(renderer().render(frame));
    std::vector<float> depths;
    std::vector<Vec3> normals;
    std::vector<std::uint32_t> ids;
    renderer().read_depth_m(depths);
    renderer().read_normals(normals);
    renderer().read_ids(ids);
    ASSERT_EQ(depths.size(), 160U * 90U);
    const std::size_t middle = 45 * 160 + 80;
    EXPECT_NEAR(depths[middle], 2.5, 0.01);
    EXPECT_GT(normals[middle].z, 0.99F);
    EXPECT_EQ(ids[middle], 42U);
    EXPECT_EQ(renderer().pick(80, 45), 42U);
    EXPECT_EQ(renderer().pick(2, 2), 0U);
    EXPECT_EQ(renderer().pick(-1, 500), 0U);
    EXPECT_EQ(depths[0], 0);
    EXPECT_EQ(normals[0], Vec3{});
    // Every covered pixel lies on the sphere (a mesh of 20 by 12 facets), and its normal points
    // away from the centre.
    const float edge = std::tan(frame.camera.fov_y_rad / 2);
    int covered = 0;
    for (int y = 0; y < 90; ++y) {
      for (int x = 0; x < 160; ++x) {
        const auto at = static_cast<std::size_t>(y * 160 + x);
        if (depths[at] == 0) continue;
        ++covered;
        const float d = depths[at], u = ((static_cast<float>(x) + 0.5F) / 160 * 2 - 1) * edge * 160 / 90,
                    v = (1 - (static_cast<float>(y) + 0.5F) / 90 * 2) * edge;
        const Vec3 place{u * d, 1 + v * d, 3 - d};
        EXPECT_NEAR(distance(place, Vec3{0, 1, 0}), 0.5, 0.03);
        EXPECT_GT(dot(normalized(place - Vec3{0, 1, 0}), normals[at]), 0.93F);
      }
    }
    // The disc of a sphere seen from outside: tan of its half angle, asin(r / d).
    const double radius_px = std::tan(std::asin(0.5 / 3)) / static_cast<double>(edge) * 45;
    EXPECT_NEAR(covered, 3.14159 * radius_px * radius_px, 0.06 * covered);
  }
}

TEST_F(Outputs, GroundHasTheDepthOfAPlane) {
  RenderFrame frame = ball_frame();
  frame.cones.clear();
  frame.environment.ground_height_m = 0.25F;
  ASSERT_TRUE(renderer().render(frame));
  std::vector<float> depths;
  renderer().read_depth_m(depths);
  const float edge = std::tan(frame.camera.fov_y_rad / 2);
  for (int y = 60; y < 90; y += 5) {
    const float v = (1 - (static_cast<float>(y) + 0.5F) / 90 * 2) * edge;  // Below the horizon: negative.
    EXPECT_NEAR(depths[static_cast<std::size_t>(y * 160 + 80)], -0.75F / v, 0.01F * -0.75F / v) << y;
  }
}

TEST_F(Outputs, OrthographicDepth) {
  RenderFrame frame = ball_frame();
  frame.camera.ortho_height_m = 2;
  frame.environment.ground = false;
  ASSERT_TRUE(renderer().render(frame));
  std::vector<float> depths;
  renderer().read_depth_m(depths);
  EXPECT_NEAR(depths[45 * 160 + 80], 2.5, 0.01);
  int covered = 0;
  for (const float d : depths) covered += d > 0 ? 1 : 0;
  EXPECT_NEAR(covered, 3.14159 * 22.5 * 22.5, 0.05 * covered);
}

TEST_F(Outputs, BackgroundCanBeTransparent) {
  RenderFrame frame = ball_frame();
  frame.settings.transparent_background = true;
  frame.settings.supersampling = 4;
  render::Picture picture;
  ASSERT_TRUE(renderer().render(frame));
  renderer().read_color(picture);
  EXPECT_EQ(picture.pixel(0, 0)[3], 0);
  EXPECT_EQ(picture.pixel(80, 89)[3], 0);  // No ground either.
  EXPECT_EQ(picture.pixel(80, 45)[3], 255);
  // The edge is soft, and its colour is the ball's, not black: alpha is not multiplied in.
  int soft = 0;
  for (int x = 0; x < 160; ++x) {
    const std::uint8_t* p = picture.pixel(x, 45);
    if (p[3] > 20 && p[3] < 235) {
      ++soft;
      EXPECT_GT(p[1], 40) << x;
    }
  }
  EXPECT_GE(soft, 1);
}

}  // namespace
}  // namespace zoe::test
