// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Drawings with known joints.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zoe/render/picture.h"
#include "zoe/sprite/puppet/point.h"

namespace zoe::sprite::test {

using Color = std::array<std::uint8_t, 3>;

// A line with round ends.
inline void draw_limb(render::Picture& picture, Point a, Point b, double radius, Color color) {
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const Point p{x + 0.5, y + 0.5};
      if (distance(p, mix(a, b, nearest_fraction(p, a, b))) > radius) continue;
      std::copy(color.begin(), color.end(), picture.pixel(x, y));
      picture.pixel(x, y)[3] = 255;
    }
  }
}

// A person with arms at an angle, 160 pixels tall at (100, 20).
inline render::Picture draw_person(int width = 200, int height = 200, Point at = {100, 20}) {
  render::Picture picture = render::make_picture(width, height, 0, 0, 0, 0);
  const Color skin{230, 180, 140}, shirt{60, 90, 200}, trousers{70, 60, 50};
  draw_limb(picture, at + Point{-8, 100}, at + Point{-14, 152}, 8, trousers);
  draw_limb(picture, at + Point{8, 100}, at + Point{14, 152}, 8, trousers);
  draw_limb(picture, at + Point{-16, 52}, at + Point{-52, 88}, 6, skin);
  draw_limb(picture, at + Point{16, 52}, at + Point{52, 88}, 6, skin);
  draw_limb(picture, at + Point{0, 56}, at + Point{0, 90}, 18, shirt);
  draw_limb(picture, at + Point{0, 36}, at + Point{0, 50}, 6, skin);
  draw_limb(picture, at + Point{0, 18}, at + Point{0, 20}, 18, skin);
  return picture;
}

}  // namespace zoe::sprite::test
