// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a network of clips painted, as pixels of a palette. The network predicts means: where it
// doubts, alpha is between drawn and not, and colours are between those of the palette.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/paint/features.h"
#include "zoe/sprite/palette.h"

namespace zoe::sprite {

struct SettledClip {
  std::span<const std::vector<std::uint8_t>> frames;  // Rgba of size x size pixels.
  std::span<const paint::SoftPicture> guesses = {};   // One a frame, in the palette; or none.
  std::span<const Rgb> palette;
  int size = 0;
  bool whole_pixels = false;  // All or nothing; else pixels beside an edge of the figure keep their alpha.
  bool loop = false;          // The first frame follows the last.
};
// Each pixel takes the nearest colour of the palette (OKLab), but keeps that of the guess, or of the frame before,
// where it is hardly farther.
std::vector<paint::SoftPicture> settled(const SettledClip& clip);

}  // namespace zoe::sprite
