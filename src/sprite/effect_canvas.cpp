// SPDX-License-Identifier: MIT
#include "sprite/effect_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoe/core/index.h"
#include "zoe/math/portable.h"

namespace zoe::sprite {
namespace {

constexpr int kNumTones = 8;
constexpr std::array<Rgb, kNumTones> kToneColors{Rgb{0, 0, 0},       Rgb{255, 255, 255}, Rgb{255, 226, 118},
                                                 Rgb{255, 150, 48},  Rgb{206, 62, 40},   Rgb{228, 216, 192},
                                                 Rgb{178, 160, 136}, Rgb{236, 242, 255}};
constexpr float kWhole = 0.4F;  // Coverage from which a whole pixel is drawn.

// from + along × times.
Vec2 moved(Vec2 from, Vec2 along, float times) { return {from.x + along.x * times, from.y + along.y * times}; }

std::uint8_t alpha_byte(float alpha) { return static_cast<std::uint8_t>(std::clamp(alpha, 0.0F, 1.0F) * 255 + 0.5F); }

}  // namespace

Rgb color_of(Tone tone, const Look& look) {
  if (look.style == Style::kSilhouette) return look.silhouette_color;
  const bool dark = tone == Tone::kRed || tone == Tone::kOrange || tone == Tone::kDustShade;
  if (look.style == Style::kInk) return dark ? look.outline_color : Rgb{255, 255, 255};
  return kToneColors[static_cast<std::size_t>(tone)];
}

EffectCanvas::EffectCanvas(int width, int height) : width_(width * kFine), height_(height * kFine) {}

void EffectCanvas::put(int x, int y, Tone tone, std::uint8_t alpha) {
  if (samples_.empty()) samples_.resize(idx(width_) * idx(height_));
  samples_[idx(y) * idx(width_) + idx(x)] = {tone, alpha};
}

void EffectCanvas::disc(Vec2 center, float radius, Tone tone, float alpha) {
  const float cx = center.x * kFine, cy = center.y * kFine, r = radius * kFine;
  const std::uint8_t a = alpha_byte(alpha);
  if (!(r > 0) || a == 0 || !(std::abs(cx) + std::abs(cy) + r < 1e6F)) return;
  const int left = std::max(0, static_cast<int>(std::floor(cx - r))),
            right = std::min(width_ - 1, static_cast<int>(std::ceil(cx + r))),
            top = std::max(0, static_cast<int>(std::floor(cy - r))),
            bottom = std::min(height_ - 1, static_cast<int>(std::ceil(cy + r)));
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      const float dx = static_cast<float>(x) + 0.5F - cx, dy = static_cast<float>(y) + 0.5F - cy;
      if (dx * dx + dy * dy <= r * r) put(x, y, tone, a);
    }
  }
}

void EffectCanvas::triangle(Vec2 a, Vec2 b, Vec2 c, Tone tone, float alpha) {
  const std::uint8_t byte = alpha_byte(alpha);
  const std::array<Vec2, 3> p{moved({}, a, kFine), moved({}, b, kFine), moved({}, c, kFine)};
  for (const Vec2 corner : p)
    if (byte == 0 || !(std::abs(corner.x) + std::abs(corner.y) < 1e6F)) return;
  const int left = std::max(0, static_cast<int>(std::floor(std::min({p[0].x, p[1].x, p[2].x})))),
            right = std::min(width_ - 1, static_cast<int>(std::ceil(std::max({p[0].x, p[1].x, p[2].x})))),
            top = std::max(0, static_cast<int>(std::floor(std::min({p[0].y, p[1].y, p[2].y})))),
            bottom = std::min(height_ - 1, static_cast<int>(std::ceil(std::max({p[0].y, p[1].y, p[2].y}))));
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      int positive = 0, negative = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec2 from = p[k], to = p[(k + 1) % 3];
        const float side = (to.x - from.x) * (static_cast<float>(y) + 0.5F - from.y) -
                           (to.y - from.y) * (static_cast<float>(x) + 0.5F - from.x);
        positive += side > 0 ? 1 : 0;
        negative += side < 0 ? 1 : 0;
      }
      if (positive == 0 || negative == 0) put(x, y, tone, byte);
    }
  }
}

void EffectCanvas::stroke(Vec2 a, Vec2 b, float width, Tone tone, float alpha) {
  const float dx = b.x - a.x, dy = b.y - a.y, length = portable_hypot(dx, dy);
  if (!(length > 0)) return;
  const Vec2 across{-dy / length * width / 2, dx / length * width / 2};
  triangle(moved(a, across, 1), moved(a, across, -1), b, tone, alpha);
}

void EffectCanvas::star(Vec2 center, int num_rays, float long_radius, float short_radius, float turn_rad, Tone tone) {
  for (int i = 0; i < num_rays; ++i) {
    const double angle =
        static_cast<double>(turn_rad) + 2 * std::numbers::pi * i / static_cast<double>(std::max(1, num_rays));
    const SineCosine turned = sine_cosine(angle);
    const float reach = i % 2 == 0 ? long_radius : long_radius * 0.55F;
    const Vec2 ray{static_cast<float>(turned.cosine), static_cast<float>(turned.sine)}, across{-ray.y, ray.x};
    triangle(moved(center, across, short_radius), moved(center, across, -short_radius), moved(center, ray, reach),
             tone);
  }
  disc(center, short_radius * 1.15F, tone);
}

void EffectCanvas::paint_over(render::Picture& picture, const Look& look, const PaletteMap* palette,
                              const std::vector<Rgb>& colors) const {
  if (samples_.empty()) return;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      std::array<float, kNumTones> weights{};
      float covered = 0;
      for (int k = 0; k < kFine * kFine; ++k) {
        const Sample& s = samples_[idx(y * kFine + k / kFine) * idx(width_) + idx(x * kFine + k % kFine)];
        const float weight = static_cast<float>(s.alpha) / (255.0F * kFine * kFine);
        weights[static_cast<std::size_t>(s.tone)] += weight;
        covered += weight;
      }
      if (!(covered > 0)) continue;
      std::uint8_t* pixel = picture.pixel(x, y);
      if (palette != nullptr) {
        if (covered < kWhole) continue;
        const auto most = std::max_element(weights.begin() + 1, weights.end()) - weights.begin();
        const Rgb color = colors[palette->nearest(color_of(static_cast<Tone>(most), look))];
        const std::uint8_t rgba[4] = {color.r, color.g, color.b, 255};
        std::copy(rgba, rgba + 4, pixel);
        continue;
      }
      float sum[3] = {};
      for (std::size_t t = 1; t < kNumTones; ++t) {
        const Rgb color = color_of(static_cast<Tone>(t), look);
        sum[0] += weights[t] * static_cast<float>(color.r);
        sum[1] += weights[t] * static_cast<float>(color.g);
        sum[2] += weights[t] * static_cast<float>(color.b);
      }
      // Over what is there; colours are not multiplied by alpha.
      const float below = static_cast<float>(pixel[3]) / 255.0F * (1 - covered), alpha = covered + below;
      for (std::size_t c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>(
            std::clamp((sum[c] + below * static_cast<float>(pixel[c])) / alpha + 0.5F, 0.0F, 255.0F));
      pixel[3] = alpha_byte(alpha);
    }
  }
}

}  // namespace zoe::sprite
