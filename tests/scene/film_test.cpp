// SPDX-License-Identifier: MIT
#include "zoe/scene/film.h"

#include <gtest/gtest.h>

#include "zoe/render/picture_file.h"
#include "zoe/render/renderer.h"
#include "zoe/synth/body.h"

#include "scene/rig.h"
#include "support/data.h"

namespace zoe::scene {
namespace {

namespace fs = std::filesystem;

TEST(Film, ColumnsGiveBodiesTheLargestCell) {
  EXPECT_EQ(best_columns(1, 0.9F, 16.0F / 9), 1);
  EXPECT_EQ(best_columns(2, 0.9F, 16.0F / 9), 2);  // Beside each other on a wide page,
  EXPECT_EQ(best_columns(2, 0.9F, 9.0F / 16), 1);  // one above the other on a high one.
  EXPECT_EQ(best_columns(12, 0.85F, 16.0F / 9), 6);
  EXPECT_EQ(best_columns(4, 1, 1), 2);
}

FilmRequest request_for(const fs::path& output) {
  FilmRequest request{.output = output, .width = 96, .height = 64, .fps = 10, .quality = render::Quality::kLow};
  request.clips = {make_bare_clip(*make_clip(make_rig_skeleton(), 0, 0.4F), "swing")};
  return request;
}

TEST(Film, RefusesWhatItCannotWrite) {
  FilmRequest request = request_for("a.avi");
  EXPECT_EQ(check_film(request).error().code, ErrorCode::kUsage);
  request.output = "a.mp4";
  EXPECT_TRUE(check_film(request));
  request.sheet = true;
  EXPECT_NE(check_film(request).error().message.find("one picture"), std::string::npos);
  request.output = "a.png";
  EXPECT_TRUE(check_film(request));
  request.num_poses = 500;
  EXPECT_NE(check_film(request).error().message.find("poses do not fit 96 x 64"), std::string::npos);
  request.sheet = false;
  request.clips.resize(60, request.clips[0]);
  EXPECT_NE(check_film(request).error().message.find("60 clips do not fit"), std::string::npos);
}

TEST(Film, GivesPicturesToTheCaller) {
  FilmRequest request = request_for("");
  request.software = true;
  request.seconds = 0.5;
  std::vector<render::Picture> pages;
  request.on_page = [&](const render::Picture& page) -> Result<void> {
    pages.push_back(page);
    return {};
  };
  ASSERT_TRUE(make_film(request));
  ASSERT_EQ(pages.size(), 5u);  // A film.
  EXPECT_EQ(pages[0].width, 96);
  EXPECT_NE(pages[0].rgba, pages[3].rgba);
  const render::Picture fourth = pages[3];
  pages.clear();
  request.time_s = 0.3;
  ASSERT_TRUE(make_film(request));
  ASSERT_EQ(pages.size(), 1u);  // A still.
  EXPECT_EQ(pages[0].rgba, fourth.rgba);
  request.sheet = true;
  request.width = 200, request.height = 100, request.num_poses = 4;
  ASSERT_TRUE(make_film(request));
  EXPECT_EQ(pages.size(), 2u);
  // The caller's error ends it.
  request.on_page = [](const render::Picture&) -> Result<void> { return Error{ErrorCode::kLimit, "enough", {}}; };
  EXPECT_EQ(make_film(request).error().code, ErrorCode::kLimit);
}

class FilmWithGl : public testing::Test {
 protected:
  void SetUp() override {
    if (!render::create_headless_context()) GTEST_SKIP() << "no OpenGL here";
  }
};

std::size_t num_files(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
}

TEST_F(FilmWithGl, WritesEveryFrameAndEndsWhereItIsTold) {
  const fs::path folder = test::temporary_dir("scene_film");
  FilmRequest request = request_for(folder / "all");
  request.seconds = 0.5;
  int told = 0;
  request.on_picture = [&](int num_done, int num_all) {
    EXPECT_EQ(num_done, ++told);
    EXPECT_EQ(num_all, 5);
    return true;
  };
  const auto whole = make_film(request);
  ASSERT_TRUE(whole) << whole.error().format();
  EXPECT_EQ(whole->num_pictures, 5);
  EXPECT_FALSE(whole->interrupted);
  EXPECT_EQ(num_files(folder / "all"), 5u);

  request.output = folder / "part";
  request.on_picture = [](int num_done, int) { return num_done < 2; };
  const auto part = make_film(request);
  ASSERT_TRUE(part);
  EXPECT_TRUE(part->interrupted);
  EXPECT_EQ(num_files(folder / "part"), 2u);
}

// A picture of a moment is the frame of a film at that moment, whatever was drawn before it.
TEST_F(FilmWithGl, PicturesDependOnTheirTimeAlone) {
  const fs::path folder = test::temporary_dir("scene_film_time");
  FilmRequest request = request_for(folder / "film");
  request.seconds = 1;
  ASSERT_TRUE(make_film(request));
  request.output = folder / "still.png";
  request.time_s = 0.7;
  ASSERT_TRUE(make_film(request));
  const auto still = render::read_picture(folder / "still.png"),
             frame = render::read_picture(folder / "film/frame_00007.png");
  ASSERT_TRUE(still && frame);
  EXPECT_EQ(still->rgba, frame->rgba);
  request.time_s = 0.2;
  ASSERT_TRUE(make_film(request));
  EXPECT_NE(render::read_picture(folder / "still.png")->rgba, frame->rgba);
}

// What is beside the body, as numbers in the frame: without a look at the picture.
TEST_F(FilmWithGl, GhostsAndSignsAreAroundTheBody) {
  const auto context = render::create_headless_context();
  const auto renderer = render::Renderer::create(**context);
  ASSERT_TRUE(renderer);
  Scene scene;
  add_draw_systems(scene);
  ClipOnBody clip = make_bare_clip(*make_clip(make_rig_skeleton(), 0, 0.4F), "swing");
  clip.metres_per_unit = 0.5F;
  Warnings warnings;
  const auto actor = add_clip_actor(scene.world(), clip, **renderer, {.bones = true}, warnings);
  ASSERT_TRUE(actor) << actor.error().format();
  scene.world().get<MotionPlayer>(*actor).seek(0.5);
  scene.step();
  scene.display();
  render::RenderFrame frame;
  frame.settings.width = frame.settings.height = 100;
  fill_frame(scene, frame);
  const std::size_t body = frame.cones.size();
  ASSERT_GT(body, 8u);
  const GhostPose ghosts[] = {{0.1, 0.2F}, {0.9, 0.3F}};
  add_ghosts(scene.world(), *actor, ghosts, frame);
  ASSERT_EQ(frame.cones.size(), 3 * body);
  EXPECT_EQ(frame.cones[body].color.w, 0.2F);
  EXPECT_EQ(frame.cones[2 * body].color.w, 0.3F);
  // A ghost is where the body is at its time.
  scene.world().get<MotionPlayer>(*actor).seek(0.9);
  scene.step();
  scene.display();
  render::RenderFrame later;
  fill_frame(scene, later);
  for (std::size_t i = 0; i < body; ++i) EXPECT_EQ(frame.cones[2 * body + i].end_m, later.cones[i].end_m);

  auto& display = scene.world().get<ClipDisplay>(*actor);
  add_signs(scene.world(), *actor, 0.5, frame);
  EXPECT_TRUE(frame.overlay.lines().empty());  // Nothing was asked for.
  display.signs = {.trajectory = true};
  add_signs(scene.world(), *actor, 0.5, frame);
  // A second each way, as far as the clip goes: from 0.5 s back to 0 there are seven points, and twelve after it.
  EXPECT_EQ(frame.cones.size(), 3 * body + 19);
  display.signs = {.velocities = true, .names = true};
  add_signs(scene.world(), *actor, 0.5, frame);
  EXPECT_GT(frame.overlay.lines().size(), 20u);
}

TEST_F(FilmWithGl, ClipsOfAnotherSkeletonAreRefused) {
  const auto context = render::create_headless_context();
  const auto renderer = render::Renderer::create(**context);
  Scene scene;
  ClipOnBody clip = make_bare_clip(*make_clip(make_rig_skeleton(), 0, 0.4F), "swing");
  clip.character = make_bare_character(Skeleton::create({{"one", kNoJoint, {}}}).value());
  Warnings warnings;
  const auto actor = add_clip_actor(scene.world(), clip, **renderer, {}, warnings);
  ASSERT_FALSE(actor);
  EXPECT_EQ(actor.error().code, ErrorCode::kUsage);
  EXPECT_EQ(scene.world().query<const Actor>().count(), 0u);
}

// Brightness of the body's pixels in a picture of a synthetic person of one colour.
struct Brightness {
  double mean = 0;           // Screen values of luminance, 0 to 1.
  double clipped_share = 0;  // Of the pixels: all three channels at white.
};
Brightness brightness_of_person(Vec4 base_color) {
  const synth::Body person = synth::make_body(BodyFamily::kBiped, Random(1));
  auto character = std::make_shared<Character>(*person.character);
  character->materials = {Material{.base_color = base_color}};
  character->images.clear();
  for (Mesh& mesh : character->meshes) {
    mesh.colors.clear();
    for (Submesh& part : mesh.submeshes) part.material = 0;
  }
  const fs::path output = test::temporary_dir("scene_film_light") / "body.png";
  FilmRequest request{.output = output, .width = 128, .height = 128, .quality = render::Quality::kLow};
  request.transparent = true;
  Motion still = make_motion(character->skeleton, "still", 30, 2, false);
  request.clips = {{.title = "", .character = character, .motion = std::make_shared<const Motion>(std::move(still))}};
  const auto film = make_film(request);
  EXPECT_TRUE(film) << film.error().format();
  const auto picture = render::read_picture(output);
  Brightness found;
  double count = 0;
  for (std::size_t i = 0; i + 3 < picture->rgba.size(); i += 4) {
    const std::uint8_t* p = &picture->rgba[i];
    if (p[3] < 250) continue;
    count += 1;
    found.mean += (0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]) / 255;
    found.clipped_share += p[0] >= 254 && p[1] >= 254 && p[2] >= 254 ? 1 : 0;
  }
  EXPECT_GT(count, 800);
  return {found.mean / count, found.clipped_share / count};
}

TEST_F(FilmWithGl, DarkAndWhiteBodiesKeepTheirShape) {
  const Brightness dark = brightness_of_person({0.02F, 0.02F, 0.02F, 1});
  EXPECT_GT(dark.mean, 0.17);
  EXPECT_LT(dark.mean, 0.35);
  const Brightness white = brightness_of_person({1, 1, 1, 1});
  EXPECT_GT(white.mean, 0.55);
  EXPECT_LT(white.mean, 0.82);
  EXPECT_LT(white.clipped_share, 0.01);
  const Brightness grey = brightness_of_person({0.2F, 0.2F, 0.2F, 1});
  EXPECT_GT(grey.mean, dark.mean);
  EXPECT_LT(grey.mean, white.mean);
}

}  // namespace
}  // namespace zoe::scene
