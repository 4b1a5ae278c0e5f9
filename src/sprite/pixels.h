// SPDX-License-Identifier: MIT
// Part of Zoetrope. Whole-pixel styles: each pixel is transparent or one colour of the palette, by a vote of its
// samples. Votes that are nearly equal keep the colour of the frame before, so that pixels do not flicker.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/sprite/frame_set.h"
#include "zoe/sprite/palette.h"

#include "sprite/shade.h"

namespace zoe::sprite {

// The votes of one frame.
struct Votes {
  struct Pixel {
    std::uint8_t index[3] = {}, count[3] = {};  // The three most frequent colours, most frequent first.
    std::uint8_t covered = 0;                   // Samples with a colour, of scale × scale.
    std::uint8_t behind = 0;                    // Those of them that something near is in front of: a line inside.
  };
  int width = 0, height = 0, samples = 1;
  std::vector<Pixel> pixels;
};

Votes count_votes(const Samples& samples, const render::SurfaceBuffer& surfaces, const PaletteMap& map,
                  const Look& look, float line_depth);

// Frames of one animation in order. The state is the frame before; begin with none.
class PixelResolver {
 public:
  static constexpr std::uint8_t kNone = 255;

  // outline: palette entry of the outline, or -1.
  PixelResolver(std::vector<Rgb> palette, int outline);
  Cel resolve(const Votes& votes);

 private:
  std::uint8_t settle(const Votes::Pixel& pixel, std::uint8_t before, int samples) const;
  void remove_orphans(int width, int height);
  void add_outline(int width, int height);

  std::vector<Rgb> palette_;
  std::vector<Vec3d> lab_;
  std::vector<std::uint8_t> darker_;  // [palette] the entry for lines on this colour.
  int outline_;
  std::vector<std::uint8_t> state_, drawn_, before_, lines_;  // [pixels]; before_ and lines_ are of the frame before.
};

}  // namespace zoe::sprite
