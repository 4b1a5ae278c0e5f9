// SPDX-License-Identifier: MIT
#include "render/software/light.h"

#include <algorithm>
#include <cmath>

#include "zoe/render/software/srgb.h"

namespace zoe::render {
namespace {

float smooth_step(float low, float high, float value) {
  const float t = std::clamp((value - low) / (high - low), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

float fifth_power(float k) { return k * k * k * k * k; }

}  // namespace

SurfaceLight::SurfaceLight(const FrameView& view) : view_(view), ambient_(make_sky_light(view.frame.environment)) {}

Vec3 SurfaceLight::reflect(Vec3 albedo, float metallic, float roughness, Vec3 n, Vec3 v, Vec3 l) const {
  const float n_l = dot(n, l);
  if (n_l <= 0) return {};
  const Vec3 h = normalized(v + l, n);
  const float n_v = std::max(dot(n, v), 1e-3F), n_h = std::max(dot(n, h), 0.0F), v_h = std::max(dot(v, h), 0.0F);
  const float a = std::max(roughness * roughness, 0.02F), a2 = a * a;
  const float d = n_h * n_h * (a2 - 1) + 1, distribution = a2 / (d * d);
  const float both = 2 * n_l * n_v, sum = n_l + n_v, visibility = 0.25F / (both + (sum - both) * a);
  const Vec3 f0 = lerp(Vec3{0.04F, 0.04F, 0.04F}, albedo, metallic);
  const Vec3 fresnel = f0 + (Vec3{1, 1, 1} - f0) * fifth_power(1 - v_h);
  return (albedo * (1 - metallic) * (Vec3{1, 1, 1} - fresnel) + fresnel * (distribution * visibility)) * n_l;
}

Vec3 SurfaceLight::mirrored(Vec3 r, float roughness) const {
  const Environment& env = view_.frame.environment;
  const Vec3 horizon = lerp(env.ground_light, env.sky_light, 0.7F);
  const float blur = 0.03F + 0.6F * roughness;
  const Vec3 base =
      lerp(env.ground_light, lerp(horizon, env.sky_light, std::max(r.y, 0.0F)), smooth_step(-0.33F - blur, blur, r.y));
  float to_sun = 0.5F + 0.5F * dot(r, view_.to_sun);
  to_sun *= to_sun;
  return base * 0.75F + env.sun_color * (0.16F * to_sun * to_sun);
}

Vec3 SurfaceLight::shade(const SurfaceSample& sample, Vec3 position, Vec3 ray) const {
  const Environment& env = view_.frame.environment;
  const SrgbTables& srgb = srgb_tables();
  const Vec3 albedo{srgb.linear[sample.albedo[0]], srgb.linear[sample.albedo[1]], srgb.linear[sample.albedo[2]]};
  const float metallic = static_cast<float>(sample.metallic) / 255,
              roughness = static_cast<float>(sample.roughness) / 255;
  const Vec3 n = sample.unit_normal(), v = normalized(-ray, {0, 0, 1});
  Vec3 color =
      reflect(albedo, metallic, roughness, n, v, view_.to_sun) * env.sun_color * (static_cast<float>(sample.sun) / 255);
  const Vec3 f0 = lerp(Vec3{0.04F, 0.04F, 0.04F}, albedo, metallic);
  const Vec3 most{std::max(1 - roughness, f0.x), std::max(1 - roughness, f0.y), std::max(1 - roughness, f0.z)};
  const Vec3 fresnel = f0 + (most - f0) * fifth_power(1 - std::max(dot(n, v), 0.0F));
  color += albedo * (1 - metallic) * received_light(ambient_, n);
  color += fresnel * mirrored(n * (2 * dot(n, v)) - v, roughness);
  for (const PointLight& lamp : view_.frame.lights) {
    const Vec3 to_lamp = lamp.position_m - position;
    const float far = length(to_lamp);
    if (!(far < lamp.range_m)) continue;
    const Vec3 l = normalized(to_lamp, n);
    const float share = far / lamp.range_m, window = std::max(1 - share * share * share * share, 0.0F);
    float spot = 1;
    if (lamp.cone_cos_outer >= -1)
      spot = smooth_step(lamp.cone_cos_outer, std::max(lamp.cone_cos_inner, lamp.cone_cos_outer + 1e-4F),
                         -dot(l, lamp.direction));
    color += reflect(albedo, metallic, roughness, n, v, l) * lamp.color *
             (spot * window * window / std::max(far * far, 1e-4F));
  }
  color += Vec3{srgb.linear[sample.glow[0]], srgb.linear[sample.glow[1]], srgb.linear[sample.glow[2]]};
  return color;
}

Vec3 SurfaceLight::sky(Vec3 ray) const {
  const Environment& env = view_.frame.environment;
  const float up = std::clamp(normalized(ray).y, 0.0F, 1.0F);
  return lerp(env.horizon_color, env.zenith_color, 1 - std::exp(-2.2F * up));
}

Vec3 SurfaceLight::tone(Vec3 radiance) const {
  const auto channel = [&](float value) {
    const float x = value * view_.frame.settings.exposure * 0.62F;
    const float y = std::clamp(x * (2.51F * x + 0.03F) / (x * (2.43F * x + 0.59F) + 0.14F), 0.0F, 1.0F);
    const float r1 = std::sqrt(y), r2 = std::sqrt(r1), r3 = std::sqrt(r2);
    return std::clamp(0.662002687F * r1 + 0.684122060F * r2 - 0.323583601F * r3 - 0.0225411470F * y, 0.0F, 1.0F);
  };
  return {channel(radiance.x), channel(radiance.y), channel(radiance.z)};
}

float SurfaceLight::ground_fade(Vec3 position) const {
  const Environment& env = view_.frame.environment;
  const Vec3 away = position - env.ground_center_m;
  return smooth_step(0.3F, 0.95F, std::sqrt(away.x * away.x + away.z * away.z) / env.ground_fade_m);
}

}  // namespace zoe::render
