// SPDX-License-Identifier: MIT
// Rays: against formulas, against every triangle, and against a fine march over height().
#include <limits>

#include <gtest/gtest.h>

#include "zoe/ground/ground.h"

#include "ground/shapes.h"

namespace zoe {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

using ground_test::brute_ray;
using ground_test::hills;
using ground_test::hilly_grid;
using ground_test::make_soup;
using ground_test::Triangles;

Vec3 random_direction(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 0.3F), random.uniform(-1, 1)};
}

TEST(GroundRay, MeetsAPlaneWhereTheFormulaSays) {
  const GroundPtr ground = Ground::flat(0.5F);
  const auto down = ground->ray({1, 2.5F, 3}, {0, -4, 0}, 10);
  ASSERT_TRUE(down);
  EXPECT_FLOAT_EQ(down->distance_m, 2);
  EXPECT_EQ(down->position, (Vec3{1, 0.5F, 3}));
  EXPECT_EQ(down->normal, (Vec3{0, 1, 0}));
  const auto slanted = ground->ray({0, 3.5F, 0}, {3, -3, 0}, 10);
  ASSERT_TRUE(slanted);
  EXPECT_FLOAT_EQ(slanted->distance_m, 3 * std::sqrt(2.0F));
  EXPECT_NEAR(slanted->position.x, 3, 1e-5F);
  // From below: the normal is on the ray's side.
  const auto up = ground->ray({0, 0, 0}, {0, 1, 0}, 10);
  ASSERT_TRUE(up);
  EXPECT_EQ(up->normal, (Vec3{0, -1, 0}));
  EXPECT_FALSE(ground->ray({0, 3.5F, 0}, {0, -1, 0}, 2.9F));
  EXPECT_TRUE(ground->ray({0, 3.5F, 0}, {0, -1, 0}, kInfinity));
  EXPECT_FALSE(ground->ray({0, 3.5F, 0}, {0, 1, 0}, kInfinity));
  EXPECT_FALSE(ground->ray({0, 3.5F, 0}, {1, 0, 0}, kInfinity));
  EXPECT_EQ(ground->ray({0, 0.5F, 0}, {1, 0, 0}, 1).value().distance_m, 0);
}

TEST(GroundRay, MeetsATiltedGridAsItsPlane) {
  // y = 0.5 x - 0.25 z, exact on a bilinear grid.
  HeightGrid grid{{}, 9, 9, 1, -4, -4};
  for (int row = 0; row < 9; ++row) {
    for (int column = 0; column < 9; ++column) {
      grid.heights_m.push_back(0.5F * static_cast<float>(column - 4) - 0.25F * static_cast<float>(row - 4));
    }
  }
  const GroundPtr ground = Ground::grid(grid).value();
  const Vec3d normal = normalized(Vec3d{-0.5, 1, 0.25});
  Random random(1);
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 origin{random.uniform(-3, 3), random.uniform(-2, 4), random.uniform(-3, 3)};
    const Vec3 direction = random_direction(random);
    const Vec3d unit = normalized(to_double(direction));
    const double distance = -dot(to_double(origin), normal) / dot(unit, normal);
    const Vec3d at = to_double(origin) + unit * distance;
    if (distance < 0 || std::abs(at.x) > 3.99 || std::abs(at.z) > 3.99) continue;
    const auto hit = ground->ray(origin, direction, 100);
    ASSERT_TRUE(hit) << i;
    EXPECT_NEAR(hit->distance_m, distance, 1e-4) << i;
    const bool from_above = dot(to_double(origin), normal) > 0;
    EXPECT_LT(zoe::distance(hit->normal, to_float(from_above ? normal : -normal)), 1e-4F);
    ++hits;
  }
  EXPECT_GT(hits, 500);
}

// The first change of side of a fine march.
std::optional<double> march(const Ground& ground, Vec3 origin, Vec3 direction, double max_distance) {
  const Vec3d from = to_double(origin), unit = normalized(to_double(direction));
  const auto clearance = [&](double t) {
    const Vec3d p = from + unit * t;
    return p.y - ground.height(static_cast<float>(p.x), static_cast<float>(p.z));
  };
  const double side = clearance(0);
  for (double t = 0; t <= max_distance; t += 0.002) {
    if (clearance(t) * side <= 0) return t;
  }
  return std::nullopt;
}

TEST(GroundRay, MeetsAHillyGridWhereAMarchDoes) {
  const GroundPtr ground = Ground::grid(hilly_grid()).value();
  Random random(2);
  int hits = 0, misses = 0;
  for (int i = 0; i < 1500; ++i) {
    // Some begin beyond the border, some below the surface.
    const Vec3 origin{random.uniform(-8, 8), random.uniform(-1, 1.5F), random.uniform(-8, 8)};
    const Vec3 direction = random_direction(random);
    const auto truth = march(*ground, origin, direction, 12);
    const auto hit = ground->ray(origin, direction, 12);
    if (truth && hit) {
      EXPECT_NEAR(hit->distance_m, *truth, 0.003) << i;
      EXPECT_NEAR(hit->position.y, ground->height(hit->position.x, hit->position.z), 1e-4F) << i;
      EXPECT_LE(dot(hit->normal, direction), 1e-6F);
      ++hits;
    } else if (hit) {
      // The march steps over what is grazed: the hit must lie on the surface all the same.
      EXPECT_NEAR(hit->position.y, ground->height(hit->position.x, hit->position.z), 1e-4F) << i;
    } else {
      EXPECT_FALSE(truth) << i << " at " << *truth;
      ++misses;
    }
  }
  EXPECT_GT(hits, 600);
  EXPECT_GT(misses, 100);
}

TEST(GroundRay, StraightDownGivesTheHeightOfAGrid) {
  const GroundPtr ground = Ground::grid(hilly_grid()).value();
  // Steps that meet corners and edges too.
  for (float x = -7; x <= 7; x += 0.125F) {
    for (float z = -7; z <= 7; z += 0.125F) {
      const auto hit = ground->ray({x, 5, z}, {0, -1, 0}, 10);
      ASSERT_TRUE(hit) << x << " " << z;
      EXPECT_NEAR(hit->position.y, ground->height(x, z), 1e-5F);
    }
  }
}

TEST(GroundRay, MeetsALevelGrid) {
  const GroundPtr ground = Ground::grid({std::vector<float>(9, 0.3F), 3, 3, 1, 0, 0}).value();
  Random random(9);
  for (int i = 0; i < 500; ++i) {
    const Vec3 origin{random.uniform(-5, 5), random.uniform(0.4F, 3), random.uniform(-5, 5)};
    const Vec3 direction{random.uniform(-1, 1), random.uniform(-1, -0.1F), random.uniform(-1, 1)};
    const auto hit = ground->ray(origin, direction, kInfinity);
    ASSERT_TRUE(hit) << i;
    EXPECT_NEAR(hit->position.y, 0.3F, 1e-5F);
    EXPECT_NEAR(hit->distance_m, (origin.y - 0.3F) / -normalized(direction).y, 1e-4F);
  }
  EXPECT_FALSE(ground->ray({0, 1, 0}, {1, 0, 1}, kInfinity));
  EXPECT_FALSE(ground->ray({0, 1, 0}, {1, 0.1F, 1}, kInfinity));
}

TEST(GroundRay, MeetsTheFirstTriangle) {
  Random random(4);
  const Triangles soup = make_soup(700, random);
  const GroundPtr ground = Ground::mesh(soup.positions, soup.indices).value();
  int hits = 0, misses = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 origin{random.uniform(-7, 7), random.uniform(-3, 3), random.uniform(-7, 7)};
    Vec3 direction{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (i % 5 == 0) direction.x = 0;  // Parallel to sides of boxes.
    if (i % 7 == 0) direction.z = 0;
    const auto truth = brute_ray(soup, origin, direction);
    const auto hit = ground->ray(origin, direction, kInfinity);
    ASSERT_EQ(hit.has_value(), truth.has_value()) << i;
    ++(hit ? hits : misses);
    if (!hit) continue;
    EXPECT_NEAR(hit->distance_m, truth->distance, 1e-4) << i;
    EXPECT_LT(distance(hit->normal, truth->normal), 1e-4F) << i;
    // Nothing nearer than the hit, and the hit not before its own distance.
    EXPECT_FALSE(ground->ray(origin, direction, hit->distance_m * 0.999F));
  }
  EXPECT_GT(hits, 600);
  EXPECT_GT(misses, 1000);
}

TEST(GroundRay, FindsNoGapBetweenTriangles) {
  const Triangles mesh = ground_test::triangles_of(hilly_grid());
  const GroundPtr ground = Ground::mesh(mesh.positions, mesh.indices).value();
  // Through every corner and the middle of every edge, from several sides.
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const Vec3 a = mesh.positions[mesh.indices[i]], b = mesh.positions[mesh.indices[i + 1]];
    for (const Vec3 target : {a, (a + b) * 0.5F}) {
      if (std::abs(target.x) > 4.9F || std::abs(target.z) > 4.9F) continue;
      for (const Vec3 from : {Vec3{0.01F, 3, 0.02F}, Vec3{-2, 9, 1}, Vec3{0, 2, 0}}) {
        EXPECT_TRUE(ground->ray(target + from, -from, 20)) << target.x << " " << target.z;
      }
    }
  }
}

TEST(GroundRay, PassesThroughHolesAndMeetsTheFloorBelow) {
  Triangles house;
  house.add_quad({-2, 2, -2}, {2, 2, -0.5F});
  house.add_quad({-2, 2, 0.5F}, {2, 2, 2});
  house.add_quad({-2, 0, -2}, {2, 0, 2});
  const GroundPtr ground = Ground::mesh(house.positions, house.indices).value();
  EXPECT_FLOAT_EQ(ground->ray({0, 5, 0}, {0, -1, 0}, 10).value().position.y, 0);
  EXPECT_FLOAT_EQ(ground->ray({0, 5, 1}, {0, -1, 0}, 10).value().position.y, 2);
  // Under the upper floor: height() is the upper one's, a ray from there finds the lower one.
  EXPECT_FLOAT_EQ(ground->height(0, 1), 2);
  EXPECT_FLOAT_EQ(ground->ray({0, 1, 1}, {0, -1, 0}, 10).value().position.y, 0);
  EXPECT_EQ(ground->ray({0, 1, 1}, {0, 1, 0}, 10).value().normal, (Vec3{0, -1, 0}));
  EXPECT_FALSE(ground->ray({3, 5, 0}, {0, -1, 0}, 10));
}

TEST(GroundRay, MeetsAFunction) {
  const GroundPtr ground = Ground::function(hills);
  const auto hit = ground->ray({0.2F, 3, 0.1F}, {0.3F, -1, 0.1F}, 10);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->position.y, hills(hit->position.x, hit->position.z), 1e-5F);
  EXPECT_FALSE(ground->ray({0, 3, 0}, {0, -1, 0}, 2));
  EXPECT_FALSE(ground->ray({0, 3, 0}, {0, 1, 0}, kInfinity));
}

TEST(GroundRay, RefusesWhatIsNoRay) {
  Random random(4);
  const Triangles soup = make_soup(20, random);
  for (const GroundPtr& ground : {Ground::flat(), Ground::grid(hilly_grid()).value(),
                                  Ground::mesh(soup.positions, soup.indices).value(), Ground::function(hills)}) {
    EXPECT_FALSE(ground->ray({0, 5, 0}, {0, 0, 0}, 10));
    EXPECT_FALSE(ground->ray({0, 5, 0}, {0, -1, 0}, -1));
    EXPECT_FALSE(ground->ray({0, 5, 0}, {0, -1, 0}, kNan));
    EXPECT_FALSE(ground->ray({0, 5, 0}, {kNan, -1, 0}, 10));
    EXPECT_FALSE(ground->ray({0, 5, 0}, {0, -kInfinity, 0}, 10));
    EXPECT_FALSE(ground->ray({kNan, 5, 0}, {0, -1, 0}, 10));
    EXPECT_FALSE(ground->ray({0, kInfinity, 0}, {0, -1, 0}, kInfinity));
  }
}

}  // namespace
}  // namespace zoe
