// SPDX-License-Identifier: MIT
// Part of Zoetrope. Rectangles packed into a bin.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace zoe::sprite {

struct Rect {
  int x = 0, y = 0, width = 0, height = 0;
};

// Fills in x and y. Returns the used height; nullopt where they do not fit. Larger rectangles go first; equal ones in
// their order.
std::optional<int> pack_rects(std::span<Rect> rects, int bin_width, int bin_height);

}  // namespace zoe::sprite
