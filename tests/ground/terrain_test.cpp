// SPDX-License-Identifier: MIT
#include "zoe/ground/terrain.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(Terrain, IsFiniteLevelAtItsStartAndAFunctionOfItsSeed) {
  for (int i = 0; i < kNumTerrainShapes; ++i) {
    const auto shape = static_cast<TerrainShape>(i);
    SCOPED_TRACE(to_string(shape));
    EXPECT_EQ(parse_terrain_shape(to_string(shape)), shape);
    bool differs = false;
    for (const std::uint64_t seed : {1U, 2U, 77U}) {
      const GroundPtr a = make_terrain_ground(shape, seed), b = make_terrain_ground(shape, seed),
                      other = make_terrain_ground(shape, seed + 1000);
      float lowest = 1e9F, highest = -1e9F;
      for (float z = -30; z < 60; z += 0.13F) {
        for (const float x : {-2.0F, -0.1F, 0.0F, 0.33F, 0.9F}) {
          const float height = a->height(x, z);
          ASSERT_TRUE(std::isfinite(height));
          EXPECT_EQ(height, b->height(x, z));
          differs = differs || height != other->height(x, z);
          lowest = std::min(lowest, height);
          highest = std::max(highest, height);
        }
      }
      EXPECT_GT(highest - lowest, 0.05F);
      EXPECT_LT(highest - lowest, 6);
      if (shape != TerrainShape::kRough) {
        EXPECT_NEAR(a->height(0, 0), 0, 1e-5F);
        EXPECT_NEAR(a->height(0, 0.9F), 0, 1e-5F);
      }
    }
    EXPECT_TRUE(differs);
  }
  EXPECT_FALSE(parse_terrain_shape("ladder"));
}

// Steps of people: every change of height is one rise, and treads are long enough for a foot.
TEST(Terrain, StairsHaveRisesAndTreadsOfStairs) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const GroundPtr stairs = make_terrain_ground(TerrainShape::kStairs, seed);
    float last = stairs->height(0, 0), since_m = 10;
    int steps = 0;
    for (float z = 0; z < 60; z += 0.01F) {
      const float height = stairs->height(0, z), rise = std::abs(height - last);
      since_m += 0.01F;
      if (rise > 1e-4F) {
        ++steps;
        EXPECT_LE(rise, 0.181F) << "seed " << seed;
        EXPECT_GE(since_m, 0.28F);
        since_m = 0;
      }
      last = height;
    }
    EXPECT_GT(steps, 10);
  }
}

}  // namespace
}  // namespace zoe
