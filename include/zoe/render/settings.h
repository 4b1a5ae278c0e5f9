// SPDX-License-Identifier: MIT
// Part of Zoetrope. Settings of a frame: light, surroundings, quality.
#pragma once

#include <cstdint>

#include "zoe/math/vec.h"

namespace zoe::render {

// Light and surroundings. Linear colours; a white surface under radiance 1 is white at exposure 1.
struct Environment {
  Vec3 to_sun{0.45F, 0.80F, 0.40F};  // Need not be unit.
  Vec3 sun_color{2.0F, 1.9F, 1.74F};
  Vec3 sky_light{0.38F, 0.43F, 0.50F};      // Ambient light from above …
  Vec3 ground_light{0.20F, 0.18F, 0.165F};  // … and from below.
  Vec3 zenith_color{0.13F, 0.20F, 0.31F};   // Background: straight up …
  Vec3 horizon_color{0.37F, 0.42F, 0.47F};  // … and at eye level.

  bool ground = true;
  float ground_height_m = 0;
  Vec3 ground_color{0.19F, 0.20F, 0.21F};
  Vec3 grid_color{0.31F, 0.32F, 0.33F};
  float grid_cell_m = 1;     // 0: no grid.
  Vec3 ground_center_m{};    // The ground fades into the horizon away from this position …
  float ground_fade_m = 14;  // … and is invisible at this distance.
};

enum class Quality : std::uint8_t { kLow, kMedium, kHigh };

// How surfaces become a drawing. Styles other than plain need the software rasteriser (Renderer::create_software).
enum class DrawStyle : std::uint8_t {
  kPlain,       // Light and materials.
  kToon,        // Three bands of light, dark outlines.
  kInk,         // Black lines and hatching on paper. The hatching lies on the surfaces.
  kWatercolor,  // Washes of pigment on rough paper, with darker edges.
};

struct Settings {
  int width = 1280, height = 720;       // Of the resulting picture, 1 to 16384.
  int supersampling = 1;                // Renders this many times larger in each direction and averages; 1 to 4.
  bool transparent_background = false;  // Alpha is the coverage of characters; no sky, no ground.

  bool shadows = true;
  int shadow_resolution = 1024;     // Texels in each direction of one cascade.
  int shadow_cascades = 1;          // 1 to 4. One is fitted around all casters: best for a few characters.
  int shadow_samples = 12;          // 1 to 32.
  float shadow_softness_m = 0.03F;  // Radius of the blur.

  bool ambient_occlusion = true;
  int ambient_occlusion_samples = 12;  // 4 to 32, at half resolution.
  float ambient_occlusion_radius_m = 0.35F;
  float ambient_occlusion_strength = 1;

  bool bloom = true;
  float bloom_threshold = 1.6F;  // Radiance above which light bleeds.
  float bloom_strength = 0.25F;

  bool fxaa = true;
  float exposure = 1;
  DrawStyle style = DrawStyle::kPlain;

  bool write_ids = false;  // For Renderer::read_ids and pick; costs time. Depth and normals are always available.
};

// Sets all of the above; size, background and outputs of `settings` stay.
void set_quality(Settings& settings, Quality quality);

}  // namespace zoe::render
