// SPDX-License-Identifier: MIT
#include "zoe/scene/crowd_film.h"

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"
#include "zoe/render/debug_draw.h"
#include "zoe/render/picture.h"
#include "zoe/render/picture_file.h"
#include "zoe/render/renderer.h"

#include "control/toy_controller.h"
#include "support/data.h"

namespace zoe::scene {
namespace {

const std::vector<Vec3> kPoints{{-8, 0, -3}, {8, 0, 4}, {-2, 2, 5}, {6, 2, -6}};

// Whether all points are inside a picture of 1600 by 900 pixels, and how near the outermost comes to its edge.
void expect_framed(const FramedView& view) {
  render::RenderFrame frame;
  frame.settings.width = 1600;
  frame.settings.height = 900;
  frame.camera = view.camera;
  float edge_px = 1e9F;
  for (const Vec3 point : kPoints) {
    const auto at = render::project_to_pixels(frame, point);
    ASSERT_TRUE(at);
    edge_px = std::min({edge_px, at->x, at->y, 1600 - at->x, 900 - at->y});
  }
  EXPECT_GE(edge_px, -0.5F);
  EXPECT_LT(edge_px, 120);
}

TEST(CrowdCamera, SeesEveryPointFromTheFrontAndFromAbove) {
  expect_framed(frame_from_front(kPoints, 16.0F / 9));
  const FramedView above = frame_from_above(kPoints, 16.0F / 9);
  expect_framed(above);
  EXPECT_LT(distance(above.camera.world_from_camera.z, {0, 1, 0}), 1e-5F);
  EXPECT_NEAR(above.camera.ortho_height_m, 11, 1e-4F);
}

// The crowd's box fills the picture in width or in height, whatever its number, spacing and shape.
TEST(CrowdCamera, KeepsTheCrowdLarge) {
  for (const auto& [columns, rows, spacing_m] : {std::tuple{1, 1, 1.0F}, std::tuple{2, 1, 3.0F}, std::tuple{8, 8, 1.5F},
                                                 std::tuple{40, 3, 2.0F}, std::tuple{3, 40, 2.0F}}) {
    SCOPED_TRACE(testing::Message() << columns << " x " << rows);
    std::vector<Vec3> points;
    for (int x = 0; x < columns; ++x) {
      for (int z = 0; z < rows; ++z) {
        const Vec3 at{spacing_m * static_cast<float>(x), 0, spacing_m * static_cast<float>(z)};
        for (const Vec3 corner : {Vec3{-0.3F, 0, -0.3F}, Vec3{0.3F, 0, 0.3F}, Vec3{0, 1.8F, 0}})
          points.push_back(at + corner);
      }
    }
    for (const bool above : {false, true}) {
      render::RenderFrame frame;
      frame.settings.width = 1600;
      frame.settings.height = 900;
      frame.camera = (above ? frame_from_above(points, 16.0F / 9) : frame_from_front(points, 16.0F / 9)).camera;
      Vec2 low{1e9F, 1e9F}, high{-1e9F, -1e9F};
      for (const Vec3 point : points) {
        const auto at = render::project_to_pixels(frame, point);
        ASSERT_TRUE(at);
        low = {std::min(low.x, at->x), std::min(low.y, at->y)};
        high = {std::max(high.x, at->x), std::max(high.y, at->y)};
      }
      const float width_share = (high.x - low.x) / 1600, height_share = (high.y - low.y) / 900;
      EXPECT_GT(std::max(width_share, height_share), 0.95F);
      EXPECT_LE(std::max(width_share, height_share), 1.001F);
    }
  }
}

class CrowdFilmWithGl : public testing::Test {
 protected:
  void SetUp() override {
    if (!render::create_headless_context()) GTEST_SKIP() << "no OpenGL here";
  }
};

std::shared_ptr<control::Crowd> make_crowd() {
  const PlanarRoot starts[] = {{{-2, 0, 0}, 0}, {{2, 0, 0}, 0}};
  return std::make_shared<control::Crowd>(std::make_shared<const control::test::ToyController>(), starts);
}

std::vector<std::uint8_t> picture_of(const CrowdFilmRequest& request, float speed_mps) {
  const auto crowd = make_crowd();
  const auto film = CrowdFilm::open(request, crowd);
  EXPECT_TRUE(film);
  std::vector<control::Intent> intents(2, control::Intent::move({0, 0, speed_mps}));
  for (int i = 0; i < 60; ++i) {
    EXPECT_TRUE((*film)->look(i / 30.0));
    crowd->tick(intents, 1.0 / 30, ThreadPool::shared());
  }
  EXPECT_TRUE((*film)->finish());
  return render::read_picture(request.output)->rgba;
}

TEST_F(CrowdFilmWithGl, DrawsTheCrowdThatSomebodyElseTicks) {
  const std::filesystem::path folder = test::temporary_dir("crowd_film");
  CrowdFilmRequest request{.output = folder / "a.png", .width = 160, .height = 90, .seconds = 2};
  request.groups = {0, 1};
  request.positions_m = {{-2, 0, -1}, {2, 0, 3}};
  const auto still = picture_of(request, 0);
  EXPECT_EQ(picture_of(request, 0), still);
  EXPECT_NE(picture_of(request, 1), still);
  request.groups = {0, 0};
  EXPECT_NE(picture_of(request, 0), still);  // Groups have colours.
  request.sheet = true;
  EXPECT_NE(picture_of(request, 1), picture_of(request, 0));
}

// In the film itself: bodies are the pixels that change with their group's colour.
TEST_F(CrowdFilmWithGl, TheDrawnCrowdFillsThePicture) {
  const std::filesystem::path folder = test::temporary_dir("crowd_film_size");
  CrowdFilmRequest request{.output = folder / "a.png", .width = 160, .height = 90, .seconds = 2};
  request.groups = {0, 1};
  const auto one = picture_of(request, 1);
  request.groups = {1, 0};
  const auto other = picture_of(request, 1);
  int low[2] = {160, 90}, high[2] = {0, 0};
  for (int y = 0; y < 90; ++y) {
    for (int x = 0; x < 160; ++x) {
      const std::size_t i = 4 * static_cast<std::size_t>(160 * y + x);
      int change = 0;
      for (std::size_t c = 0; c < 3; ++c) change = std::max(change, std::abs(one[i + c] - other[i + c]));
      if (change < 24) continue;
      low[0] = std::min(low[0], x), high[0] = std::max(high[0], x + 1);
      low[1] = std::min(low[1], y), high[1] = std::max(high[1], y + 1);
    }
  }
  EXPECT_GT(std::max((high[0] - low[0]) / 160.0, (high[1] - low[1]) / 90.0), 0.6);
}

TEST_F(CrowdFilmWithGl, ASheetNeedsRoom) {
  CrowdFilmRequest request{.output = "a.png", .sheet = true, .width = 60, .height = 40};
  const auto film = CrowdFilm::open(request, make_crowd());
  ASSERT_FALSE(film);
  EXPECT_EQ(film.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace zoe::scene
