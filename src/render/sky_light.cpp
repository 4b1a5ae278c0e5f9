// SPDX-License-Identifier: MIT
#include "render/sky_light.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/render/settings.h"

namespace zoe::render {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

void basis(Vec3 n, float (&out)[9]) {
  const float values[9] = {1, n.y, n.z, n.x, n.x * n.y, n.y * n.z, 3 * n.z * n.z - 1, n.x * n.z, n.x * n.x - n.y * n.y};
  std::copy_n(values, 9, out);
}

// Squares of the normalising factors, times the cosine lobe's factor of each band over pi: 1, 2/3, 1/4.
constexpr float kBand1 = 0.25F / kPi, kBand2 = 0.75F / kPi * 2 / 3, kBand3 = 3.75F / kPi / 4, kZ2 = 0.3125F / kPi / 4,
                kX2 = 0.9375F / kPi / 4;
constexpr float kFactors[9] = {kBand1, kBand2, kBand2, kBand2, kBand3, kBand3, kZ2, kBand3, kX2};

}  // namespace

Vec3 surrounding_radiance(const Environment& environment, Vec3 direction) {
  const Vec3 horizon = environment.ground_light * 0.3F + environment.sky_light * 0.7F;
  const float up = std::clamp(direction.y, -1.0F, 1.0F);
  const Vec3 base = up > 0 ? horizon + (environment.sky_light - horizon) * up
                           : horizon + (environment.ground_light - horizon) * std::min(-3 * up, 1.0F);
  const float to_sun = 0.5F + 0.5F * dot(direction, normalized(environment.to_sun, {0, 1, 0}));
  return base * 0.75F + environment.sun_color * (0.16F * to_sun * to_sun * to_sun * to_sun);
}

SkyLight make_sky_light(const Environment& environment) {
  // Rings of equal height cover equal areas; the radiance is smooth.
  constexpr int kRings = 16, kAround = 16;
  SkyLight light{};
  for (int r = 0; r < kRings; ++r) {
    const float y = (static_cast<float>(r) + 0.5F) / kRings * 2 - 1, across = std::sqrt(1 - y * y);
    for (int a = 0; a < kAround; ++a) {
      const float angle = (static_cast<float>(a) + 0.5F) / kAround * 2 * kPi;
      const Vec3 direction{across * std::cos(angle), y, across * std::sin(angle)};
      const Vec3 radiance = surrounding_radiance(environment, direction) * (4 * kPi / (kRings * kAround));
      float values[9];
      basis(direction, values);
      for (int i = 0; i < 9; ++i) {
        const float weight = values[i] * kFactors[i];
        light.terms[i] = {light.terms[i].x + radiance.x * weight, light.terms[i].y + radiance.y * weight,
                          light.terms[i].z + radiance.z * weight, 0};
      }
    }
  }
  return light;
}

Vec3 received_light(const SkyLight& light, Vec3 normal) {
  float values[9];
  basis(normal, values);
  Vec3 sum;
  for (int i = 0; i < 9; ++i) sum += Vec3{light.terms[i].x, light.terms[i].y, light.terms[i].z} * values[i];
  return sum;
}

}  // namespace zoe::render
