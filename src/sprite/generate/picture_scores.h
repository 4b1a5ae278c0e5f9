// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a painted picture is from the true one. Pictures are rgba bytes of `size` squared pixels.
#pragma once

#include <cstdint>
#include <span>

namespace zoe::sprite {

using Rgba = std::span<const std::uint8_t>;

inline bool is_figure(Rgba picture, std::size_t pixel) { return picture[4 * pixel + 3] >= 128; }

// Peak signal-to-noise ratio, composites on black and on white together; at most 60. figure: only where one of the two
// has a figure.
double psnr_db(Rgba a, Rgba b, bool figure);
// Structural similarity of brightness (Wang 2004), windows of 8 x 8 every 4 pixels, mean of black and white.
double ssim(Rgba a, Rgba b, int size);
double alpha_overlap(Rgba a, Rgba b);
// Whether a pixel differs visibly: figure or none, or a channel by more than 24 of 255.
bool differs(Rgba a, Rgba b, std::size_t pixel);

}  // namespace zoe::sprite
