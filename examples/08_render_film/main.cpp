// SPDX-License-Identifier: MIT
// Example 8. A scene as a film, without a display: three actors between hills, a lamp attached to one of them, a
// camera that moves along.
//
//   08_render_film walk.glb film.mp4 4        (or .gif, .webp, or a folder for pictures)
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "zoe/ground/ground.h"
#include "zoe/io/read.h"
#include "zoe/render/film_writer.h"
#include "zoe/scene/attachment.h"
#include "zoe/scene/camera.h"
#include "zoe/scene/draw.h"
#include "zoe/scene/light.h"
#include "zoe/scene/motion_player.h"
#include "zoe/scene/skinned_mesh.h"

namespace {

using namespace zoe::scene;

// 1. The scene.
zoe::Result<void> build(Scene& scene, const zoe::io::Asset& asset,
                        const std::shared_ptr<const zoe::render::CharacterModel>& model) {
  zoe::ecs::World& world = scene.world();
  const auto clip = std::make_shared<const zoe::Motion>(asset.clips[0]);
  Entity last;
  for (int i = 0; i < 3; ++i) {
    last = add_actor(world, asset.character, {{1.2F * static_cast<float>(i - 1), 0, 0}, {}});
    ZOE_TRY(play_motion(world, last, clip, {.start_s = 0.3 * i, .travel = true}));
    world.add(last, model->has_mesh() ? make_drawn_body(model) : make_drawn_bones(world.get<Actor>(last)));
    world.get<SkinnedMesh>(last).tint = {i == 1 ? 0.6F : 1.0F, 1, i == 2 ? 0.5F : 1.0F, 1};
  }
  const int head = asset.character->skeleton->num_joints() > 4 ? 4 : 0;
  const Entity lamp = add_node(world, "lamp");
  attach_to_joint(world, lamp, last, head, {{0, 0.5F, 0.3F}, {}});
  world.add(lamp, Light{.color = {1, 0.7F, 0.4F}, .intensity = 2, .range_m = 3});

  // Hills beside the flat path; the clip is not affected by them.
  std::vector<float> heights;
  for (int z = 0; z < 81; ++z) {
    for (int x = 0; x < 81; ++x) {
      const float aside = std::max(0.0F, std::abs(static_cast<float>(x - 40) * 0.25F) - 2);
      heights.push_back(0.25F * aside * (1 + 0.5F * std::sin(static_cast<float>(z) * 0.4F)));
    }
  }
  ZOE_TRY_ASSIGN(zoe::GroundPtr ground, zoe::Ground::grid({std::move(heights), 81, 81, 0.25F, -10, -6}));
  world.create(std::move(ground));

  // The clip moves the hips away from the actor's own position. The camera follows the hips as drawn.
  const Entity hips = add_node(world, "hips");
  attach_to_joint(world, hips, last, 0);
  world.add(hips, Interpolated{compute_world(world, hips)});
  world.create(
      Camera{.mode = Camera::Mode::kOrbit, .target = hips, .pivot = {-0.8F, 0, 0}, .yaw_rad = 0.6F, .distance_m = 6});
  return {};
}

zoe::Result<int> make_film(const char* file, const std::filesystem::path& out, double seconds) {
  ZOE_TRY_ASSIGN(const zoe::io::Asset asset, zoe::io::read_asset(file));
  if (asset.clips.empty()) return zoe::Error{zoe::ErrorCode::kUsage, "contains no clip to film", {.file = file}};
  ZOE_TRY_ASSIGN(const auto context, zoe::render::create_headless_context());
  ZOE_TRY_ASSIGN(const auto renderer, zoe::render::Renderer::create(*context));
  zoe::Warnings warnings;
  const auto model = std::make_shared<const zoe::render::CharacterModel>(zoe::render::CharacterModel::create(
      *renderer, asset.character, std::filesystem::path(file).parent_path(), warnings));

  Scene scene;
  add_draw_systems(scene);
  ZOE_TRY(build(scene, asset, model));

  // 2. Frames of a thirtieth: two fixed steps each. Drawing interpolates between steps, at any rate.
  zoe::render::RenderFrame frame;
  frame.settings.width = 640;
  frame.settings.height = 360;
  ZOE_TRY_ASSIGN(const auto film, zoe::render::FilmWriter::open(out, {.width = 640, .height = 360, .fps = 30}));
  zoe::render::Picture picture;
  const int num_frames = static_cast<int>(seconds * 30 + 0.5);
  for (int i = 0; i < num_frames; ++i) {
    scene.advance(1.0 / 30);
    fill_frame(scene, frame);
    ZOE_TRY(renderer->render(frame));
    renderer->read_color(picture);
    ZOE_TRY(film->add(picture));
  }
  ZOE_TRY(film->finish());
  return num_frames;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s FILE OUT SECONDS\n", argv[0]);
    return 2;
  }
  const zoe::Result<int> frames = make_film(argv[1], argv[2], std::atof(argv[3]));
  if (!frames) {
    std::fprintf(stderr, "%s\n", frames.error().format().c_str());
    return 1;
  }
  std::printf("%d frames in %s\n", *frames, argv[2]);
  return 0;
}
