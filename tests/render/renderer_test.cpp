// SPDX-License-Identifier: MIT
#include "zoe/render/renderer.h"

#include <fstream>

#include <sys/resource.h>

#include "zoe/render/character_model.h"

#include "render/gl_support.h"
#include "support/allocation.h"

namespace zoe::test {
namespace {

using render::Picture;
using render::RenderFrame;

double brightness(const Picture& picture, int x, int y) {
  return picture.pixel(x, y)[0] + picture.pixel(x, y)[1] + picture.pixel(x, y)[2];
}

// A ball over the ground, sun from straight above: its shadow lies below it.
RenderFrame shadow_frame() {
  RenderFrame frame;
  frame.camera = render::look_at({0, 4, 6}, {0, 0, 0});
  frame.settings.width = 200;
  frame.settings.height = 120;
  render::set_quality(frame.settings, render::Quality::kLow);
  frame.environment.to_sun = {0, 1, 0};
  frame.environment.grid_cell_m = 0;
  frame.cones.push_back({.start_m = {0, 1.5F, 0}, .end_m = {0, 1.5F, 0}, .start_radius_m = 0.4F, .end_radius_m = 0.4F});
  return frame;
}

// Where a place is in the picture.
std::pair<int, int> pixel_of(const RenderFrame& frame, Vec3 place) {
  const auto width = static_cast<float>(frame.settings.width), height = static_cast<float>(frame.settings.height);
  const Vec4 clip =
      render::transform(render::clip_from_world(frame.camera, width / height), {place.x, place.y, place.z, 1});
  return {static_cast<int>((clip.x / clip.w * 0.5F + 0.5F) * width),
          static_cast<int>((0.5F - clip.y / clip.w * 0.5F) * height)};
}

class RendererTest : public GlTest {};

TEST_F(RendererTest, ShadowsFallWhereTheSunIsHidden) {
  for (const int cascades : {1, 3}) {
    RenderFrame frame = shadow_frame();
    frame.settings.shadow_cascades = cascades;
    Picture with, without;
    ASSERT_TRUE(renderer().render(frame));
    renderer().read_color(with);
    frame.settings.shadows = false;
    ASSERT_TRUE(renderer().render(frame));
    renderer().read_color(without);
    const auto [x, y] = pixel_of(frame, {0, 0, 0});
    EXPECT_LT(brightness(with, x, y), 0.75 * brightness(without, x, y)) << cascades;
    // Beside the shadow, far behind everything, and in a corner of the map that the ball does not
    // fill, the sun shines.
    for (const Vec3 lit : {Vec3{0.7F, 0, 0}, Vec3{-1.5F, 0, 1}, Vec3{0, 0, -3}, Vec3{0.36F, 0, 0.36F}}) {
      const auto [lx, ly] = pixel_of(frame, lit);
      EXPECT_NEAR(brightness(with, lx, ly), brightness(without, lx, ly), 6) << lit.x << " " << lit.z;
    }
  }
}

TEST_F(RendererTest, TheSamePictureEveryTime) {
  PosedBody posed = make_posed_body(BodyFamily::kQuadruped, synth::Gait::kTrot, 2);
  Warnings warnings;
  const render::CharacterModel model = render::CharacterModel::create(renderer(), posed.body.character, "", warnings);
  render::CharacterBody body(model);
  body.set_pose(posed.model_from_joint);
  RenderFrame frame = shadow_frame();
  render::set_quality(frame.settings, render::Quality::kHigh);
  body.add_to(frame, {});
  Picture first, second;
  ASSERT_TRUE(renderer().render(frame));
  renderer().read_color(first);
  RenderFrame other = frame;
  other.camera = render::look_at({5, 2, 0}, {0, 1, 0});
  other.settings.width = 64;
  ASSERT_TRUE(renderer().render(other));
  ASSERT_TRUE(renderer().render(frame));
  renderer().read_color(second);
  EXPECT_EQ(first.rgba, second.rgba);
}

TEST_F(RendererTest, LampsLight) {
  RenderFrame frame = shadow_frame();
  frame.environment.sun_color = {};
  frame.environment.sky_light = frame.environment.ground_light = {0.02F, 0.02F, 0.02F};
  frame.environment.ground_fade_m = 100;
  Picture dark, lit;
  ASSERT_TRUE(renderer().render(frame));
  renderer().read_color(dark);
  frame.lights.push_back({.position_m = {1, 0.5F, 0}, .range_m = 1.5F, .color = {3, 0.2F, 0.2F}});
  ASSERT_TRUE(renderer().render(frame));
  renderer().read_color(lit);
  const auto [x, y] = pixel_of(frame, {1, 0, 0});
  EXPECT_GT(lit.pixel(x, y)[0], dark.pixel(x, y)[0] + 60);
  EXPECT_GT(lit.pixel(x, y)[0], lit.pixel(x, y)[2] + 40);                 // Red.
  for (const Vec3 far_away : {Vec3{-1.2F, 0, 0.5F}, Vec3{1, 0, 1.6F}}) {  // Out of its range, far and barely.
    const auto [fx, fy] = pixel_of(frame, far_away);
    EXPECT_EQ(lit.pixel(fx, fy)[0], dark.pixel(fx, fy)[0]) << far_away.x;
  }
}

TEST_F(RendererTest, AllocatesNothingOnceWarm) {
  PosedBody posed = make_posed_body(BodyFamily::kBiped, synth::Gait::kWalk, 1);
  Warnings warnings;
  const render::CharacterModel model = render::CharacterModel::create(renderer(), posed.body.character, "", warnings);
  render::CharacterBody body(model), ghost(model);
  const render::MaterialHandle glass = renderer().add_material({.base_color = {1, 1, 1, 0.5F}, .blend = true});
  Mesh pane = make_cube();
  pane.submeshes[0].material = 0;
  const render::MeshHandle cube = renderer().add_mesh(pane, {&glass, 1});
  RenderFrame frame = shadow_frame();
  render::set_quality(frame.settings, render::Quality::kMedium);
  frame.settings.width = 80;
  frame.settings.height = 60;
  const auto draw = [&](int i) {
    posed.set_frame(i);
    frame.clear();
    body.set_pose(posed.model_from_joint);
    ghost.set_pose(posed.model_from_joint);
    body.add_to(frame, {});
    ghost.add_to(frame, {.t = {1, 0, 0}}, 0, {1, 1, 1, 0.4F}, render::Skinning::kDualQuaternion);
    frame.instances.push_back({.mesh = cube, .world_from_model = {.t = {-1, 1, 0}}});
    frame.lights.push_back({.position_m = {0, 1, 1}});
    frame.overlay.text(5, 20, "frame", 10, {1, 1, 1, 1});
    return renderer().render(frame).has_value();
  };
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(draw(i));
  const AllocationMeter meter;
  for (int i = 3; i < 10; ++i) ASSERT_TRUE(draw(i));
  EXPECT_EQ(meter.allocations(), 0U);
  renderer().remove(cube);
  renderer().remove(glass);
}

std::size_t resident_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
  }
  return 0;
}

TEST_F(RendererTest, ThousandLoadsLeaveNothingBehind) {
  PosedBody posed = make_posed_body(BodyFamily::kBiped, synth::Gait::kWalk, 1);
  RenderFrame frame = shadow_frame();
  frame.settings.width = 16;
  frame.settings.height = 16;
  const auto load = [&] {
    Warnings warnings;
    const render::CharacterModel model = render::CharacterModel::create(renderer(), posed.body.character, "", warnings);
    render::CharacterBody body(model);
    body.set_pose(posed.model_from_joint);
    frame.clear();
    body.add_to(frame, {});
    ASSERT_TRUE(renderer().render(frame));
    Picture picture;
    renderer().read_color(picture);
  };
  for (int i = 0; i < 100; ++i) load();
  const std::size_t before_kb = resident_kb();
  for (int i = 0; i < 900; ++i) load();
  // One load is over 300 kB: a hundredth of them leaking would show.
  EXPECT_LT(resident_kb(), before_kb + 3000);
}

TEST_F(RendererTest, RefusesSizesItCannotDraw) {
  RenderFrame frame = shadow_frame();
  for (const auto& [width, height, times] :
       {std::tuple{0, 10, 1}, std::tuple{10, 20000, 1}, std::tuple{10000, 10, 2}, std::tuple{10, 10, 9}}) {
    frame.settings.width = width;
    frame.settings.height = height;
    frame.settings.supersampling = times;
    const auto result = renderer().render(frame);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kUsage);
  }
}

TEST_F(RendererTest, MissingTexturesAreToldAndReplaced) {
  auto character = std::make_shared<Character>();
  character->skeleton = Skeleton::create({{.name = "root"}}).value();
  character->meshes.push_back(make_cube());
  character->meshes[0].submeshes[0].material = 0;
  character->images.push_back({.name = "skin", .path = "no_such_skin.png"});
  character->materials.push_back({.name = "m", .base_color = {1, 0, 0, 1}, .base_color_image = 0, .normal_image = 0});
  character->instances.push_back({.mesh = 0, .joint = 0});
  Warnings warnings;
  const render::CharacterModel model = render::CharacterModel::create(renderer(), character, "/nowhere", warnings);
  ASSERT_EQ(warnings.size(), 1U);  // Once, though two fields name it.
  EXPECT_NE(warnings[0].format().find("no_such_skin.png"), std::string::npos) << warnings[0].format();
  render::CharacterBody body(model);
  const Affine joint{.t = {0, 1, 0}};
  body.set_pose({&joint, 1});
  RenderFrame frame = shadow_frame();
  frame.cones.clear();
  body.add_to(frame, {});
  ASSERT_TRUE(renderer().render(frame));
  Picture picture;
  renderer().read_color(picture);
  const auto [x, y] = pixel_of(frame, {0, 1, 0.5F});
  EXPECT_GT(picture.pixel(x, y)[0], picture.pixel(x, y)[1] + 50);
}

}  // namespace
}  // namespace zoe::test
