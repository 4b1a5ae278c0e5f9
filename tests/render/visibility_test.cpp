// SPDX-License-Identifier: MIT
// What is left out, what is seen through, and in which order.
#include <array>

#include "zoe/render/character_model.h"

#include "render/gl_support.h"

namespace zoe::test {
namespace {

using render::Picture;
using render::RenderFrame;

class Visibility : public GlTest {
 protected:
  Picture draw(const RenderFrame& frame) {
    Picture picture;
    const auto drawn = renderer().render(frame);
    EXPECT_TRUE(drawn) << drawn.error().format();
    renderer().read_color(picture);
    return picture;
  }
};

RenderFrame small_frame() {
  RenderFrame frame;
  frame.camera = render::look_at({0, 1, 6}, {0, 1, 0});
  frame.settings.width = 96;
  frame.settings.height = 64;
  render::set_quality(frame.settings, render::Quality::kLow);
  frame.environment.grid_cell_m = 0;
  return frame;
}

// A ring of walkers around the camera and a ball behind it, whose shadow falls into the view: the
// picture is that of everything, drawn from far fewer.
TEST_F(Visibility, WhatIsOutOfViewIsLeftOutButForItsShadow) {
  PosedBody posed = make_posed_body(BodyFamily::kBiped, synth::Gait::kWalk, 1);
  Warnings warnings;
  const render::CharacterModel model = render::CharacterModel::create(renderer(), posed.body.character, "", warnings);
  render::CharacterBody body(model);
  body.set_pose(posed.model_from_joint);
  for (const int cascades : {1, 3}) {
    RenderFrame frame = small_frame();
    frame.settings.shadow_cascades = cascades;
    frame.environment.to_sun = {0, 0.5F, 1};  // From behind the camera.
    frame.environment.ground_fade_m = 40;
    for (int i = 0; i < 24; ++i) {
      const float angle = 0.2618F * static_cast<float>(i);
      body.add_to(frame, {.t = {9 * std::sin(angle), 0, 6 + 9 * std::cos(angle)}});
    }
    const Picture without = draw(frame);
    const std::size_t num_culled = renderer().statistics().num_culled;
    EXPECT_GT(num_culled, 6U);
    EXPECT_LT(num_culled, 24U);
    // Above and behind the camera; its shadow lies 6 m farther, in the middle of the view.
    frame.cones.push_back({.start_m = {0, 3, 6}, .end_m = {0, 3, 6}, .start_radius_m = 0.7F, .end_radius_m = 0.7F});
    const Picture with = draw(frame);
    EXPECT_EQ(renderer().statistics().num_culled, num_culled);
    int darker = 0;
    for (std::size_t i = 0; i < with.rgba.size(); i += 4) darker += with.rgba[i] + 25 < without.rgba[i] ? 1 : 0;
    EXPECT_GT(darker, 20);
  }
}

// Three sheets of glass in one mesh, red in front of green in front of blue, given in any order.
TEST_F(Visibility, GlassIsSortedByTriangle) {
  const auto sheets = [&](std::array<int, 3> order) {
    Mesh mesh;
    for (const int sheet : order) {
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      for (const Vec3 p : {Vec3{-1, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 2, 0}, Vec3{-1, 2, 0}}) {
        mesh.positions.push_back(p + Vec3{0, 0, -0.5F * static_cast<float>(sheet)});
        mesh.normals.push_back({0, 0, 1});
        mesh.colors.push_back({sheet == 0 ? 1.0F : 0.0F, sheet == 1 ? 1.0F : 0.0F, sheet == 2 ? 1.0F : 0.0F, 1});
      }
      for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U}) mesh.indices.push_back(first + corner);
    }
    return mesh;
  };
  const render::MaterialHandle glass = renderer().add_material({.base_color = {1, 1, 1, 0.6F}, .blend = true});
  std::vector<Picture> pictures;
  for (const std::array<int, 3> order : {std::array{2, 1, 0}, std::array{0, 1, 2}, std::array{1, 0, 2}}) {
    const render::MeshHandle mesh = renderer().add_mesh(sheets(order), {&glass, 1});
    RenderFrame frame = small_frame();
    frame.instances.push_back({.mesh = mesh});
    pictures.push_back(draw(frame));
    renderer().remove(mesh);
  }
  EXPECT_EQ(pictures[0].rgba, pictures[1].rgba);
  EXPECT_EQ(pictures[0].rgba, pictures[2].rgba);
  const std::uint8_t* middle = pictures[0].pixel(48, 32);
  EXPECT_GT(middle[0], middle[1]);  // Red is nearest.
  EXPECT_GT(middle[1], middle[2]);
  renderer().remove(glass);
}

// A ghost before a wall: the wall's depth stays, and two ghosts look the same whichever is added
// first.
TEST_F(Visibility, GhostsLeaveTheDepthAlone) {
  const render::MeshHandle cube = renderer().add_mesh(make_cube(), {});
  RenderFrame frame = small_frame();
  frame.instances.push_back({.mesh = cube, .world_from_model = {{3, 0, 0}, {0, 3, 0}, {0, 0, 1}, {0, 1, -2}}});
  std::vector<float> before, after;
  ASSERT_TRUE(renderer().render(frame));
  renderer().read_depth_m(before);
  const Picture plain = draw(frame);
  // Crossing each other: neither may cut a hole into the other.
  const render::Instance wide{.mesh = cube,
                              .world_from_model = {{1.6F, 0, 0}, {0, 0.5F, 0}, {0, 0, 0.5F}, {0, 1, 0}},
                              .tint = {1, 0.2F, 0.2F, 0.5F}};
  const render::Instance tall{.mesh = cube,
                              .world_from_model = {{0.5F, 0, 0}, {0, 1.6F, 0}, {0, 0, 0.6F}, {0, 1, 0.02F}},
                              .tint = {0.2F, 0.2F, 1, 0.5F}};
  RenderFrame one = frame, other = frame;
  one.instances.insert(one.instances.end(), {wide, tall});
  other.instances.insert(other.instances.end(), {tall, wide});
  const Picture first = draw(one);
  renderer().read_depth_m(after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(first.rgba, draw(other).rgba);
  EXPECT_NE(first.rgba, plain.rgba);
  // In the middle both are seen: redder and bluer than the wall, less green.
  EXPECT_LT(first.pixel(48, 32)[1], plain.pixel(48, 32)[1] - 20);
  renderer().remove(cube);
}

}  // namespace
}  // namespace zoe::test
