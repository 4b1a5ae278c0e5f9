// SPDX-License-Identifier: MIT
#include "render/shadow_fit.h"

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/render/settings.h"

namespace zoe::render {
namespace {

Vec3 in_map(const ShadowFit& fit, int cascade, Vec3 p) {
  const Vec4 clip = transform(fit.clip_from_world[cascade], {p.x, p.y, p.z, 1});
  return {clip.x, clip.y, clip.z};
}

Vec3 random_in(const Box3& box, Random& random) {
  const auto between = [&](float a, float b) { return random.uniform(a, b); };
  return {between(box.min.x, box.max.x), between(box.min.y, box.max.y), between(box.min.z, box.max.z)};
}

TEST(ShadowFit, OneCascadeHoldsAllCasters) {
  const Box3 casters{{-1, 0, -0.5F}, {2, 1.8F, 3}};
  Random random(2);
  for (const Vec3 sun : {Vec3{0.4F, 0.8F, 0.3F}, Vec3{0, 1, 0}, Vec3{-1, 0.05F, 0}}) {
    Environment environment{.to_sun = sun};
    ShadowFit fit;
    fit_shadows(look_at({0, 1, 6}, {0, 1, 0}), 1.6F, environment, {}, casters, fit);
    ASSERT_EQ(fit.num_cascades, 1);
    for (int i = 0; i < 500; ++i) {
      const Vec3 p = in_map(fit, 0, random_in(casters, random));
      EXPECT_LE(std::max(std::abs(p.x), std::abs(p.y)), 1);
      EXPECT_GE(p.z, 0);
      EXPECT_LE(p.z, 1);
    }
    // Towards the sun is nearer in the map.
    const Vec3 low = in_map(fit, 0, {0, 0, 0}), high = in_map(fit, 0, normalized(sun) * 0.5F);
    EXPECT_LT(high.z, low.z);
    // Tight: no wider than the casters' diagonal, and a step of 9 %.
    EXPECT_LT(fit.size_m[0], length(casters.max - casters.min) * 1.1F);
  }
}

TEST(ShadowFit, NothingToFit) {
  ShadowFit fit;
  fit_shadows(look_at({0, 1, 6}, {0, 1, 0}), 1.6F, {}, {}, {}, fit);
  EXPECT_EQ(fit.num_cascades, 0);
  fit_shadows(look_at({0, 1, 6}, {0, 1, 0}), 1.6F, {}, {.shadows = false}, {{0, 0, 0}, {1, 1, 1}}, fit);
  EXPECT_EQ(fit.num_cascades, 0);
}

// Each visible place among the casters is in some cascade, and near ones are in finer maps than one
// map would be.
TEST(ShadowFit, CascadesCoverTheView) {
  const Box3 casters{{-30, 0, -60}, {30, 2, 4}};
  const Camera camera = look_at({0, 1.7F, 6}, {0, 1, 0});
  ShadowFit one, four;
  fit_shadows(camera, 1.6F, {}, {}, casters, one);
  fit_shadows(camera, 1.6F, {}, {.shadow_cascades = 4}, casters, four);
  ASSERT_EQ(four.num_cascades, 4);
  EXPECT_LT(four.size_m[0], one.size_m[0] / 4);
  Random random(4);
  const Mat4 clip = clip_from_world(camera, 1.6F);
  int seen = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 place = random_in(casters, random);
    const Vec4 c = transform(clip, {place.x, place.y, place.z, 1});
    if (c.w < 2 || std::abs(c.x) > c.w || std::abs(c.y) > c.w) continue;
    ++seen;
    bool covered = false;
    for (int k = 0; k < 4; ++k) {
      const Vec3 p = in_map(four, k, place);
      covered |= std::abs(p.x) <= 1 && std::abs(p.y) <= 1 && p.z >= 0 && p.z <= 1;
    }
    EXPECT_TRUE(covered) << place.x << " " << place.y << " " << place.z;
  }
  EXPECT_GT(seen, 200);
}

}  // namespace
}  // namespace zoe::render
