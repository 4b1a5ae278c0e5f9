// SPDX-License-Identifier: MIT
// Part of Zoetrope. Materials of surfaces.
#pragma once

#include <cstdint>

#include "zoe/math/vec.h"
#include "zoe/render/handles.h"

namespace zoe::render {

// Metallic-roughness, as in glTF. Textures multiply the numbers.
struct MaterialDesc {
  Vec4 base_color{0.8F, 0.8F, 0.8F, 1};
  TextureHandle base_color_texture;
  float metallic = 0, roughness = 0.7F;
  TextureHandle metallic_roughness_texture;  // Green: roughness, blue: metallic.
  TextureHandle normal_texture;
  float normal_scale = 1;
  TextureHandle occlusion_texture;  // Red.
  float occlusion_strength = 1;
  Vec3 emissive{};
  TextureHandle emissive_texture;
  float alpha_cutoff = 0;  // > 0: pixels with less alpha are not drawn.
  bool blend = false;      // Alpha is transparency.
  bool double_sided = false;
};

enum class ColorSpace : std::uint8_t { kSrgb, kLinear };

}  // namespace zoe::render
