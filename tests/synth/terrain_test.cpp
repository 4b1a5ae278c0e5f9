// SPDX-License-Identifier: MIT
// Ground: its normals are its slopes, and feet on stairs stand on one tread.
#include "zoe/synth/terrain.h"

#include <gtest/gtest.h>

namespace zoe::synth {
namespace {

TEST(Terrain, NormalsAreTheSlopes) {
  for (const TerrainKind kind : {TerrainKind::kFlat, TerrainKind::kRough, TerrainKind::kSlope}) {
    const Terrain terrain(kind, 0.9F, Random(3));
    for (float x = -3; x < 3; x += 0.7F) {
      for (float z = -3; z < 3; z += 0.9F) {
        const float e = 1e-2F;
        const float dx = (terrain.height(x + e, z) - terrain.height(x - e, z)) / (2 * e),
                    dz = (terrain.height(x, z + e) - terrain.height(x, z - e)) / (2 * e);
        EXPECT_LT(distance(terrain.normal(x, z), normalized(Vec3{-dx, 1, -dz})), 5e-3F) << to_string(kind);
      }
    }
  }
}

TEST(Terrain, FeetOnStairsStandOnOneTread) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Terrain terrain(TerrainKind::kStairs, 0.9F, Random(seed));
    EXPECT_NE(terrain.climb(), 0);
    for (float z = -1; z < 8; z += 0.05F) {
      const float at = terrain.supported_z(z, 0.16F, 0.08F);
      EXPECT_LT(std::abs(at - z), 0.3F);
      EXPECT_EQ(terrain.height(0, at - 0.155F), terrain.height(0, at + 0.075F)) << z;
    }
  }
}

TEST(Terrain, RoughGroundIsRoughButWalkable) {
  const Terrain terrain(TerrainKind::kRough, 1, Random(9));
  float low = 1e9F, high = -1e9F, steepest = 0;
  for (float x = -10; x < 10; x += 0.25F) {
    for (float z = -10; z < 10; z += 0.25F) {
      low = std::min(low, terrain.height(x, z)), high = std::max(high, terrain.height(x, z));
      steepest = std::max(steepest, 1 - terrain.normal(x, z).y);
    }
  }
  EXPECT_GT(high - low, 0.15F);
  EXPECT_LT(steepest, 0.12F);
}

TEST(Terrain, MeshHasTheHeights) {
  const Terrain terrain(TerrainKind::kSlope, 1, Random(2));
  const Mesh mesh = terrain.to_mesh(-1, -1, 1, 2, 0.25F);
  for (const Vec3& p : mesh.positions) EXPECT_NEAR(p.y, terrain.height(p.x, p.z), 1e-5F);
  for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
    const Vec3 a = mesh.positions[mesh.indices[t]];
    EXPECT_GT(cross(mesh.positions[mesh.indices[t + 1]] - a, mesh.positions[mesh.indices[t + 2]] - a).y, 0);
  }
}

}  // namespace
}  // namespace zoe::synth
