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

TEST_F(CrowdFilmWithGl, ASheetNeedsRoom) {
  CrowdFilmRequest request{.output = "a.png", .sheet = true, .width = 60, .height = 40};
  const auto film = CrowdFilm::open(request, make_crowd());
  ASSERT_FALSE(film);
  EXPECT_EQ(film.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace zoe::scene
