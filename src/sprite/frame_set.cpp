// SPDX-License-Identifier: MIT
#include "zoe/sprite/frame_set.h"

#include <algorithm>

namespace zoe::sprite {

Cel trim(const render::Picture& canvas) {
  int left = canvas.width, top = canvas.height, right = 0, bottom = 0;
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      if (canvas.pixel(x, y)[3] == 0) continue;
      left = std::min(left, x);
      right = std::max(right, x + 1);
      top = std::min(top, y);
      bottom = y + 1;
    }
  }
  if (left >= right) return {};
  Cel cel{left, top, render::make_picture(right - left, bottom - top, 0, 0, 0, 0)};
  render::paste(canvas, -left, -top, cel.picture);
  return cel;
}

render::Picture untrim(const Cel& cel, int width, int height) {
  render::Picture canvas = render::make_picture(width, height, 0, 0, 0, 0);
  if (!cel.empty()) render::paste(cel.picture, cel.x, cel.y, canvas);
  return canvas;
}

}  // namespace zoe::sprite
