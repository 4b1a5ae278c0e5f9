// SPDX-License-Identifier: MIT
// Part of Zoetrope. Cuts the figure of a drawing out of its background: by alpha, by a plain colour, or from paper.
#pragma once

#include <string>

#include "zoe/core/result.h"
#include "zoe/render/picture.h"

namespace zoe::sprite {

enum class Background : std::uint8_t { kAlpha, kPlain, kPaper };
const char* to_string(Background background);

struct CutOut {
  render::Picture figure;  // Outside of the figure alpha is 0. Two transparent pixels around.
  Background background = Background::kAlpha;
  bool pixel_art = false;  // Few colours, alpha on or off. One pixel of `figure` is one of the artist's pixels.
  int pixel_scale = 1;     // Pixels of the file per pixel of the artist.
  // Pixel (x, y) of the figure is at (left + x × scale, top + y × scale) in the file.
  double left = 0, top = 0, scale = 1;
};

struct CutOutOptions {
  int max_size_px = 512;  // Larger figures are made smaller, width and height.
  bool whole = false;     // No search for a figure: all that is not transparent.
};

// Fails on an empty picture, on several figures, and where no figure is found on its background. Limbs that the canvas
// may cut off are a warning.
Result<CutOut> cut_out(const render::Picture& drawing, const CutOutOptions& options, Warnings& warnings);

}  // namespace zoe::sprite
