// SPDX-License-Identifier: MIT
#include "sprite/puppet/paint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "zoe/core/index.h"

namespace zoe::sprite {
namespace {

constexpr int kEnlarged = 8;  // Textures of pixel art.
constexpr int kSamples = 3;   // Per pixel of pixel art, each way.

// Calls visit(x, y, u, v) for each pixel centre inside of the triangle, with its place at rest.
template <typename Visit>
void fill_triangle(const std::array<Point, 3>& to, const std::array<Point, 3>& from, int width, int height,
                   const Visit& visit) {
  const double area = cross(to[1] - to[0], to[2] - to[0]);
  if (std::abs(area) < 1e-9) return;
  const double top = std::min({to[0].y, to[1].y, to[2].y}), bottom = std::max({to[0].y, to[1].y, to[2].y});
  const int first = std::max(0, static_cast<int>(std::ceil(top - 0.5))),
            last = std::min(height - 1, static_cast<int>(std::ceil(bottom - 0.5)) - 1);
  // Places at rest are linear in x and y.
  const Point e1 = to[1] - to[0], e2 = to[2] - to[0], f1 = from[1] - from[0], f2 = from[2] - from[0];
  const double ux = (f1.x * e2.y - f2.x * e1.y) / area, uy = (f2.x * e1.x - f1.x * e2.x) / area;
  const double vx = (f1.y * e2.y - f2.y * e1.y) / area, vy = (f2.y * e1.x - f1.y * e2.x) / area;
  for (int y = first; y <= last; ++y) {
    const double row = y + 0.5;
    double left = 1e30, right = -1e30;
    for (std::size_t i = 0; i < 3; ++i) {
      const Point a = to[i], b = to[(i + 1) % 3];
      if ((a.y <= row) == (b.y <= row)) continue;
      const double x = a.x + (row - a.y) / (b.y - a.y) * (b.x - a.x);
      left = std::min(left, x);
      right = std::max(right, x);
    }
    const int begin = std::max(0, static_cast<int>(std::ceil(left - 0.5))),
              end = std::min(width, static_cast<int>(std::ceil(right - 0.5)));
    if (begin >= end) continue;
    double u = from[0].x + ux * (begin + 0.5 - to[0].x) + uy * (row - to[0].y);
    double v = from[0].y + vx * (begin + 0.5 - to[0].x) + vy * (row - to[0].y);
    for (int x = begin; x < end; ++x, u += ux, v += vx) visit(x, y, u, v);
  }
}

render::Picture multiplied(render::Picture picture) {
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4) {
    for (std::size_t c = 0; c < 3; ++c)
      picture.rgba[i + c] = static_cast<std::uint8_t>((picture.rgba[i + c] * picture.rgba[i + 3] + 127) / 255);
  }
  return picture;
}

// Interpolated between pixel centres, in 256ths; colours multiplied by alpha.
void sample_smooth(const render::Picture& texture, double u, double v, std::array<int, 4>& out) {
  const int fu = static_cast<int>((u - 0.5) * 256 + 65536) - 65536,
            fv = static_cast<int>((v - 0.5) * 256 + 65536) - 65536;
  const int x = fu >> 8, y = fv >> 8, wx = fu & 255, wy = fv & 255;
  if (x < 0 || y < 0 || x + 1 >= texture.width || y + 1 >= texture.height) {
    out = {};
    if (x < -1 || y < -1 || x >= texture.width || y >= texture.height) return;
    const std::uint8_t* p = texture.pixel(std::clamp(x, 0, texture.width - 1), std::clamp(y, 0, texture.height - 1));
    for (std::size_t c = 0; c < 4; ++c) out[c] = p[c];
    return;
  }
  const std::uint8_t *a = texture.pixel(x, y), *b = texture.pixel(x, y + 1);
  for (std::size_t c = 0; c < 4; ++c) {
    const int upper = a[c] * (256 - wx) + a[c + 4] * wx, lower = b[c] * (256 - wx) + b[c + 4] * wx;
    out[c] = (upper * (256 - wy) + lower * wy + 32768) >> 16;
  }
}

}  // namespace

render::Picture scaled2x(const render::Picture& picture) {
  render::Picture out = render::make_picture(picture.width * 2, picture.height * 2, 0, 0, 0, 0);
  const auto at = [&](int x, int y) {
    std::uint32_t value = 0;
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height || picture.pixel(x, y)[3] == 0) return value;
    std::memcpy(&value, picture.pixel(x, y), 4);
    return value;
  };
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const std::uint32_t p = at(x, y), up = at(x, y - 1), right = at(x + 1, y), left = at(x - 1, y),
                          down = at(x, y + 1);
      std::uint32_t corners[4] = {p, p, p, p};
      if (left == up && left != down && up != right) corners[0] = up;
      if (up == right && up != left && right != down) corners[1] = right;
      if (down == left && down != right && left != up) corners[2] = left;
      if (right == down && right != up && down != left) corners[3] = down;
      for (int k = 0; k < 4; ++k) std::memcpy(out.pixel(2 * x + k % 2, 2 * y + k / 2), &corners[k], 4);
    }
  }
  return out;
}

PuppetPainter::PuppetPainter(const Puppet& puppet, bool pixel_art) : puppet_(puppet), pixel_art_(pixel_art) {
  for (const PuppetPart& part : puppet.parts())
    textures_.push_back(pixel_art ? scaled2x(scaled2x(scaled2x(part.texture))) : multiplied(part.texture));
}

void PuppetPainter::draw(const std::vector<std::vector<Point>>& vertices, const std::vector<int>& order, Point offset,
                         int width, int height, render::Picture& out) {
  const int samples = pixel_art_ ? kSamples : 1;
  render::Picture& canvas = pixel_art_ ? fine_ : out;
  canvas.width = width * samples;
  canvas.height = height * samples;
  canvas.rgba.assign(4 * idx(canvas.width) * idx(canvas.height), 0);
  std::array<int, 4> color{};
  for (const int number : order) {
    const PuppetPart& part = puppet_.parts()[idx(number)];
    const render::Picture& texture = textures_[idx(number)];
    const std::vector<Point>& rest = part.solver.rest();
    for (const MeshTriangle& triangle : part.triangles) {
      std::array<Point, 3> to, from;
      for (std::size_t i = 0; i < 3; ++i) {
        to[i] = (vertices[idx(number)][idx(triangle.vertices[i])] + offset) * samples;
        from[i] = rest[idx(triangle.vertices[i])];
      }
      if (pixel_art_) {
        fill_triangle(to, from, canvas.width, canvas.height, [&](int x, int y, double u, double v) {
          const int tx = static_cast<int>(std::floor(u * kEnlarged)), ty = static_cast<int>(std::floor(v * kEnlarged));
          if (tx < 0 || ty < 0 || tx >= texture.width || ty >= texture.height) return;
          const std::uint8_t* p = texture.pixel(tx, ty);
          if (p[3] != 0) std::copy_n(p, 4, canvas.pixel(x, y));
        });
        continue;
      }
      fill_triangle(to, from, width, height, [&](int x, int y, double u, double v) {
        sample_smooth(texture, u, v, color);
        if (color[3] == 0) return;
        std::uint8_t* p = canvas.pixel(x, y);
        const int behind = 255 - color[3];
        for (std::size_t c = 0; c < 4; ++c)
          p[c] = static_cast<std::uint8_t>(std::min(255, color[c] + (p[c] * behind + 127) / 255));
      });
    }
  }
  if (!pixel_art_) {
    for (std::size_t i = 0; i < out.rgba.size(); i += 4) {
      const int alpha = out.rgba[i + 3];
      if (alpha == 0 || alpha == 255) continue;
      for (std::size_t c = 0; c < 3; ++c)
        out.rgba[i + c] = static_cast<std::uint8_t>(std::min(255, (out.rgba[i + c] * 255 + alpha / 2) / alpha));
    }
    return;
  }
  // Each pixel has the colour of most of its samples, and is drawn where half of them are.
  out.width = width;
  out.height = height;
  out.rgba.assign(4 * idx(width) * idx(height), 0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::array<std::uint32_t, kSamples * kSamples> seen{};
      int count = 0;
      for (int k = 0; k < kSamples * kSamples; ++k) {
        std::uint32_t value = 0;
        std::memcpy(&value, fine_.pixel(x * kSamples + k % kSamples, y * kSamples + k / kSamples), 4);
        if (value != 0) seen[idx(count++)] = value;
      }
      if (2 * count < kSamples * kSamples) continue;
      std::sort(seen.begin(), seen.begin() + count);
      std::uint32_t best = 0;
      int most = 0;
      for (int i = 0, run = 0; i < count; ++i) {
        run = i > 0 && seen[idx(i)] == seen[idx(i - 1)] ? run + 1 : 1;
        if (run > most) most = run, best = seen[idx(i)];
      }
      std::memcpy(out.pixel(x, y), &best, 4);
    }
  }
}

}  // namespace zoe::sprite
