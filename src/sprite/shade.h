// SPDX-License-Identifier: MIT
// Part of Zoetrope. From surfaces to colours, sample by sample.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/render/software/raster.h"
#include "zoe/sprite/look.h"

namespace zoe::sprite {

// Colours of the samples of one frame. Samples per pixel: scale × scale.
struct Samples {
  int width = 0, height = 0, scale = 1;
  std::vector<std::uint32_t> rgba;               // Red in the lowest byte. Alpha 255 or 0.
  int left = 0, top = 0, right = 0, bottom = 0;  // Box with all samples that have a colour.
  std::vector<std::uint8_t> mask, grown;         // Memory of the outline.

  std::uint32_t& at(int x, int y) {
    return rgba[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  const std::uint32_t* row(int y) const {
    return rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
  std::uint32_t at(int x, int y) const { return const_cast<Samples*>(this)->at(x, y); }
};

inline std::uint32_t pack(Rgb color) {
  return color.r | (std::uint32_t{color.g} << 8) | (std::uint32_t{color.b} << 16) | 0xff000000U;
}
inline Rgb unpack(std::uint32_t rgba) {
  return {static_cast<std::uint8_t>(rgba), static_cast<std::uint8_t>(rgba >> 8), static_cast<std::uint8_t>(rgba >> 16)};
}

// line_depth: how much nearer a limb must be for a line between it and what is behind it, model units.
// Smooth styles get their lines and outline here, in samples, so that they are smooth as well.
void shade(const render::SurfaceBuffer& surfaces, const Look& look, int scale, float line_depth, Samples& out);

}  // namespace zoe::sprite
