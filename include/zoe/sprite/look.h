// SPDX-License-Identifier: MIT
// Part of Zoetrope. The look of sprites: style, outline, colours.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::sprite {

// sRGB.
struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

enum class Style : std::uint8_t {
  kLit,         // Smooth shading.
  kToon,        // Three bands of light, lines where a limb is in front of the body, an outline.
  kInk,         // One shadow, black lines, a black outline.
  kSilhouette,  // One colour.
  kFlat,        // Surface colours without light, from one palette.
  kPixel,       // Three bands from one palette, whole pixels, an outline of one pixel.
};
std::optional<Style> style_from(std::string_view word);

// Look::to_light of a light around the body: 0 before it, 90 on the right, -90 on the left, 180 behind.
Vec3 light_direction(float azimuth_deg, float elevation_deg);

struct Look {
  Style style = Style::kToon;
  int num_colors = 24;       // Flat and pixel: of all frames together, outline included; 2 to 256.
  std::vector<Rgb> palette;  // Flat and pixel: in place of a computed one; 2 to 256 colours.
  bool dither = false;       // Pixel: smooth light by an ordered 4 × 4 pattern instead of bands.
  bool outline = true;       // Toon, ink and pixel.
  Rgb outline_color{26, 20, 34};
  Rgb silhouette_color{22, 24, 38};
  // Unit vector to the light, view space: x to the right, y up, z to the viewer. From the upper left before the body,
  // as in most drawn sprites.
  Vec3 to_light{-0.42F, 0.74F, 0.525F};
  Rgb light_color{255, 255, 255};  // Of lit surfaces; shadows keep theirs.
  float exposure = 0;              // Multiplies the light; 0: dark bodies get more, up to 1.7 times.
  bool shadow = true;              // A drop shadow as a layer of its own.
  bool impact = false;             // Two tones in place of the style: an impact drawing.

  bool has_palette() const { return style == Style::kFlat || style == Style::kPixel; }
};

}  // namespace zoe::sprite
