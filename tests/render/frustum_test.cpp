// SPDX-License-Identifier: MIT
#include "render/frustum.h"

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/render/frame.h"

#include "render/effect_area.h"
#include "render/ground_heights.h"
#include "render/hill_shadows.h"

namespace zoe::render {
namespace {

Vec3 random_place(Random& random, float reach) {
  return {random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
}

bool in_view(const Mat4& clip_from_world, Vec3 p) {
  const Vec4 clip = transform(clip_from_world, {p.x, p.y, p.z, 1});
  return clip.w > 0 && std::abs(clip.x) <= clip.w && std::abs(clip.y) <= clip.w && clip.z <= clip.w && clip.z >= 0;
}

// Boxes with a visible place are never left out, and most of the others are.
TEST(Frustum, NeverLosesWhatIsSeen) {
  Random random(9);
  int num_hidden = 0, num_culled = 0;
  for (int i = 0; i < 2000; ++i) {
    Camera camera = look_at(random_place(random, 3), random_place(random, 1));
    if (i % 3 == 0) camera.ortho_height_m = 2;
    const Mat4 clip = clip_from_world(camera, 1.7F);
    const Frustum frustum = make_frustum(clip);
    const Vec3 center = random_place(random, 6),
               half{random.uniform(0.05F, 0.8F), random.uniform(0.05F, 0.8F), random.uniform(0.05F, 0.8F)};
    const Box3 box{center - half, center + half};
    const Vec3 sweep = random_place(random, 3);
    bool seen = false, seen_swept = false;
    for (int k = 0; k < 200; ++k) {
      const Vec3 inside{random.uniform(box.min.x, box.max.x), random.uniform(box.min.y, box.max.y),
                        random.uniform(box.min.z, box.max.z)};
      seen |= in_view(clip, inside);
      seen_swept |= in_view(clip, inside + sweep * random.uniform(0.0F, 1.0F));
    }
    EXPECT_TRUE(!seen || frustum.touches(box));
    EXPECT_TRUE(!seen_swept || frustum.touches_swept(box, sweep));
    num_hidden += seen ? 0 : 1;
    num_culled += frustum.touches(box) ? 0 : 1;
  }
  EXPECT_GT(num_hidden, 1000);
  EXPECT_GT(num_culled, num_hidden * 9 / 10);
}

// Places under a body's shadow and beside the body are inside; the area is not the whole picture.
TEST(EffectArea, HoldsBodiesAndTheirShadows) {
  Random random(4);
  RenderFrame frame;
  frame.camera = look_at({3, 2, 7}, {0, 1, 0});
  const Box3 body{{-0.4F, 0, -0.3F}, {0.4F, 1.8F, 0.3F}};
  const Mat4 clip = clip_from_world(frame.camera, 2);
  const PixelBox area = effect_area(frame, body, clip, 800, 400);
  EXPECT_LT(area.width() * area.height(), 800 * 400 / 2);
  const Vec3 to_sun = normalized(frame.environment.to_sun);
  for (int i = 0; i < 500; ++i) {
    Vec3 p{random.uniform(body.min.x, body.max.x), random.uniform(body.min.y, body.max.y),
           random.uniform(body.min.z, body.max.z)};
    if (i % 2 == 0) p -= to_sun * (p.y / to_sun.y);
    const Vec4 c = transform(clip, {p.x, p.y, p.z, 1});
    const float x = (c.x / c.w * 0.5F + 0.5F) * 800, y = (c.y / c.w * 0.5F + 0.5F) * 400;
    EXPECT_TRUE(x >= static_cast<float>(area.x0) && x < static_cast<float>(area.x1) &&
                y >= static_cast<float>(area.y0) && y < static_cast<float>(area.y1));
  }
  // Where nothing can be said it is everything, where there is nothing it is nothing.
  frame.environment.to_sun = {1, 0.01F, 0};
  EXPECT_EQ(effect_area(frame, body, clip, 800, 400).width(), 800);
  EXPECT_TRUE(effect_area(frame, {}, clip, 800, 400).empty());
}

// A wall in a plain: its shadow is as long as the sun's height says.
TEST(HillShadows, FallAsFarAsTheSunSays) {
  constexpr int kSize = 41;
  std::vector<float> heights(kSize * kSize, 0.0F);
  for (int z = 0; z < kSize; ++z) heights[static_cast<std::size_t>(z * kSize + 20)] = 2;
  const HeightGrid field{.heights_m = heights, .num_x = kSize, .num_z = kSize, .cell_m = 0.5F};
  std::vector<Vec2> corners(heights.size());
  hill_shadows(field, normalized(Vec3{1, 1, 0}), corners);
  const auto sun = [&](int x) { return corners[static_cast<std::size_t>(20 * kSize + x)].y; };
  // 45 degrees: 2 m of shadow, four cells, on the side away from the sun.
  EXPECT_LT(sun(18), 0.05F);
  EXPECT_LT(sun(17), 0.05F);
  EXPECT_GT(sun(15), 0.95F);
  EXPECT_GT(sun(22), 0.95F);
  EXPECT_GT(sun(20), 0.95F);
  hill_shadows(field, {0, 1, 0}, corners);
  for (const Vec2 corner : corners) EXPECT_EQ(corner.y, 1);
}

// A mesh is drawn as heights over its bounds; a grid as what it is; flat ground is the environment's.
TEST(GroundHeights, AreThoseOfTheGround) {
  HeightGrid sampled;
  const GroundPtr grid = Ground::grid({{0, 1, 2, 3, 4, 5}, 3, 2, 0.5F, -1, -2}).value();
  EXPECT_TRUE(draws_as_heights(grid));
  EXPECT_EQ(&heights_to_draw(*grid, sampled), grid->height_grid());
  EXPECT_FALSE(draws_as_heights(nullptr));
  EXPECT_FALSE(draws_as_heights(Ground::flat()));

  // y = x / 2 from -1 to 3, half as deep as wide.
  const std::vector<Vec3> corners{{-1, -0.5F, 0}, {3, 1.5F, 0}, {-1, -0.5F, 2}, {3, 1.5F, 2}};
  const std::vector<std::uint32_t> indices{0, 2, 3, 0, 3, 1};
  const GroundPtr mesh = Ground::mesh(corners, indices, -7).value();
  EXPECT_TRUE(draws_as_heights(mesh));
  const HeightGrid& heights = heights_to_draw(*mesh, sampled);
  EXPECT_EQ(heights.num_x, 256);
  EXPECT_NEAR(heights.num_z, 129, 1);
  EXPECT_EQ(heights.heights_m.size(),
            static_cast<std::size_t>(heights.num_x) * static_cast<std::size_t>(heights.num_z));
  for (int column = 0; column < heights.num_x; ++column) {
    const float x = -1 + heights.cell_m * static_cast<float>(column);
    EXPECT_NEAR(heights.heights_m[static_cast<std::size_t>(column)], 0.5F * x, 1e-3F);
    EXPECT_NEAR(heights.heights_m[heights.heights_m.size() - 256 + static_cast<std::size_t>(column)], 0.5F * x, 1e-3F);
  }
}

}  // namespace
}  // namespace zoe::render
