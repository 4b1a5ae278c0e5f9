// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. The scenes whose pictures are kept; all bodies are made up by our own
// code.
#pragma once

#include <memory>
#include <vector>

#include "zoe/render/character_model.h"

#include "render/gl_support.h"

namespace zoe::test {

// What a scene keeps alive while its frame is drawn.
struct Scene {
  explicit Scene(render::Renderer& target) : renderer(target) {}

  render::Renderer& renderer;
  render::RenderFrame frame;
  std::vector<std::unique_ptr<PosedBody>> posed;
  std::vector<std::unique_ptr<render::CharacterModel>> models;
  std::vector<std::unique_ptr<render::CharacterBody>> bodies;

  // Adds a made-up body; returns it for more.
  PosedBody& add_body(BodyFamily family, synth::Gait gait, std::uint64_t seed);
  // The last body at a frame of its clip.
  void draw_body(int clip_frame, const Affine& world = {}, Vec4 tint = {1, 1, 1, 1},
                 render::Skinning skinning = render::Skinning::kLinear);
  void look_from(Vec3 eye, Vec3 target);
  render::MeshHandle add_mesh(const Mesh& mesh, const render::MaterialDesc& material);
};

struct GoldenScene {
  const char* name;
  void (*build)(Scene& scene);
  const char* look_for;  // What a person checked before the picture was kept.
};

const std::vector<GoldenScene>& golden_scenes();

}  // namespace zoe::test
