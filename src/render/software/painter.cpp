// SPDX-License-Identifier: MIT
#include "render/software/painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "zoe/render/software/srgb.h"

#include "render/software/noise.h"

namespace zoe::render {
namespace {

using Kind = SurfaceSample::Kind;

// Linear light of the toon bands: shadows are bluer, lights warmer.
constexpr Vec3 kToonShadow{0.42F, 0.40F, 0.55F}, kToonMiddle{0.92F, 0.91F, 0.90F}, kToonLight{1.25F, 1.22F, 1.12F};
constexpr Vec3 kToonHorizon{0.93F, 0.93F, 0.90F}, kToonZenith{0.55F, 0.74F, 0.88F};  // Screen values.
constexpr Vec3 kToonGround{0.83F, 0.82F, 0.75F}, kToonGroundShadow{0.56F, 0.56F, 0.62F};
constexpr Vec3 kPaper{0.975F, 0.962F, 0.925F}, kInk{0.07F, 0.065F, 0.085F};
constexpr Vec3 kShadePigment{0.46F, 0.47F, 0.68F};  // Light that a wash of shadow lets through.
constexpr Vec3 kSkyPigment{0.70F, 0.83F, 0.93F};

float step_between(float low, float high, float value) {
  const float t = std::clamp((value - low) / (high - low), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

Vec4 opaque(Vec3 c) { return {c.x, c.y, c.z, 1}; }
Vec4 covered(Vec3 c, float alpha) { return {c.x * alpha, c.y * alpha, c.z * alpha, alpha}; }

Vec3 albedo_of(const SurfaceSample& s) {
  const SrgbTables& srgb = srgb_tables();
  return {srgb.linear[s.albedo[0]], srgb.linear[s.albedo[1]], srgb.linear[s.albedo[2]]};
}

Vec3 to_screen(Vec3 linear) {
  const auto channel = [](float v) { return static_cast<float>(srgb_from_linear(v)) / 255; };
  return {channel(linear.x), channel(linear.y), channel(linear.z)};
}

// e^-x by a table: the library's function costs more and rounds differently elsewhere.
float fade_out(float x) {
  constexpr int kSteps = 512;
  constexpr float kMost = 8;
  static const std::array<float, kSteps + 2> table = [] {
    std::array<float, kSteps + 2> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(std::exp(-static_cast<double>(i) * kMost / kSteps));
    return values;
  }();
  const float at = std::clamp(x, 0.0F, kMost) * (kSteps / kMost);
  const auto i = static_cast<std::size_t>(at);
  return table[i] + (table[i + 1] - table[i]) * (at - static_cast<float>(i));
}

// What a layer of pigment lets through. color: at density 1, screen values.
Vec3 wash(Vec3 color, float density) {
  const auto channel = [&](float c) {
    // -ln(c) by its series around c = 1, to within 0.02 for c > 0.05: only the look depends on it.
    const float u = (1 - c) / (1 + c);
    const float optical = 2 * u * (1 + u * u * (1.0F / 3 + u * u * (0.2F + u * u * (1.0F / 7 + u * u * 0.25F))));
    return fade_out(optical * density);
  };
  return {channel(color.x), channel(color.y), channel(color.z)};
}

}  // namespace

Painter::Painter(const FrameView& view, const SurfaceLight& light, const SampleBuffer& surfaces, bool background)
    : view_(view),
      light_(light),
      surfaces_(surfaces),
      background_(background && !view.frame.settings.transparent_background),
      unit_(static_cast<float>(view.samples) *
            std::clamp(static_cast<float>(view.frame.settings.height) / 540, 0.5F, 4.0F)) {}

Vec4 Painter::color(int x, int y) const {
  switch (view_.frame.settings.style) {
    case DrawStyle::kPlain:
      return plain(x, y);
    case DrawStyle::kToon:
      return toon(x, y);
    case DrawStyle::kInk:
      return ink(x, y);
    case DrawStyle::kWatercolor:
      return watercolor(x, y);
  }
  return {};
}

Vec3 Painter::backdrop(int x, int y) const {
  const float x_at = static_cast<float>(x) + 0.5F, y_at = static_cast<float>(y) + 0.5F;
  const SurfaceSample& s = surfaces_.at(x, y);
  const Vec3 ray = view_.ray(x_at, y_at), sky = light_.sky(ray);
  if (s.kind == Kind::kSky) return light_.tone(sky);
  const Vec3 position = view_.origin(x_at, y_at) + ray * s.distance_m;
  return light_.tone(lerp(light_.shade(s, position, ray), sky, light_.ground_fade(position)));
}

Vec4 Painter::plain(int x, int y) const {
  const SurfaceSample& s = surfaces_.at(x, y);
  if (s.kind != Kind::kBody) return background_ ? opaque(backdrop(x, y)) : Vec4{};
  const float x_at = static_cast<float>(x) + 0.5F, y_at = static_cast<float>(y) + 0.5F;
  const Vec3 ray = view_.ray(x_at, y_at), position = view_.origin(x_at, y_at) + ray * s.distance_m;
  return covered(light_.tone(light_.shade(s, position, ray)), static_cast<float>(s.alpha) / 255);
}

const SurfaceSample* Painter::in_front(int x, int y, float reach) const {
  const SurfaceSample& here = surfaces_.at(x, y);
  // How much nearer the neighbour of a plain slanted surface may be.
  float limit = 0;
  if (here.is_drawn()) {
    const Vec3 ray = view_.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
    const float facing = std::clamp(-dot(here.unit_normal(), normalized(ray)), 0.04F, 1.0F);
    const float slope = std::sqrt(1 - facing * facing) / facing;
    limit = here.distance_m * (1 - 0.006F) - 1.6F * reach * slope / view_.samples_per_metre(here.distance_m);
  }
  const SurfaceSample* best = nullptr;
  const auto look = [&](float dx, float dy) {
    const int nx = x + static_cast<int>(std::lrint(dx)), ny = y + static_cast<int>(std::lrint(dy));
    if (nx < 0 || ny < 0 || nx >= surfaces_.width || ny >= surfaces_.height) return;
    const SurfaceSample& there = surfaces_.at(nx, ny);
    // Feet on the ground are hardly in front of it: the border of a body is a line anyway.
    const float most = here.kind == Kind::kBody ? limit : here.distance_m * 1.02F;
    if (there.kind != Kind::kBody || (here.is_drawn() && there.distance_m > most)) return;
    if (best == nullptr || there.distance_m < best->distance_m) best = &there;
  };
  for (const float r : {reach, reach * 0.5F}) {
    const float d = r * 0.70710678F;
    look(r, 0);
    look(-r, 0);
    look(0, r);
    look(0, -r);
    look(d, d);
    look(-d, d);
    look(d, -d);
    look(-d, -d);
    if (r < 1.5F) break;
  }
  return best;
}

Vec4 Painter::toon(int x, int y) const {
  const SurfaceSample& s = surfaces_.at(x, y);
  if (const SurfaceSample* front = in_front(x, y, std::max(1.0F, (s.kind == Kind::kBody ? 0.75F : 1.35F) * unit_))) {
    const Vec3 dark = to_screen(albedo_of(*front) * 0.10F) * 0.8F + Vec3{0.02F, 0.02F, 0.05F};
    return covered(dark, static_cast<float>(front->alpha) / 255);
  }
  const float sun = step_between(0.35F, 0.65F, static_cast<float>(s.sun) / 255);
  if (s.kind != Kind::kBody) {
    if (!background_) return {};
    const Vec3 ray = normalized(view_.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F));
    const Vec3 sky = lerp(kToonHorizon, kToonZenith, step_between(0.0F, 0.6F, ray.y));
    if (s.kind == Kind::kSky) return opaque(sky);
    const Vec3 position = view_.position(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F, s.distance_m);
    return opaque(lerp(lerp(kToonGroundShadow, kToonGround, sun), sky, light_.ground_fade(position)));
  }
  const float cosine = dot(s.unit_normal(), view_.to_sun);
  const float lit = step_between(0.08F, 0.14F, cosine) * sun;
  const float bright = step_between(0.78F, 0.83F, cosine) * lit;
  const Vec3 light = lerp(lerp(kToonShadow, kToonMiddle, lit), kToonLight, bright) * view_.frame.settings.exposure;
  const SrgbTables& srgb = srgb_tables();
  const Vec3 glow{srgb.linear[s.glow[0]], srgb.linear[s.glow[1]], srgb.linear[s.glow[2]]};
  return covered(to_screen(albedo_of(s) * light + glow), static_cast<float>(s.alpha) / 255);
}

// Height of the paper's surface, 0 to 1. Fixed to the picture.
float Painter::paper(int x, int y) const {
  const float scale = 1 / unit_;
  const Vec3 at{static_cast<float>(x) * scale, static_cast<float>(y) * scale, 0};
  return noise(at * 0.62F) * 0.55F + noise(at * Vec3{0.23F, 0.31F, 0} + Vec3{91, 13, 4}) * 0.45F;
}

bool Painter::at_color_edge(int x, int y, float reach) const {
  const SurfaceSample& here = surfaces_.at(x, y);
  const int step = std::max(1, static_cast<int>(std::lrint(reach)));
  for (const auto& [dx, dy] : {std::pair{step, 0}, std::pair{0, step}}) {
    if (x + dx >= surfaces_.width || y + dy >= surfaces_.height) continue;
    const SurfaceSample& there = surfaces_.at(x + dx, y + dy);
    if (there.kind != Kind::kBody) continue;
    int difference = 0;
    for (std::size_t k = 0; k < 3; ++k) difference += std::abs(int{there.albedo[k]} - int{here.albedo[k]});
    if (difference > 84) return true;
  }
  return false;
}

Vec4 Painter::ink(int x, int y) const {
  const SurfaceSample& s = surfaces_.at(x, y);
  const Vec3 sheet = kPaper * (0.985F + 0.03F * (paper(x, y) - 0.5F));
  if (const SurfaceSample* front = in_front(x, y, std::max(1.0F, 1.5F * unit_))) {
    // Lines are thick on the side away from the light.
    const bool thick = dot(front->unit_normal(), view_.to_sun) < 0.25F || s.kind != Kind::kBody;
    if (thick || in_front(x, y, std::max(1.0F, 0.7F * unit_)) != nullptr)
      return covered(kInk, static_cast<float>(front->alpha) / 255);
  }
  const auto stroke = [&](std::size_t k, float width) {
    const float distance = static_cast<float>(s.pattern[k]) / 255;
    return step_between(distance - 0.08F, distance + 0.08F, width);
  };
  const float sun = static_cast<float>(s.sun) / 255;
  if (s.kind == Kind::kBody) {
    const Vec3 a = albedo_of(s);
    const float brightness =
        std::sqrt(std::max(0.2126F * a.x + 0.7152F * a.y + 0.0722F * a.z, 0.0F) * view_.frame.settings.exposure);
    const float lit = dot(s.unit_normal(), view_.to_sun) * sun;
    // Strokes for shade, crossed ones for its depth; dark colours have strokes of their own, and are black at the end.
    const float shade = 1 - step_between(0.0F, 0.32F, lit), deep = 1 - step_between(-0.35F, 0.05F, lit);
    const float dark = 1 - step_between(0.20F, 0.46F, brightness);
    const float first = 0.40F * shade, second = 0.34F * deep + 0.42F * dark;
    float black = at_color_edge(x, y, 0.6F * unit_) ? 1.0F : 0.0F;
    if (first > 0.05F) black = std::max(black, stroke(0, first));
    if (second > 0.05F) black = std::max(black, stroke(1, std::min(second, 0.62F)));
    black = std::max(black, step_between(0.17F, 0.13F, brightness));
    return covered(lerp(sheet, kInk, black), static_cast<float>(s.alpha) / 255);
  }
  if (!background_) return {};
  const float shade = s.kind == Kind::kGround ? 1 - sun : 0.0F;
  return opaque(lerp(sheet, kInk, shade > 0.1F ? stroke(0, 0.40F * shade) : 0.0F));
}

float Painter::other_area(int x, int y, float reach) const {
  const SurfaceSample& here = surfaces_.at(x, y);
  const bool dark = here.sun < 128;
  int others = 0, count = 0;
  for (const float r : {reach, reach * 0.5F}) {
    const float d = r * 0.70710678F;
    const float directions[8][2] = {{r, 0}, {-r, 0}, {0, r}, {0, -r}, {d, d}, {-d, d}, {d, -d}, {-d, -d}};
    for (const auto& direction : directions) {
      const int nx = std::clamp(x + static_cast<int>(std::lrint(direction[0])), 0, surfaces_.width - 1);
      const int ny = std::clamp(y + static_cast<int>(std::lrint(direction[1])), 0, surfaces_.height - 1);
      const SurfaceSample& there = surfaces_.at(nx, ny);
      const bool apart = std::abs(there.distance_m - here.distance_m) > 0.03F * here.distance_m;
      int color = 0;
      for (std::size_t k = 0; k < 3; ++k) color += std::abs(int{there.albedo[k]} - int{here.albedo[k]});
      const bool body = here.kind == Kind::kBody;
      others += there.kind != here.kind || (body && (apart || color > 60)) || (!body && dark != (there.sun < 128));
      ++count;
    }
  }
  return static_cast<float>(others) / static_cast<float>(count);
}

Vec4 Painter::watercolor(int x, int y) const {
  // The brush does not follow edges exactly: everything is seen through a field of small shifts fixed to the paper.
  const float scale = 1 / unit_;
  const Vec3 at{static_cast<float>(x) * scale, static_cast<float>(y) * scale, 0};
  const auto shift = [&](float offset) {
    return ((noise(at * 0.055F + Vec3{offset, 0, 0}) - 0.5F) * 5.0F +
            (noise(at * 0.21F + Vec3{0, offset, 0}) - 0.5F) * 1.8F) *
           unit_;
  };
  const int sx = std::clamp(x + static_cast<int>(std::lrint(shift(7))), 0, surfaces_.width - 1);
  const int sy = std::clamp(y + static_cast<int>(std::lrint(shift(53))), 0, surfaces_.height - 1);
  const SurfaceSample& s = surfaces_.at(sx, sy);
  const float height = paper(x, y), grain = 1 + 0.55F * (height - 0.5F);
  const Vec3 sheet = kPaper * (0.985F + 0.05F * (height - 0.5F));
  if (s.kind == Kind::kSky || (s.kind == Kind::kGround && !background_)) {
    if (!background_) return {};
    const Vec3 ray = normalized(view_.ray(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F));
    const float cloud = layered_noise(at * Vec3{0.007F, 0.014F, 0});
    return opaque(sheet * wash(kSkyPigment, grain * step_between(0.0F, 0.22F, ray.y + 0.2F * (cloud - 0.5F))));
  }
  const float pigment = static_cast<float>(s.pattern[0]) / 255, bleed = static_cast<float>(s.pattern[1]) / 255 - 0.5F;
  const float sun = static_cast<float>(s.sun) / 255, flow = (0.70F + 0.60F * pigment) * grain;
  const float border = std::min(2 * other_area(sx, sy, std::max(1.0F, 2.6F * unit_)), 1.0F);
  if (s.kind == Kind::kGround) {
    const float x_at = static_cast<float>(sx) + 0.5F, y_at = static_cast<float>(sy) + 0.5F;
    const Vec3 position = view_.position(x_at, y_at, s.distance_m);
    const Vec3 away = position - view_.frame.environment.ground_center_m;
    const float far = std::sqrt(away.x * away.x + away.z * away.z) / view_.frame.environment.ground_fade_m;
    const float near = 1 - step_between(0.10F, 0.34F, far + 0.22F * bleed);
    const float shade = step_between(0.25F, 0.75F, 1 - sun + 0.5F * bleed);
    const Vec3 base = wash({0.80F, 0.76F, 0.66F}, 0.55F * near * flow);
    return opaque(sheet * base * wash(kShadePigment, 0.8F * shade * flow * (1 + 0.5F * border)));
  }
  const float lit = dot(s.unit_normal(), view_.to_sun) * step_between(0.3F, 0.7F, sun) + 0.30F * bleed;
  const float shade = 1 - step_between(0.10F, 0.42F, lit), deep = 1 - step_between(-0.30F, 0.12F, lit);
  const float light = step_between(0.72F, 0.98F, lit);
  // Washes are more saturated than the surface, and never quite dark.
  const Vec3 own = to_screen(albedo_of(s) * std::min(1.25F * view_.frame.settings.exposure, 1.6F));
  const float grey = 0.30F * own.x + 0.59F * own.y + 0.11F * own.z;
  const auto vivid = [&](float c) { return std::clamp(0.10F + 0.86F * (grey + (c - grey) * 1.35F), 0.06F, 0.97F); };
  const Vec3 color{vivid(own.x), vivid(own.y), vivid(own.z)};
  const float density = (0.95F - 0.45F * light) * flow * (1 + 0.55F * border);
  const Vec3 through =
      wash(color, density) * wash(kShadePigment, (0.42F * shade + 0.30F * deep) * flow * (1 + 0.4F * border));
  return covered(sheet * through, static_cast<float>(s.alpha) / 255);
}

}  // namespace zoe::render
