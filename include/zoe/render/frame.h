// SPDX-License-Identifier: MIT
// Part of Zoetrope. One frame as plain data: the input of the renderer. World space, metres, linear colours. Spans must
// be valid until Renderer::render returns. Keep a RenderFrame and clear() it: then nothing allocates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/ground/ground.h"
#include "zoe/math/affine.h"
#include "zoe/render/camera.h"
#include "zoe/render/handles.h"
#include "zoe/render/overlay.h"
#include "zoe/render/settings.h"

namespace zoe::render {

enum class Skinning : std::uint8_t { kLinear, kDualQuaternion };

// A mesh in the world.
struct Instance {
  MeshHandle mesh;
  Affine world_from_model;          // Of a rigid mesh: world from the mesh itself.
  std::span<const Affine> palette;  // model_from_mesh of each skin joint (PaletteJob); empty: rigid.
  Skinning skinning = Skinning::kLinear;
  std::span<const float> morph_weights;  // One per morph target of the mesh; empty: none.
  Vec4 tint{1, 1, 1, 1};                 // Multiplies the material's colour. Alpha < 1: transparent, casts no shadow.
  std::uint32_t id = 0;                  // Id of its pixels for picking and the id output; 0 is "nothing".
  bool casts_shadow = true;
  // Parts of one ghost, added one after the other, share a number, so that none is visible through another.
  std::uint32_t body = 0;
};

// A sphere, capsule or tapered limb: two spheres and the volume between them. Equal centres give a sphere.
struct RoundCone {
  Vec3 start_m, end_m;
  float start_radius_m = 0.05F, end_radius_m = 0.05F;
  Vec4 color{0.7F, 0.7F, 0.7F, 1};
  std::uint32_t id = 0;
};

// Light that falls off with the square of the distance and ends at `range_m`.
struct PointLight {
  Vec3 position_m;
  float range_m = 5;
  Vec3 color{1, 1, 1};        // Radiant intensity.
  Vec3 direction{0, -1, 0};   // Of a spot light, unit.
  float cone_cos_outer = -2;  // Cosine of the half angle where the light ends; below -1: shines all around.
  float cone_cos_inner = -1;  // Where it begins to fade.
};

struct RenderFrame {
  Camera camera;
  Environment environment;
  Settings settings;
  std::vector<Instance> instances;
  std::vector<RoundCone> cones;
  std::vector<PointLight> lights;
  // A grid or a mesh replaces the environment's flat ground. A ground other than that of the frame before is uploaded
  // again.
  GroundPtr ground;
  Overlay overlay;

  // Removes the content, keeps camera, environment and settings, and the memory.
  void clear();
};

}  // namespace zoe::render
