// SPDX-License-Identifier: MIT
#include "zoe/render/debug_draw.h"

#include <gtest/gtest.h>

namespace zoe::render {
namespace {

TEST(DebugDraw, VelocitiesReachWhereTheyWouldGo) {
  RenderFrame frame;
  const Vec3 places[] = {{0, 1, 0}, {1, 1, 0}};
  const Vec3 velocities[] = {{2, 0, 0}, {0.01F, 0, 0}};
  draw_velocities(frame, places, velocities, {1, 1, 1, 1}, 0.5F, 0.05F);
  ASSERT_EQ(frame.overlay.lines().size(), 3U);  // One arrow: the second place is too slow.
  EXPECT_NEAR(distance(frame.overlay.lines()[0].end, Vec3{1, 1, 0}), 0, 1e-6);
}

TEST(DebugDraw, ContactsFillWithTheirWeight) {
  const Vec3 place[] = {{0.5F, 0.2F, 0.1F}};
  std::size_t last = 0;
  for (const float weight : {0.0F, 0.4F, 1.0F}) {
    RenderFrame frame;
    draw_contacts(frame, place, {&weight, 1}, 0.05F, 0.1F);
    EXPECT_GT(frame.overlay.lines().size(), last);
    last = frame.overlay.lines().size();
    for (const OverlayLine& line : frame.overlay.lines()) EXPECT_NEAR(line.start.y, 0.052F, 1e-5);
  }
}

TEST(DebugDraw, ProjectsAsTheRendererDoes) {
  RenderFrame frame;
  frame.camera = look_at({0, 0, 5}, {0, 0, 0});
  frame.settings.width = 200;
  frame.settings.height = 100;
  const auto middle = project_to_pixels(frame, {0, 0, 0});
  ASSERT_TRUE(middle);
  EXPECT_NEAR(middle->x, 100, 1e-3);
  EXPECT_NEAR(middle->y, 50, 1e-3);
  EXPECT_LT(project_to_pixels(frame, {0, 1, 0})->y, 50);  // Rows count from the top.
  EXPECT_FALSE(project_to_pixels(frame, {0, 0, 6}));
  draw_label(frame, {0, 0, 6}, "behind", 10, {1, 1, 1, 1});
  EXPECT_TRUE(frame.overlay.lines().empty());
}

// A point of the ground, projected, is found again; the sky and what is far away are not.
TEST(DebugDraw, GroundUnderAPixel) {
  RenderFrame frame;
  frame.camera = look_at({1, 2, 5}, {0.5F, 0, 0});
  frame.settings.width = 200;
  frame.settings.height = 100;
  for (const Vec3 point : {Vec3{0.5F, 0, 0}, Vec3{-1, 0, 1}, Vec3{2, 0, -1.5F}}) {
    const auto pixel = project_to_pixels(frame, point);
    ASSERT_TRUE(pixel);
    const auto found = ground_at_pixel(frame, pixel->x, pixel->y);
    ASSERT_TRUE(found);
    EXPECT_LT(distance(*found, point), 1e-3F);
  }
  frame.camera = look_at({0, 2, 5}, {0, 2, 0});  // Level: the horizon is in the middle.
  EXPECT_FALSE(ground_at_pixel(frame, 100, 40));
  EXPECT_FALSE(ground_at_pixel(frame, 100, 50.1F));
  EXPECT_TRUE(ground_at_pixel(frame, 100, 90));
  frame.camera = look_at({0, -1, 5}, {0, -2, 0});  // From below there is none.
  EXPECT_FALSE(ground_at_pixel(frame, 100, 90));
}

TEST(DebugDraw, SkeletonHasALineABone) {
  RenderFrame frame;
  const Affine joints[] = {{}, {.t = {0, 1, 0}}, {.t = {0, 2, 0}}};
  const int parents[] = {-1, 0, 1};
  draw_skeleton_lines(frame, joints, parents, {1, 1, 1, 1});
  EXPECT_EQ(frame.overlay.lines().size(), 2U);
}

}  // namespace
}  // namespace zoe::render
