// SPDX-License-Identifier: MIT
#include "render/sky_light.h"

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/render/settings.h"

namespace zoe::render {
namespace {

Vec3 random_direction(Random& random) {
  for (;;) {
    const Vec3 v{random.uniform(-1.0F, 1.0F), random.uniform(-1.0F, 1.0F), random.uniform(-1.0F, 1.0F)};
    if (const float d = length(v); d > 0.1F && d < 1) return v / d;
  }
}

// The mean radiance over directions around the normal, weighted by their cosine, by drawing many of
// them.
TEST(SkyLight, IsTheRadianceAroundWeightedByTheCosine) {
  Environment environment;
  const SkyLight light = make_sky_light(environment);
  Random random(3);
  for (int i = 0; i < 8; ++i) {
    const Vec3 normal = i == 0 ? Vec3{0, 1, 0} : i == 1 ? Vec3{0, -1, 0} : random_direction(random);
    Vec3 sum;
    constexpr int kDraws = 40000;
    for (int k = 0; k < kDraws; ++k) {
      const Vec3 direction = random_direction(random);
      sum += surrounding_radiance(environment, direction) * (std::max(dot(normal, direction), 0.0F) * 4 / kDraws);
    }
    const Vec3 got = received_light(light, normal);
    EXPECT_NEAR(got.x, sum.x, 0.02F * sum.x + 0.004F) << normal.x << " " << normal.y << " " << normal.z;
    EXPECT_NEAR(got.z, sum.z, 0.02F * sum.z + 0.004F);
  }
}

TEST(SkyLight, EvenLightIsTheSameFromEverywhere) {
  Environment environment{.sun_color = {}, .sky_light = {1, 1, 1}, .ground_light = {1, 1, 1}};
  const SkyLight light = make_sky_light(environment);
  Random random(5);
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(received_light(light, random_direction(random)).y, 0.75F, 2e-3F);
}

}  // namespace
}  // namespace zoe::render
