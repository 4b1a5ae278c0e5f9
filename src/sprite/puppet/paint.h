// SPDX-License-Identifier: MIT
// Part of Zoetrope. Draws the deformed layers of a puppet.
#pragma once

#include "sprite/puppet/puppet.h"

namespace zoe::sprite {

// Textures for drawing: as they are, or enlarged without new colours for pixel art.
class PuppetPainter {
 public:
  PuppetPainter(const Puppet& puppet, bool pixel_art);

  // The canvas shows figure position (x - offset.x, y - offset.y) at (x, y).
  void draw(const std::vector<std::vector<Point>>& vertices, const std::vector<int>& order, Point offset, int width,
            int height, render::Picture& out);

 private:
  const Puppet& puppet_;
  bool pixel_art_;
  std::vector<render::Picture> textures_;  // Smooth: colours multiplied by alpha.
  render::Picture fine_;                   // Pixel art: several samples per pixel.
};

// Twice the size by the rule of Scale2x (Mazzoleni 2001): corners are cut where neighbours agree; no new colours.
render::Picture scaled2x(const render::Picture& picture);

}  // namespace zoe::sprite
