// SPDX-License-Identifier: MIT
// Part of Zoetrope. A canvas for effects: flat shapes in a few tones, three samples per pixel each way.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/math/vec.h"
#include "zoe/sprite/frame_set.h"
#include "zoe/sprite/look.h"
#include "zoe/sprite/palette.h"

namespace zoe::sprite {

enum class Tone : std::uint8_t { kNone, kWhite, kYellow, kOrange, kRed, kDust, kDustShade, kLine };

// The colour of a tone in a style. Inks have black and white alone, silhouettes their one colour.
Rgb color_of(Tone tone, const Look& look);

// Positions and lengths are in pixels of the canvas.
class EffectCanvas {
 public:
  EffectCanvas(int width, int height);

  void disc(Vec2 center, float radius, Tone tone, float alpha = 1);
  void triangle(Vec2 a, Vec2 b, Vec2 c, Tone tone, float alpha = 1);
  // A stroke that is `width` wide at `a` and ends in a point.
  void stroke(Vec2 a, Vec2 b, float width, Tone tone, float alpha = 1);
  // Rays of two lengths in turns.
  void star(Vec2 center, int num_rays, float long_radius, float short_radius, float turn_rad, Tone tone);

  bool empty() const { return samples_.empty(); }
  // Over a picture of the same size. palette: whole pixels of its nearest colours; null: smooth edges.
  void paint_over(render::Picture& picture, const Look& look, const PaletteMap* palette,
                  const std::vector<Rgb>& colors) const;

 private:
  struct Sample {
    Tone tone = Tone::kNone;
    std::uint8_t alpha = 0;
  };
  static constexpr int kFine = 3;
  void put(int x, int y, Tone tone, std::uint8_t alpha);

  int width_, height_;           // Samples.
  std::vector<Sample> samples_;  // Empty until something is drawn.
};

}  // namespace zoe::sprite
