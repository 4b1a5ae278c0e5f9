// SPDX-License-Identifier: MIT
#include "sprite/shade.h"

#include <algorithm>

#include "zoe/render/software/srgb.h"

namespace zoe::sprite {
namespace {

using render::linear_from_srgb;
using render::srgb_from_linear;

constexpr float kShadowBelow = 0.12F, kLightAbove = 0.80F;  // Borders of the bands: cosine to the light.
// What bands multiply linear colours with: shadows are bluer, lights warmer.
constexpr Vec3 kShadow{0.40F, 0.37F, 0.50F}, kMiddle{0.88F, 0.88F, 0.88F}, kLight{1.22F, 1.20F, 1.12F};
constexpr float kLineShare = 0.35F;    // Brightness of lines inside of toon bodies.
constexpr float kImpactBelow = 0.35F;  // Impact drawings: cosine to the light below which they are dark.

float light_of(const render::Surfel& surfel, Vec3 to_light) {
  return (static_cast<float>(surfel.normal[0]) * to_light.x + static_cast<float>(surfel.normal[1]) * to_light.y +
          static_cast<float>(surfel.normal[2]) * to_light.z) /
         127.0F;
}

Vec3 tinted(Vec3 light, Vec3 tint) { return {light.x * tint.x, light.y * tint.y, light.z * tint.z}; }

// Into Shader::bands_ and Shader::tables_.
enum Band : std::uint8_t { kShadowBand, kMiddleBand, kLightBand, kLineBand };
Band band_of(float light) {
  return light < kShadowBelow ? kShadowBand : light > kLightAbove ? kLightBand : kMiddleBand;
}

// Half of the light wraps around; the sky is brighter than the ground.
Vec3 smooth_light(const render::Surfel& surfel, float light, Vec3 tint) {
  const float wrapped = std::max(0.0F, (light + 0.35F) / 1.35F), up = static_cast<float>(surfel.normal[1]) / 127.0F;
  const float edge = 1 - std::max(0.0F, static_cast<float>(surfel.normal[2]) / 127.0F), rim = edge * edge * edge;
  const float sky = 0.34F + 0.12F * up + 0.14F * rim;
  return Vec3{0.94F, 0.96F, 1.06F} * sky + tinted(Vec3{0.84F, 0.80F, 0.72F}, tint) * wrapped;
}

class Shader {
 public:
  Shader(const render::SurfaceBuffer& surfaces, const Look& look, int scale, float line_depth, Samples& out)
      : surfaces_(surfaces),
        look_(look),
        tint_{linear_from_srgb(look.light_color.r), linear_from_srgb(look.light_color.g),
              linear_from_srgb(look.light_color.b)},
        bands_{kShadow, tinted(kMiddle, tint_), tinted(kLight, tint_), kShadow * kLineShare},
        scale_(scale),
        line_depth_(line_depth),
        out_(out) {
    if (look_.style != Style::kToon && look_.style != Style::kPixel) return;
    for (std::size_t band = 0; band < 4; ++band) {
      const Vec3 light = bands_[band] * look_.exposure;
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte)
          tables_[band][k][byte] = srgb_from_linear(render::srgb_tables().linear[byte] * light[k]);
      }
    }
  }

  void run() {
    prepare();
    for (int y = surfaces_.top; y < surfaces_.bottom; ++y) {
      for (int x = surfaces_.left; x < surfaces_.right; ++x) {
        const render::Surfel& surfel = surfaces_.at(x, y);
        if (surfel.is_drawn()) out_.at(x, y) = pack(color_of(surfel, x, y));
      }
    }
    out_.left = surfaces_.left;
    out_.top = surfaces_.top;
    out_.right = surfaces_.right;
    out_.bottom = surfaces_.bottom;
    if (look_.outline && (look_.style == Style::kToon || look_.style == Style::kInk)) add_outline();
  }

 private:
  void prepare() {
    if (out_.width != surfaces_.width || out_.height != surfaces_.height) {
      out_.width = surfaces_.width;
      out_.height = surfaces_.height;
      out_.rgba.assign(surfaces_.surfels.size(), 0);
    } else {
      for (int y = out_.top; y < out_.bottom; ++y)
        std::fill_n(&out_.at(out_.left, y), std::max(0, out_.right - out_.left), 0U);
    }
    out_.scale = scale_;
  }

  Rgb color_of(const render::Surfel& surfel, int x, int y) const {
    const Rgb albedo{surfel.albedo[0], surfel.albedo[1], surfel.albedo[2]};
    const float light = light_of(surfel, look_.to_light);
    if (look_.impact) return light < kImpactBelow ? look_.outline_color : Rgb{255, 255, 255};
    switch (look_.style) {
      case Style::kSilhouette:
        return look_.silhouette_color;
      case Style::kFlat:
        return lit(surfel, {1, 1, 1});
      case Style::kLit:
        return lit(surfel, smooth_light(surfel, light, tint_));
      case Style::kPixel:
        return look_.dither ? lit(surfel, smooth_light(surfel, light, tint_)) : banded(surfel, band_of(light));
      case Style::kInk:
        if (is_line(x, y, std::max(1, scale_ / 2))) return look_.outline_color;
        return light < kShadowBelow ? lit(surfel, {0.30F, 0.27F, 0.38F}) : lit(surfel, tint_);
      case Style::kToon:
        return banded(surfel, is_line(x, y, std::max(1, scale_ / 2)) ? kLineBand : band_of(light));
    }
    return albedo;
  }

  // lit() by tables, which most samples of the banded styles need.
  Rgb banded(const render::Surfel& surfel, Band band) const {
    if (surfel.glow != 0) return lit(surfel, bands_[band]);
    const auto& table = tables_[band];
    return {table[0][surfel.albedo[0]], table[1][surfel.albedo[1]], table[2][surfel.albedo[2]]};
  }

  Rgb lit(const render::Surfel& surfel, Vec3 light) const {
    light *= look_.exposure;
    const float glow = linear_from_srgb(surfel.glow);
    const auto channel = [&](std::size_t k, float factor) {
      return srgb_from_linear(linear_from_srgb(surfel.albedo[k]) * std::max(factor, std::min(1.0F, 2 * glow)));
    };
    return {channel(0, light.x), channel(1, light.y), channel(2, light.z)};
  }

  // A surface `reach` samples away is much nearer: the sample is at the border of what is in front of it.
  bool is_line(int x, int y, int reach) const {
    const float limit = surfaces_.at(x, y).depth + line_depth_;
    const auto nearer = [&](int nx, int ny) {
      return nx >= 0 && ny >= 0 && nx < surfaces_.width && ny < surfaces_.height && surfaces_.at(nx, ny).depth > limit;
    };
    return nearer(x - reach, y) || nearer(x + reach, y) || nearer(x, y - reach) || nearer(x, y + reach);
  }

  // Grows the covered samples by one pixel: steps to 4 and to 8 neighbours in turn make it round.
  void add_outline() {
    const int reach = scale_;
    const int left = std::max(0, out_.left - reach), top = std::max(0, out_.top - reach);
    const int right = std::min(out_.width, out_.right + reach), bottom = std::min(out_.height, out_.bottom + reach);
    if (left >= right || top >= bottom) return;
    const int width = right - left, height = bottom - top;
    const auto row = static_cast<std::size_t>(width);
    std::vector<std::uint8_t>&mask = out_.mask, &grown = out_.grown;
    mask.assign(row * static_cast<std::size_t>(height), 0);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x)
        mask[static_cast<std::size_t>(y) * row + static_cast<std::size_t>(x)] = out_.at(left + x, top + y) != 0;
    }
    for (int step = 0; step < reach; ++step) {
      grow(mask, grown, width, height, step % 2 == 1);
      std::swap(mask, grown);
    }
    const std::uint32_t ink = pack(look_.outline_color);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        std::uint32_t& sample = out_.at(left + x, top + y);
        if (sample == 0 && mask[static_cast<std::size_t>(y) * row + static_cast<std::size_t>(x)] != 0) sample = ink;
      }
    }
    out_.left = left;
    out_.top = top;
    out_.right = right;
    out_.bottom = bottom;
  }

  static void grow(const std::vector<std::uint8_t>& from, std::vector<std::uint8_t>& to, int width, int height,
                   bool corners) {
    to = from;
    const auto row = static_cast<std::size_t>(width);
    const auto merge = [&](int dx, int dy) {
      for (int y = std::max(0, -dy); y < height - std::max(0, dy); ++y) {
        const std::uint8_t* source =
            &from[static_cast<std::size_t>(y + dy) * row + static_cast<std::size_t>(std::max(0, dx))];
        std::uint8_t* target = &to[static_cast<std::size_t>(y) * row + static_cast<std::size_t>(std::max(0, -dx))];
        const int count = width - std::abs(dx);
        for (int i = 0; i < count; ++i) target[i] = static_cast<std::uint8_t>(target[i] | source[i]);
      }
    };
    merge(-1, 0);
    merge(1, 0);
    merge(0, -1);
    merge(0, 1);
    if (!corners) return;
    merge(-1, -1);
    merge(1, -1);
    merge(-1, 1);
    merge(1, 1);
  }

  const render::SurfaceBuffer& surfaces_;
  const Look& look_;
  Vec3 tint_;      // Linear.
  Vec3 bands_[4];  // Light of each band.
  int scale_;
  float line_depth_;
  Samples& out_;
  std::uint8_t tables_[4][3][256] = {};  // What a byte becomes in the light of a band.
};

}  // namespace

void shade(const render::SurfaceBuffer& surfaces, const Look& look, int scale, float line_depth, Samples& out) {
  Shader(surfaces, look, scale, line_depth, out).run();
}

}  // namespace zoe::sprite
