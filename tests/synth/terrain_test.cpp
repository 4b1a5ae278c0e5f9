// SPDX-License-Identifier: MIT
// Ground: its normals are its slopes, and feet on stairs stand on one tread.
#include "zoe/synth/terrain.h"

#include <gtest/gtest.h>

namespace zoe::synth {
namespace {

TEST(Terrain, NormalsAreTheSlopes) {
  for (const TerrainKind kind : {TerrainKind::kFlat, TerrainKind::kRough, TerrainKind::kSlope}) {
    const Terrain terrain = make_terrain(kind, 0.9F, Random(3));
    for (float x = -3; x < 3; x += 0.7F) {
      for (float z = -3; z < 3; z += 0.9F) {
        const float e = 1e-2F;
        const float dx = (terrain.ground->height(x + e, z) - terrain.ground->height(x - e, z)) / (2 * e),
                    dz = (terrain.ground->height(x, z + e) - terrain.ground->height(x, z - e)) / (2 * e);
        EXPECT_LT(distance(terrain.ground->normal(x, z), normalized(Vec3{-dx, 1, -dz})), 5e-3F) << to_string(kind);
      }
    }
  }
}

TEST(Terrain, FeetOnStairsStandOnOneTread) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Terrain terrain = make_terrain(TerrainKind::kStairs, 0.9F, Random(seed));
    EXPECT_NE(terrain.climb, 0);
    for (float z = -1; z < 8; z += 0.05F) {
      const float at = supported_z(terrain, z, 0.16F, 0.08F);
      EXPECT_LT(std::abs(at - z), 0.3F);
      EXPECT_EQ(terrain.ground->height(0, at - 0.155F), terrain.ground->height(0, at + 0.075F)) << z;
    }
  }
}

TEST(Terrain, RoughGroundIsRoughButWalkable) {
  const Terrain terrain = make_terrain(TerrainKind::kRough, 1, Random(9));
  float low = 1e9F, high = -1e9F, steepest = 0;
  for (float x = -10; x < 10; x += 0.25F) {
    for (float z = -10; z < 10; z += 0.25F) {
      low = std::min(low, terrain.ground->height(x, z)), high = std::max(high, terrain.ground->height(x, z));
      steepest = std::max(steepest, 1 - terrain.ground->normal(x, z).y);
    }
  }
  EXPECT_GT(high - low, 0.15F);
  EXPECT_LT(steepest, 0.12F);
}

// Down through the steps, and level against a riser.
TEST(Terrain, RaysMeetStairs) {
  const Terrain terrain = make_terrain(TerrainKind::kStairs, 0.9F, Random(4));
  const Stairs& stairs = terrain.stairs;
  const float z = stairs.start_m + 2.5F * stairs.run_m;
  EXPECT_NEAR(terrain.ground->ray({0, 20, z}, {0, -1, 0}, 40).value().position.y, 3 * stairs.rise_m, 1e-4F);
  const bool up = terrain.climb > 0;
  const float level = (up ? 0.5F : -0.5F) * std::abs(stairs.rise_m);
  const auto riser = terrain.ground->ray({0, level, up ? 0.0F : z}, {0, 0, up ? 1.0F : -1.0F}, 40);
  ASSERT_TRUE(riser);
  EXPECT_NEAR(riser->position.z, stairs.start_m, 1e-4F);
}

TEST(Terrain, MeshHasTheHeights) {
  const Terrain terrain = make_terrain(TerrainKind::kSlope, 1, Random(2));
  const Mesh mesh = ground_mesh(*terrain.ground, -1, -1, 1, 2, 0.25F);
  for (const Vec3& p : mesh.positions) EXPECT_NEAR(p.y, terrain.ground->height(p.x, p.z), 1e-5F);
  for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
    const Vec3 a = mesh.positions[mesh.indices[t]];
    EXPECT_GT(cross(mesh.positions[mesh.indices[t + 1]] - a, mesh.positions[mesh.indices[t + 2]] - a).y, 0);
  }
}

}  // namespace
}  // namespace zoe::synth
