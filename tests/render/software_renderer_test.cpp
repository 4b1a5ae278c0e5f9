// SPDX-License-Identifier: MIT
// The software rasteriser behind a RenderFrame: outputs against closed forms, and what styles promise.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "zoe/render/renderer.h"

namespace zoe::test {
namespace {

using render::DrawStyle;
using render::Picture;
using render::RenderFrame;

RenderFrame ball_frame(int width = 160, int height = 90) {
  RenderFrame frame;
  frame.camera = render::look_at({0, 1, 3}, {0, 1, 0});
  frame.settings.width = width;
  frame.settings.height = height;
  frame.settings.write_ids = true;
  frame.environment.ground = false;
  frame.cones.push_back(
      {.start_m = {0, 1, 0}, .end_m = {0, 1, 0}, .start_radius_m = 0.5F, .end_radius_m = 0.5F, .id = 42});
  return frame;
}

Picture draw(render::Renderer& renderer, const RenderFrame& frame) {
  EXPECT_TRUE(renderer.render(frame));
  Picture picture;
  renderer.read_color(picture);
  return picture;
}

float brightness(const std::uint8_t* p) {
  return (0.30F * static_cast<float>(p[0]) + 0.59F * static_cast<float>(p[1]) + 0.11F * static_cast<float>(p[2])) / 255;
}

TEST(SoftwareRenderer, BallHasTheDepthAndNormalsOfABall) {
  const auto renderer = render::Renderer::create_software();
  RenderFrame frame = ball_frame();
  for (const bool ortho : {false, true}) {
    if (ortho) frame.camera.ortho_height_m = 1.6F;
    draw(*renderer, frame);
    std::vector<float> depths;
    std::vector<Vec3> normals;
    std::vector<std::uint32_t> ids;
    renderer->read_depth_m(depths);
    renderer->read_normals(normals);
    renderer->read_ids(ids);
    const std::size_t middle = 45 * 160 + 80;
    EXPECT_NEAR(depths[middle], 2.5, 0.01);
    EXPECT_EQ(ids[middle], 42U);
    EXPECT_EQ(renderer->pick(80, 45), 42U);
    EXPECT_EQ(renderer->pick(1, 1), 0U);
    EXPECT_EQ(renderer->pick(-1, 500), 0U);
    EXPECT_EQ(depths[0], 0);
    EXPECT_EQ(normals[0], Vec3{});
    const float edge = ortho ? 0.8F : std::tan(frame.camera.fov_y_rad / 2);
    int covered = 0;
    for (int y = 0; y < 90; ++y) {
      for (int x = 0; x < 160; ++x) {
        const auto at = static_cast<std::size_t>(y * 160 + x);
        if (depths[at] == 0) continue;
        ++covered;
        // The middle of two samples each way is the second one: half a sample right and down.
        const float d = depths[at], far = ortho ? 1.0F : d;
        const float u = ((static_cast<float>(x) + 0.75F) / 160 * 2 - 1) * edge * 160 / 90 * far,
                    v = (1 - (static_cast<float>(y) + 0.75F) / 90 * 2) * edge * far;
        const Vec3 place{u, 1 + v, 3 - d};
        EXPECT_NEAR(distance(place, Vec3{0, 1, 0}), 0.5, 0.02);
        EXPECT_GT(dot(normalized(place - Vec3{0, 1, 0}), normals[at]), 0.93F);
      }
    }
    const double radius_px = (ortho ? 0.5 : std::tan(std::asin(0.5 / 3))) / static_cast<double>(edge) * 45;
    EXPECT_NEAR(covered, 3.14159 * radius_px * radius_px, 0.06 * covered);
  }
}

TEST(SoftwareRenderer, TrianglesBehindTheCameraAreCutOff) {
  const auto renderer = render::Renderer::create_software();
  // A floor that begins behind the camera: its depth is that of the plane.
  Mesh mesh;
  mesh.positions = {{-50, 0, -50}, {50, 0, -50}, {50, 0, 50}, {-50, 0, 50}};
  mesh.indices = {0, 2, 1, 0, 3, 2};
  mesh.submeshes = {{0, 6, -1}};
  RenderFrame frame = ball_frame();
  frame.cones.clear();
  frame.instances.push_back({.mesh = renderer->add_mesh(mesh, {}), .palette = {}, .morph_weights = {}});
  draw(*renderer, frame);
  std::vector<float> depths;
  renderer->read_depth_m(depths);
  const float edge = std::tan(frame.camera.fov_y_rad / 2);
  for (int y = 60; y < 90; y += 5) {
    const float v = (1 - (static_cast<float>(y) + 0.75F) / 90 * 2) * edge;
    EXPECT_NEAR(depths[static_cast<std::size_t>(y * 160 + 80)], -1 / v, 0.01F * -1 / v) << y;
  }
}

TEST(SoftwareRenderer, ShadowsFallAwayFromTheSun) {
  const auto renderer = render::Renderer::create_software();
  RenderFrame frame = ball_frame();
  frame.environment.ground = true;
  frame.environment.grid_cell_m = 0;
  frame.environment.to_sun = {1, 1, 0};
  frame.camera = render::look_at({0, 6, 0.01F}, {0, 0, 0}, {0, 0, -1});
  const Picture picture = draw(*renderer, frame);
  // Seen from above: the middle of the shadow is one metre to the left of the ball.
  const float left = brightness(picture.pixel(80 - 26, 45)), right = brightness(picture.pixel(80 + 26, 45));
  EXPECT_LT(left, 0.8F * right);
}

TEST(SoftwareRenderer, GhostsLetTheirAlphaThroughAndTheSameFrameGivesTheSameBytes) {
  const auto renderer = render::Renderer::create_software();
  RenderFrame frame = ball_frame();
  frame.settings.transparent_background = true;
  frame.cones[0].color.w = 0.5F;
  const Picture once = draw(*renderer, frame);
  EXPECT_NEAR(once.pixel(80, 45)[3], 128, 2);
  EXPECT_EQ(once.pixel(2, 2)[3], 0);
  const auto other = render::Renderer::create_software();
  for (const DrawStyle style : {DrawStyle::kPlain, DrawStyle::kToon, DrawStyle::kInk, DrawStyle::kWatercolor}) {
    frame.settings.style = style;
    EXPECT_EQ(draw(*renderer, frame).rgba, draw(*other, frame).rgba);
  }
}

TEST(SoftwareRenderer, ToonHasThreeBandsAndAClosedOutline) {
  const auto renderer = render::Renderer::create_software();
  RenderFrame frame = ball_frame(960, 540);
  frame.settings.style = DrawStyle::kToon;
  frame.environment.to_sun = {1, 1, 1};
  const Picture picture = draw(*renderer, frame);
  std::vector<float> depths;
  renderer->read_depth_m(depths);
  std::set<int> tones;
  int counts[256] = {};
  for (std::size_t i = 0; i < depths.size(); ++i) {
    if (depths[i] > 0) ++counts[picture.rgba[4 * i]];
  }
  for (int tone = 0; tone < 256; ++tone) {
    if (counts[tone] > 2000) tones.insert(tone);
  }
  EXPECT_EQ(tones.size(), 3U);
  // From the middle outwards in every direction the first pixels outside of the ball are dark.
  for (int degrees = 0; degrees < 360; degrees += 3) {
    const double angle = degrees * 3.14159265 / 180;
    float darkest = 1;
    int outside = 0;
    for (double r = 5; outside < 4; r += 0.5) {
      const int x = static_cast<int>(480 + r * std::cos(angle)), y = static_cast<int>(270 + r * std::sin(angle));
      if (depths[static_cast<std::size_t>(y * 960 + x)] > 0) continue;
      darkest = std::min(darkest, brightness(picture.pixel(x, y)));
      ++outside;
    }
    EXPECT_LT(darkest, 0.65F) << degrees;
  }
}

// Strokes are on the body, not on the glass of the camera: a body that is carried by whole pixels carries them along.
TEST(SoftwareRenderer, HatchingMovesWithTheBody) {
  const auto renderer = render::Renderer::create_software();
  RenderFrame frame = ball_frame(160, 96);
  frame.camera.ortho_height_m = 1.5F;
  frame.settings.style = DrawStyle::kInk;
  frame.settings.shadows = false;
  frame.environment.to_sun = {1, 0.5F, -0.3F};
  const Picture before = draw(*renderer, frame);
  constexpr int kPixels = 8;
  const float metres = 1.5F / 96 * kPixels;
  frame.cones[0].start_m.x += metres;
  frame.cones[0].end_m.x += metres;
  const Picture after = draw(*renderer, frame);
  int black = 0, changed = 0, changed_in_place = 0;
  for (int y = 0; y < 96; ++y) {
    for (int x = 0; x + kPixels < 160; ++x) {
      const bool ink = brightness(before.pixel(x, y)) < 0.5F;
      black += ink;
      changed += ink != (brightness(after.pixel(x + kPixels, y)) < 0.5F);
      changed_in_place += ink != (brightness(after.pixel(x, y)) < 0.5F);
    }
  }
  EXPECT_GT(black, 400);
  EXPECT_LT(changed, black / 50);
  EXPECT_GT(changed_in_place, black / 3);
}

TEST(SoftwareRenderer, WatercolourIsUnevenButKeepsItsColours) {
  const auto renderer = render::Renderer::create_software();
  RenderFrame frame = ball_frame();
  frame.settings.style = DrawStyle::kWatercolor;
  frame.cones[0].color = {0.6F, 0.05F, 0.03F, 1};
  const Picture picture = draw(*renderer, frame);
  double sum = 0, squares = 0;
  int count = 0;
  for (int y = 38; y < 52; ++y) {
    for (int x = 72; x < 88; ++x) {
      const std::uint8_t* p = picture.pixel(x, y);
      EXPECT_GT(p[0], p[1] + 40);
      EXPECT_GT(p[0], p[2] + 40);
      sum += p[0];
      squares += p[0] * p[0];
      ++count;
    }
  }
  const double mean = sum / count;
  EXPECT_GT(std::sqrt(squares / count - mean * mean), 2);
}

}  // namespace
}  // namespace zoe::test
