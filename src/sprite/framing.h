// SPDX-License-Identifier: MIT
// Part of Zoetrope. One scale and one pivot for all frames of a set.
#pragma once

#include <span>

#include "zoe/core/result.h"
#include "zoe/math/affine.h"
#include "zoe/sprite/request.h"

namespace zoe::sprite {

// Extent of what is drawn, from the pivot, model units: x to the right, y up. Empty: left > right.
struct Extent {
  float left = 1e30F, right = -1e30F, bottom = 1e30F, top = -1e30F;

  void add(std::span<const Vec3> model_points, const Affine& view_from_model);
  void add(const Extent& other);
};

struct Framing {
  int width = 0, height = 0, pivot_x = 0, pivot_y = 0;
  float pixels_per_unit = 1;
};

// The pivot is in the middle of the width. Fails where `request.pixels_per_metre` is too large for the canvas.
Result<Framing> fit(const Extent& extent, const Request& request);

}  // namespace zoe::sprite
