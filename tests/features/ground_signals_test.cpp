// SPDX-License-Identifier: MIT
#include "zoe/features/ground_signals.h"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/allocation.h"

namespace zoe::features {
namespace {

// Straight along the facing at a speed.
ControlSeries straight_way(const PlanarRoot& root, float speed_mps) {
  ControlSeries way = ControlSeries::standing({0, 2.0 / 3, 5}, root);
  for (int i = 0; i < 5; ++i) {
    const float far = speed_mps * static_cast<float>(way.times.at(i));
    way.roots[static_cast<std::size_t>(i)].position +=
        Vec3{std::sin(root.facing_rad) * far, 0, std::cos(root.facing_rad) * far};
  }
  return way;
}

TEST(GroundSignals, HeightsAreThoseBesideThePath) {
  const auto height = [](float x, float z) { return 0.1F * x + 0.03F * z * z; };
  const GroundPtr ground = Ground::function(height);
  // A space turned by a quarter, twice as large, whose plane is at 0.4.
  const PlacedGround placed(ground.get(), {1, 0.4F, 2}, 1.5707964F, 2);
  const PlanarRoot root{{0.3F, 0, 0.5F}, 0.7F};
  const ControlSeries way = straight_way(root, 1.2F);
  std::array<float, kGroundHeightsWidth> seen{};
  write_ground_heights(placed, way, seen);
  for (int i = 0; i < 12; ++i) {
    const float time_s = -0.5F + (0.5F + 2.0F / 3) * static_cast<float>(i) / 11;
    for (int side = 0; side < 3; ++side) {
      const float far = 1.2F * time_s, left = side == 0 ? 0.25F : side == 1 ? 0.0F : -0.25F;
      const float x = 0.3F + far * std::sin(0.7F) + left * std::cos(0.7F),
                  z = 0.5F + far * std::cos(0.7F) - left * std::sin(0.7F);
      // A quarter turn about +Y takes +Z to +X, and +X to -Z.
      const float world = height(1 + 2 * z, 2 - 2 * x);
      EXPECT_NEAR(seen[static_cast<std::size_t>(3 * i + side)], (world - 0.4F) / 2, 2e-4F) << i << " " << side;
    }
  }
}

TEST(GroundSignals, OnlyCellsNearThePathAreFilled) {
  const GroundPtr ground = Ground::function([](float x, float z) { return 0.2F * x - 0.1F * z; });
  const PlacedGround placed(ground.get(), {}, 0, 1);
  const ControlSeries way = straight_way({}, 1.2F);
  std::vector<float> grid(kGroundGridWidth);
  write_ground_grid(placed, way, grid);
  int filled = 0;
  for (int row = 0; row < kGroundGridRows; ++row) {
    for (int column = 0; column < kGroundGridColumns; ++column) {
      const float z = -0.6F + 0.12F * static_cast<float>(row), x = 0.12F * (4 - static_cast<float>(column));
      // The path is from (0, -0.6) to (0, 0.8).
      const float off = std::hypot(x, z > 0.8F ? z - 0.8F : 0.0F);
      const auto cell = static_cast<std::size_t>(row * kGroundGridColumns + column);
      if (std::abs(off - kGroundGridReach_m) < 1e-3F) continue;
      EXPECT_EQ(grid[cell + kGroundGridCells], off < kGroundGridReach_m ? 1 : 0) << row << " " << column;
      EXPECT_NEAR(grid[cell], off < kGroundGridReach_m ? 0.2F * x - 0.1F * z : 0.0F, 1e-5F);
      filled += grid[cell + kGroundGridCells] > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(filled, 60);
  EXPECT_LT(filled, kGroundGridCells);
}

TEST(GroundSignals, MirroredGroundIsSeenMirrored) {
  const auto height = [](float x, float z) { return 0.2F * x + 0.05F * std::sin(3 * x + z); };
  const GroundPtr ground = Ground::function(height),
                  image = Ground::function([&](float x, float z) { return height(-x, z); });
  ControlSeries way = straight_way({{}, 0}, 1), other = way;
  way.roots[4].position.x = 0.3F;
  other.roots[4].position.x = -0.3F;
  way.roots[4].facing_rad = 0.4F;
  other.roots[4].facing_rad = -0.4F;
  std::vector<float> a(kGroundGridWidth), b(kGroundGridWidth), c(kGroundHeightsWidth), d(kGroundHeightsWidth);
  write_ground_grid(PlacedGround(ground.get(), {}, 0, 1), way, a);
  write_ground_grid(PlacedGround(image.get(), {}, 0, 1), other, b);
  mirror_ground_grid(b);
  write_ground_heights(PlacedGround(ground.get(), {}, 0, 1), way, c);
  write_ground_heights(PlacedGround(image.get(), {}, 0, 1), other, d);
  mirror_ground_heights(d);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5F) << i;
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(c[i], d[i], 1e-5F) << i;
}

// Holes, cliffs and grounds that fail: numbers stay finite, and nothing allocates.
TEST(GroundSignals, HolesAndCliffsAreFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const GroundPtr holes = Ground::function([nan](float x, float) { return x > 0 ? nan : x < -0.3F ? -1e30F : 0.5F; });
  const ControlSeries way = straight_way({}, 1);
  std::vector<float> grid(kGroundGridWidth), heights(kGroundHeightsWidth);
  const PlacedGround placed(holes.get(), {}, 0, 1);
  {
    const zoe::test::AllocationMeter count;
    write_ground_grid(placed, way, grid);
    write_ground_heights(placed, way, heights);
    EXPECT_EQ(count.allocations(), 0U);
  }
  for (const std::vector<float>* values : {&grid, &heights}) {
    for (const float value : *values) {
      EXPECT_TRUE(std::isfinite(value));
      EXPECT_LE(std::abs(value), kGroundClamp_m);
    }
  }
  EXPECT_EQ(grid[kGroundGridCells + 5 * kGroundGridColumns + 2], 0) << "a hole is no cell";
  EXPECT_EQ(grid[kGroundGridCells + 5 * kGroundGridColumns + 5], 1);
}

}  // namespace
}  // namespace zoe::features
