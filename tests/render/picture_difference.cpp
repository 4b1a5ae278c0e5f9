// SPDX-License-Identifier: MIT
#include "render/picture_difference.h"

#include <algorithm>
#include <cmath>

namespace zoe::test {

PictureDifference compare_pictures(const render::Picture& a, const render::Picture& b) {
  PictureDifference out;
  if (a.width != b.width || a.height != b.height || a.rgba.empty()) return out;
  out.picture = render::make_picture(a.width, a.height, 128, 128, 128, 255);
  // Transparent pixels have no colour to compare: all four channels are compared with alpha
  // multiplied in.
  const auto value = [](const render::Picture& p, int x, int y, int c) {
    const std::uint8_t* q = p.pixel(std::clamp(x, 0, p.width - 1), std::clamp(y, 0, p.height - 1));
    return c == 3 ? static_cast<double>(q[3]) : q[c] * q[3] / 255.0;
  };
  double sum = 0;
  std::size_t visible = 0;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      double worst = 0;
      for (int c = 0; c < 4; ++c) {
        const double here = value(b, x, y, c) - value(a, x, y, c);
        sum += std::abs(here);
        if (c < 3) out.picture.pixel(x, y)[c] = static_cast<std::uint8_t>(std::clamp(128 + 8 * here, 0.0, 255.0));
        double blurred = 0;
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) blurred += value(b, x + dx, y + dy, c) - value(a, x + dx, y + dy, c);
        }
        worst = std::max(worst, std::abs(blurred) / 9);
      }
      visible += worst > 12 ? 1 : 0;
    }
  }
  const double pixels = static_cast<double>(a.width) * a.height;
  out.mean = sum / (pixels * 4);
  out.share_visible = static_cast<double>(visible) / pixels;
  return out;
}

}  // namespace zoe::test
