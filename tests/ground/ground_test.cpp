// SPDX-License-Identifier: MIT
// Heights and normals: each shape against its formula or against every triangle, and what bad input gives.
#include "zoe/ground/ground.h"

#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "ground/shapes.h"
#include "support/allocation.h"

namespace zoe {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

using ground_test::brute_height;
using ground_test::hills;
using ground_test::hilly_grid;
using ground_test::make_soup;
using ground_test::Triangles;

TEST(Ground, FlatIsFlatEverywhere) {
  const GroundPtr ground = Ground::flat(1.5F);
  EXPECT_EQ(ground->shape(), Ground::Shape::kFlat);
  for (const float at : {0.0F, -7.0F, 1e30F, kNan, kInfinity}) {
    EXPECT_EQ(ground->height(at, -at), 1.5F);
    EXPECT_EQ(ground->normal(at, at), (Vec3{0, 1, 0}));
  }
  EXPECT_EQ(Ground::flat()->height(3, 4), 0);
  EXPECT_TRUE(ground->bounds().empty());
  EXPECT_EQ(ground->height_grid(), nullptr);
  EXPECT_TRUE(ground->triangles().empty());
}

TEST(GroundGrid, IsBilinearAndHoldsItsBorder) {
  const GroundPtr ground = Ground::grid({{0, 1, 2, 10, 11, 14}, 3, 2, 2, -1, 5}).value();
  EXPECT_EQ(ground->height(-1, 5), 0);
  EXPECT_EQ(ground->height(3, 7), 14);
  EXPECT_FLOAT_EQ(ground->height(0, 5), 0.5F);
  EXPECT_FLOAT_EQ(ground->height(2, 6), 0.25F * (1 + 2 + 11 + 14));
  EXPECT_EQ(ground->height(-100, 5), 0);
  EXPECT_EQ(ground->height(100, 100), 14);
  EXPECT_FLOAT_EQ(ground->height(-100, 6), 5);
  EXPECT_EQ(ground->bounds(), (Box3{{-1, 0, 5}, {3, 14, 7}}));
  ASSERT_NE(ground->height_grid(), nullptr);
  EXPECT_EQ(ground->height_grid()->num_x, 3);
}

TEST(GroundGrid, NormalsAreTheSlopes) {
  const GroundPtr ground = Ground::grid(hilly_grid()).value();
  constexpr float kStep = 1e-3F;
  for (float x = -4.93F; x < 4.9F; x += 0.37F) {
    for (float z = -4.91F; z < 4.9F; z += 0.41F) {
      const float dx = (ground->height(x + kStep, z) - ground->height(x - kStep, z)) / (2 * kStep);
      const float dz = (ground->height(x, z + kStep) - ground->height(x, z - kStep)) / (2 * kStep);
      EXPECT_LT(distance(ground->normal(x, z), normalized(Vec3{-dx, 1, -dz})), 2e-2F) << x << " " << z;
    }
  }
  // Beyond the border the height is held: no slope that way.
  EXPECT_EQ(ground->normal(100, 0.3F).x, 0);
  EXPECT_EQ(ground->normal(100, -100), (Vec3{0, 1, 0}));
}

TEST(GroundGrid, AnswersToAnyNumber) {
  const GroundPtr ground = Ground::grid(hilly_grid()).value();
  for (const float x : {kNan, kInfinity, -kInfinity, 1e38F, -1e38F, 0.0F}) {
    for (const float z : {kNan, kInfinity, -kInfinity, 1e38F, -1e38F, 0.0F}) {
      EXPECT_TRUE(std::isfinite(ground->height(x, z))) << x << " " << z;
      EXPECT_NEAR(length(ground->normal(x, z)), 1, 1e-5F) << x << " " << z;
    }
  }
}

TEST(GroundGrid, RefusesWhatIsNoGrid) {
  EXPECT_FALSE(Ground::grid({}));
  EXPECT_FALSE(Ground::grid({{1, 2}, 2, 1, 1, 0, 0}));
  EXPECT_FALSE(Ground::grid({{1, 2, 3}, 2, 2, 1, 0, 0}));
  EXPECT_FALSE(Ground::grid({{1, 2, 3, 4}, -2, -2, 1, 0, 0}));
  for (const float cell : {0.0F, -1.0F, kNan, kInfinity}) EXPECT_FALSE(Ground::grid({{1, 2, 3, 4}, 2, 2, cell, 0, 0}));
  EXPECT_FALSE(Ground::grid({{1, 2, kNan, 4}, 2, 2, 1, 0, 0}));
  EXPECT_FALSE(Ground::grid({{1, 2, 3, 4}, 2, 2, 1, kInfinity, 0}));
  EXPECT_TRUE(Ground::grid({{1, 2, 3, 4}, 2, 2, 1, 0, 0}));
}

TEST(GroundMesh, HasTheHeightOfTheHighestTriangle) {
  Random random(3);
  const Triangles soup = make_soup(500, random);
  const GroundPtr ground = Ground::mesh(soup.positions, soup.indices, -9).value();
  EXPECT_EQ(ground->triangles().size(), 500U);
  int found = 0, missed = 0;
  for (int i = 0; i < 4000; ++i) {
    const float x = random.uniform(-6, 6), z = random.uniform(-6, 6);
    const std::optional<ground_test::BrutePoint> truth = brute_height(soup, x, z);
    EXPECT_NEAR(ground->height(x, z), truth ? truth->height : -9, 1e-4F) << x << " " << z;
    const Vec3 normal = ground->normal(x, z);
    EXPECT_GE(normal.y, 0);
    EXPECT_LT(distance(normal, truth ? truth->normal : Vec3{0, 1, 0}), 1e-3F);
    ++(truth ? found : missed);
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(missed, 500);  // The soup has holes.
}

TEST(GroundMesh, AgreesWithTheGridItWasMadeOf) {
  const HeightGrid grid = hilly_grid();
  const Triangles mesh = ground_test::triangles_of(grid);
  const GroundPtr smooth = Ground::grid(grid).value(), ground = Ground::mesh(mesh.positions, mesh.indices).value();
  // At every corner, each shared by six triangles: no gap lets a query through.
  for (int row = 0; row < grid.num_z; ++row) {
    for (int column = 0; column < grid.num_x; ++column) {
      const float x = grid.origin_x_m + grid.cell_m * static_cast<float>(column),
                  z = grid.origin_z_m + grid.cell_m * static_cast<float>(row);
      EXPECT_NEAR(ground->height(x, z), smooth->height(x, z), 1e-5F);
    }
  }
  // On edges: along a whole row of them.
  for (float x = -5; x <= 5; x += 0.0137F) EXPECT_NEAR(ground->height(x, 0), smooth->height(x, 0), 1e-3F) << x;
}

TEST(GroundMesh, HolesHaveTheMissingHeight) {
  // A ring of four quads around a hole of one metre.
  Triangles ring;
  const auto quad = [&](float x0, float z0, float x1, float z1) { ring.add_quad({x0, 2, z0}, {x1, 2, z1}); };
  quad(-2, -2, 2, -0.5F), quad(-2, 0.5F, 2, 2), quad(-2, -0.5F, -0.5F, 0.5F), quad(0.5F, -0.5F, 2, 0.5F);
  const GroundPtr ground = Ground::mesh(ring.positions, ring.indices, -100).value();
  EXPECT_EQ(ground->height(0, 0), -100);
  EXPECT_EQ(ground->normal(0, 0), (Vec3{0, 1, 0}));
  EXPECT_EQ(ground->height(0, 1), 2);
  EXPECT_EQ(ground->height(0.5F, 0), 2);  // The border belongs to the surface.
  EXPECT_EQ(ground->height(3, 0), -100);
}

TEST(GroundMesh, AnswersToAnyNumber) {
  Random random(8);
  const Triangles soup = make_soup(50, random);
  const GroundPtr ground = Ground::mesh(soup.positions, soup.indices, 4).value();
  for (const float bad : {kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(ground->height(bad, 0), 4);
    EXPECT_EQ(ground->height(0, bad), 4);
    EXPECT_EQ(ground->normal(bad, bad), (Vec3{0, 1, 0}));
  }
}

TEST(GroundMesh, RefusesWhatIsNoMesh) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {kNan, 0, 0}};
  using Indices = std::vector<std::uint32_t>;
  EXPECT_TRUE(Ground::mesh(corners, Indices{0, 1, 2}));
  EXPECT_FALSE(Ground::mesh(corners, Indices{}));
  EXPECT_FALSE(Ground::mesh(corners, Indices{0, 1}));
  EXPECT_FALSE(Ground::mesh(corners, Indices{0, 1, 4}));
  EXPECT_FALSE(Ground::mesh(corners, Indices{0, 1, 3}));
  EXPECT_FALSE(Ground::mesh(corners, Indices{0, 1, 1}));
  EXPECT_FALSE(Ground::mesh(corners, Indices{0, 1, 2}, kNan));
  // A triangle without area beside a good one is left out.
  EXPECT_EQ(Ground::mesh(corners, Indices{0, 1, 1, 0, 1, 2}).value()->triangles().size(), 1U);
}

TEST(GroundFunction, GivesWhatTheFunctionSays) {
  const GroundPtr ground = Ground::function(hills);
  EXPECT_EQ(ground->height(0.3F, -2), hills(0.3F, -2));
  const Vec3 exact = normalized(Vec3{-0.3F * std::cos(0.9F), 1, 0.4F * std::sin(-2.0F)});
  EXPECT_LT(distance(ground->normal(0.9F, -2), exact), 1e-3F);
  const GroundPtr with_normal = Ground::function(hills, [](float, float) { return Vec3{1, 0, 0}; });
  EXPECT_EQ(with_normal->normal(0, 0), (Vec3{1, 0, 0}));
}

// "No data" of height maps is no ground: it is refused where data comes in, and a hole where a function has it.
TEST(Ground, HeightsBeyondTenKilometresAreNone) {
  using Indices = std::vector<std::uint32_t>;
  for (const float far_m : {10'001.0F, -10'001.0F, -32768.0F, 3e38F, -3e38F}) {
    const auto grid = Ground::grid({{1, 2, far_m, 4}, 2, 2, 1, 0, 0});
    ASSERT_FALSE(grid) << far_m;
    EXPECT_NE(grid.error().message.find("10 km"), std::string::npos) << grid.error().message;
    EXPECT_FALSE(Ground::mesh(std::vector<Vec3>{{0, 0, 0}, {1, far_m, 0}, {0, 0, 1}}, Indices{0, 1, 2})) << far_m;
    EXPECT_FALSE(Ground::mesh(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, Indices{0, 1, 2}, far_m)) << far_m;
    EXPECT_TRUE(std::isnan(Ground::function([far_m](float, float) { return far_m; })->height(0, 0))) << far_m;
  }
  EXPECT_TRUE(Ground::grid({{1, 2, -10'000, 4}, 2, 2, 1, 0, 0}));
  EXPECT_EQ(Ground::function([](float, float) { return 9999.0F; })->height(0, 0), 9999.0F);
}

TEST(Ground, QueriesDoNotAllocate) {
  Random random(5);
  const Triangles soup = make_soup(300, random);
  const GroundPtr grounds[] = {Ground::flat(), Ground::grid(hilly_grid()).value(),
                               Ground::mesh(soup.positions, soup.indices).value(), Ground::function(hills)};
  float sum = 0;
  const test::AllocationMeter meter;
  for (const GroundPtr& ground : grounds) {
    for (float x = -4; x < 4; x += 0.5F) {
      sum += ground->height(x, -x) + ground->normal(x, 1).y;
      if (const auto hit = ground->ray({x, 9, 0}, {0.1F, -1, 0.2F}, 30)) sum += hit->distance_m;
    }
  }
  EXPECT_EQ(meter.allocations(), 0U);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Ground, IsSharedBetweenThreads) {
  Random random(6);
  const Triangles soup = make_soup(200, random);
  const GroundPtr ground = Ground::mesh(soup.positions, soup.indices).value();
  float sums[4] = {};
  {
    std::vector<std::jthread> threads;
    for (float& sum : sums) {
      threads.emplace_back([&sum, ground] {
        for (float x = -5; x < 5; x += 0.01F) sum += ground->height(x, 0.3F * x);
      });
    }
  }
  for (const float sum : sums) EXPECT_EQ(sum, sums[0]);
}

}  // namespace
}  // namespace zoe
