// SPDX-License-Identifier: MIT
// Part of Zoetrope. Animated pictures in one file: GIF and APNG, written without other programs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "zoe/render/picture.h"
#include "zoe/sprite/look.h"

namespace zoe::sprite {

// Pictures of one size, at least one, and how long each is displayed.
struct AnimatedPicture {
  std::vector<render::Picture> frames;
  std::vector<int> durations_ms;
  bool loop = true;
};

// One palette for all frames, at most 255 colours; empty: chosen from the frames. Pixels with alpha below 128 are
// transparent. Durations are rounded to hundredths of a second; their sum is kept, to the nearest.
std::vector<std::byte> encode_gif(const AnimatedPicture& animation, std::span<const Rgb> palette = {});

// Exact colours and alpha.
std::vector<std::byte> encode_apng(const AnimatedPicture& animation);

}  // namespace zoe::sprite
