// SPDX-License-Identifier: MIT
#include "zoe/render/overlay.h"

#include <cmath>
#include <numbers>

#include "render/stroke_font.h"

namespace zoe::render {

void Overlay::line(Vec3 start, Vec3 end, Vec4 color, float width_px, LineSpace space) {
  lines_.push_back({start, width_px, end, space, color});
}

void Overlay::polyline(std::span<const Vec3> points, Vec4 color, float width_px, LineSpace space) {
  for (std::size_t i = 1; i < points.size(); ++i) line(points[i - 1], points[i], color, width_px, space);
}

void Overlay::axes(const Affine& m, float length_m, float width_px) {
  const auto tip = [&](Vec3 axis) { return m.t + normalized(axis) * length_m; };
  line(m.t, tip(m.x), {0.90F, 0.20F, 0.20F, 1}, width_px, LineSpace::kWorldOnTop);
  line(m.t, tip(m.y), {0.25F, 0.75F, 0.25F, 1}, width_px, LineSpace::kWorldOnTop);
  line(m.t, tip(m.z), {0.25F, 0.45F, 0.95F, 1}, width_px, LineSpace::kWorldOnTop);
}

void Overlay::arrow(Vec3 start, Vec3 end, Vec4 color, float width_px) {
  line(start, end, color, width_px, LineSpace::kWorldOnTop);
  const float size = distance(start, end) * 0.2F;
  const Vec3 back = normalized(start - end);
  const Vec3 side = normalized(cross(back, Vec3{0, 1, 0}), {1, 0, 0});
  for (const float sign : {-1.0F, 1.0F})
    line(end, end + (back + side * (0.5F * sign)) * size, color, width_px, LineSpace::kWorldOnTop);
}

void Overlay::circle(Vec3 center, Vec3 normal, float radius_m, Vec4 color, float width_px, int num_segments) {
  const Vec3 n = normalized(normal, {0, 1, 0});
  const Vec3 x = normalized(cross(n, std::abs(n.x) < 0.9F ? Vec3{1, 0, 0} : Vec3{0, 0, 1})), y = cross(n, x);
  Vec3 last = center + x * radius_m;
  for (int i = 1; i <= num_segments; ++i) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(num_segments);
    const Vec3 next = center + (x * std::cos(angle) + y * std::sin(angle)) * radius_m;
    line(last, next, color, width_px);
    last = next;
  }
}

void Overlay::sphere(Vec3 center, float radius_m, Vec4 color, float width_px) {
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    circle(center, axis, radius_m, color, width_px, 24);
}

void Overlay::box(const Affine& m, Vec4 color, float width_px) {
  const auto corner = [&](int i) {
    return m.apply_point({i & 1 ? 1.0F : -1.0F, i & 2 ? 1.0F : -1.0F, i & 4 ? 1.0F : -1.0F});
  };
  for (int i = 0; i < 8; ++i) {
    for (const int bit : {1, 2, 4}) {
      if ((i & bit) == 0) line(corner(i), corner(i | bit), color, width_px);
    }
  }
}

void Overlay::text(float x_px, float y_px, std::string_view words, float height_px, Vec4 color, Anchor anchor) {
  const float width = text_width_px(words, height_px);
  float x = anchor == Anchor::kLeft ? x_px : anchor == Anchor::kCenter ? x_px - width * 0.5F : x_px - width;
  const float unit = height_px / kCapHeight;
  for (const char letter : words) {
    // Strokes: points as pairs of digits (x, y up from the baseline, which is 2), lines separated
    // by blanks.
    const Glyph glyph = glyph_of(letter);
    const auto point = [&](std::size_t i) {
      const auto gx = static_cast<float>(glyph.strokes[i] - '0'),
                 gy = static_cast<float>(glyph.strokes[i + 1] - '0' - kBaseline);
      return Vec3{x + gx * unit, y_px - gy * unit, 0};
    };
    for (std::size_t i = 0; i + 1 < glyph.strokes.size();) {
      if (glyph.strokes[i] == ' ') {
        ++i;
        continue;
      }
      const bool goes_on = i + 3 < glyph.strokes.size() && glyph.strokes[i + 2] != ' ';
      const bool alone = (i == 0 || glyph.strokes[i - 1] == ' ') && !goes_on;
      if (goes_on || alone) line(point(i), point(goes_on ? i + 2 : i), color, height_px * 0.13F, LineSpace::kScreen);
      i += 2;
    }
    x += static_cast<float>(glyph.advance) * unit;
  }
}

float text_width_px(std::string_view words, float height_px) {
  int units = 0;
  for (const char letter : words) units += glyph_of(letter).advance;
  return static_cast<float>(units) * height_px / kCapHeight;
}

}  // namespace zoe::render
