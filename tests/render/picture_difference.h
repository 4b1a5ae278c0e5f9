// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. How different two pictures look, rather than whether their bytes agree:
// drivers round differently.
#pragma once

#include "zoe/render/picture.h"

namespace zoe::test {

struct PictureDifference {
  double mean = 255;         // Mean absolute difference a channel, of 255.
  double share_visible = 1;  // Pixels that differ by more than 12 of 255 after a 3 × 3 blur: single
                             // edge pixels may jump.
  render::Picture picture;   // Difference times eight; grey is none.

  bool is_small() const { return mean < 0.15 && share_visible < 0.0005; }
};

// Pictures of different size differ in everything.
PictureDifference compare_pictures(const render::Picture& a, const render::Picture& b);

}  // namespace zoe::test
