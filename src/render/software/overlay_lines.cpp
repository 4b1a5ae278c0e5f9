// SPDX-License-Identifier: MIT
#include "render/software/overlay_lines.h"

#include <algorithm>
#include <cmath>

namespace zoe::render {

void draw_overlay_lines(const FrameView& view, const Visibility& visibility, std::vector<Vec4>& pixels) {
  const int width = view.frame.settings.width, height = view.frame.settings.height;
  for (const OverlayLine& line : view.frame.overlay.lines()) {
    float ax = line.start.x, ay = line.start.y, bx = line.end.x, by = line.end.y, depth_a = 1, depth_b = 1;
    if (line.space != LineSpace::kScreen) {
      Vec4 a = transform(view.clip, {line.start.x, line.start.y, line.start.z, 1});
      Vec4 b = transform(view.clip, {line.end.x, line.end.y, line.end.z, 1});
      constexpr float kLeast = 0.01F;  // Parts behind the camera are cut off in front of it.
      if (a.w < kLeast && b.w < kLeast) continue;
      const auto cut = [](Vec4 from, Vec4 to) {
        const float t = (kLeast - from.w) / (to.w - from.w);
        return Vec4{from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t, from.z + (to.z - from.z) * t, kLeast};
      };
      if (a.w < kLeast) a = cut(a, b);
      if (b.w < kLeast) b = cut(b, a);
      ax = (a.x / a.w + 1) * 0.5F * static_cast<float>(width);
      ay = (1 - a.y / a.w) * 0.5F * static_cast<float>(height);
      bx = (b.x / b.w + 1) * 0.5F * static_cast<float>(width);
      by = (1 - b.y / b.w) * 0.5F * static_cast<float>(height);
      depth_a = a.z / a.w;
      depth_b = b.z / b.w;
    }
    const float reach = line.width_px * 0.5F + 1, dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
    if (!std::isfinite(square)) continue;
    const auto edge = [](float v, int most) { return static_cast<int>(std::clamp(v, 0.0F, static_cast<float>(most))); };
    const int x0 = edge(std::min(ax, bx) - reach, width), x1 = edge(std::max(ax, bx) + reach + 1, width);
    const int y0 = edge(std::min(ay, by) - reach, height), y1 = edge(std::max(ay, by) + reach + 1, height);
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) {
        const float px = static_cast<float>(x) + 0.5F - ax, py = static_cast<float>(y) + 0.5F - ay;
        const float t = square > 1e-8F ? std::clamp((px * dx + py * dy) / square, 0.0F, 1.0F) : 0.0F;
        const float off_x = px - dx * t, off_y = py - dy * t;
        const float off = std::sqrt(off_x * off_x + off_y * off_y);
        float alpha = line.color.w * std::clamp(line.width_px * 0.5F + 0.5F - off, 0.0F, 1.0F);
        if (alpha <= 0) continue;
        if (line.space != LineSpace::kScreen) {
          const int half = view.samples / 2;
          const float there = visibility.depth[visibility.index(x * view.samples + half, y * view.samples + half)];
          // Slightly in front of its surface.
          if (there > (depth_a + (depth_b - depth_a) * t) * 1.002F + 1e-6F)
            alpha *= line.space == LineSpace::kWorldOnTop ? 0.3F : 0.0F;
        }
        Vec4& pixel =
            pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
        pixel = {pixel.x * (1 - alpha) + line.color.x * alpha, pixel.y * (1 - alpha) + line.color.y * alpha,
                 pixel.z * (1 - alpha) + line.color.z * alpha, pixel.w * (1 - alpha) + alpha};
      }
    }
  }
}

}  // namespace zoe::render
