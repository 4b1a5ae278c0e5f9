// SPDX-License-Identifier: MIT
// Part of Zoetrope. Guesses of a painter's frames: a puppet in the same pose, in the colours of a palette. Training,
// evaluation and painting use this code.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "zoe/paint/features.h"
#include "zoe/sprite/palette.h"

#include "sprite/puppet/paint.h"

namespace zoe::sprite {

// Few colours, alpha on or off: such drawings are bent, and painted, without mixing colours.
bool has_whole_pixels(std::span<const std::uint8_t> rgba);

// Each pixel's nearest colour of the palette (OKLab) and its alpha.
paint::SoftPicture soft_picture(const render::Picture& picture, std::span<const Rgb> palette);
// Back to rgba bytes.
std::vector<std::uint8_t> rgba_of(const paint::SoftPicture& picture, std::span<const Rgb> palette);

// A puppet with the joints of a pose. Bodies that lack joints stay as drawn.
class PosedPuppet {
 public:
  // drawing: square, as large as the canvas.
  PosedPuppet(const render::Picture& drawing, const paint::Pose& drawn);
  PosedPuppet(const PosedPuppet&) = delete;
  PosedPuppet& operator=(const PosedPuppet&) = delete;

  // Valid until the next call.
  const render::Picture& draw(const paint::Pose& target);

 private:
  render::Picture drawing_, canvas_;
  std::optional<Puppet> puppet_;
  std::optional<PuppetPainter> painter_;
  std::vector<std::vector<Point>> vertices_;
};

}  // namespace zoe::sprite
