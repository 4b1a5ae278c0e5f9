// SPDX-License-Identifier: MIT
#include "sprite/puppet/resize.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace zoe::sprite {

render::Picture resized(const render::Picture& picture, int width, int height) {
  if (picture.width == width && picture.height == height) return picture;
  render::Picture out = render::make_picture(width, height, 0, 0, 0, 0);
  const double sx = static_cast<double>(picture.width) / width, sy = static_cast<double>(picture.height) / height;
  // Boxes of at least one source pixel: enlarged pictures are smooth between pixels.
  const double half_x = std::max(sx, 1.0) / 2, half_y = std::max(sy, 1.0) / 2;
  for (int y = 0; y < height; ++y) {
    const double top = std::max(0.0, (y + 0.5) * sy - half_y),
                 bottom = std::min(static_cast<double>(picture.height), (y + 0.5) * sy + half_y);
    for (int x = 0; x < width; ++x) {
      const double left = std::max(0.0, (x + 0.5) * sx - half_x),
                   right = std::min(static_cast<double>(picture.width), (x + 0.5) * sx + half_x);
      std::array<double, 4> sum{};
      double area = 0;
      for (int v = static_cast<int>(top); v < bottom; ++v) {
        const double rows = std::min(bottom, v + 1.0) - std::max(top, static_cast<double>(v));
        for (int u = static_cast<int>(left); u < right; ++u) {
          const double part = rows * (std::min(right, u + 1.0) - std::max(left, static_cast<double>(u)));
          const std::uint8_t* p = picture.pixel(u, v);
          for (std::size_t c = 0; c < 3; ++c) sum[c] += part * p[c] * p[3];
          sum[3] += part * p[3];
          area += part;
        }
      }
      if (sum[3] <= 0) continue;
      std::uint8_t* to = out.pixel(x, y);
      for (std::size_t c = 0; c < 3; ++c) to[c] = static_cast<std::uint8_t>(std::lround(sum[c] / sum[3]));
      to[3] = static_cast<std::uint8_t>(std::lround(sum[3] / area));
    }
  }
  return out;
}

render::Picture repeated(const render::Picture& picture, int scale) {
  render::Picture out = render::make_picture(picture.width * scale, picture.height * scale, 0, 0, 0, 0);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) std::copy_n(picture.pixel(x / scale, y / scale), 4, out.pixel(x, y));
  }
  return out;
}

render::Picture thinned(const render::Picture& picture, int left, int top, int scale) {
  const int width = (picture.width - left) / scale, height = (picture.height - top) / scale;
  render::Picture out = render::make_picture(width, height, 0, 0, 0, 0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      std::copy_n(picture.pixel(left + x * scale + scale / 2, top + y * scale + scale / 2), 4, out.pixel(x, y));
  }
  return out;
}

render::Picture cropped(const render::Picture& picture, int left, int top, int width, int height) {
  render::Picture out = render::make_picture(width, height, 0, 0, 0, 0);
  render::paste(picture, -left, -top, out);
  return out;
}

render::Picture mirrored(const render::Picture& picture) {
  render::Picture out = picture;
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) std::copy_n(picture.pixel(picture.width - 1 - x, y), 4, out.pixel(x, y));
  }
  return out;
}

}  // namespace zoe::sprite
