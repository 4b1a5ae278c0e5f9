// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include "io/fbx/triangulate.h"

namespace zoe {
namespace {

double area(Vec3 a, Vec3 b, Vec3 c) { return 0.5 * static_cast<double>(cross(b - a, c - a).z); }

// Sum of the triangles' areas, every one of them counter-clockwise.
double triangulated_area(const std::vector<Vec3>& polygon) {
  io::fbx::Triangulator triangulator;
  std::vector<std::uint32_t> triangles;
  triangulator.run(polygon, &triangles);
  EXPECT_EQ(triangles.size(), 3 * (polygon.size() - 2));
  double sum = 0;
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    const double one = area(polygon[triangles[i]], polygon[triangles[i + 1]], polygon[triangles[i + 2]]);
    EXPECT_GE(one, -1e-9);
    sum += one;
  }
  return sum;
}

TEST(FbxTriangulate, ConcaveQuadInEveryRotation) {
  const std::vector<Vec3> dart{{0, 0, 0}, {2, 0, 0}, {0.5F, 0.5F, 0}, {0, 2, 0}};
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::vector<Vec3> turned;
    for (std::size_t i = 0; i < 4; ++i) turned.push_back(dart[(i + shift) % 4]);
    EXPECT_NEAR(triangulated_area(turned), 1.0, 1e-6) << shift;
  }
}

TEST(FbxTriangulate, Comb) {
  // Teeth make most diagonals leave the polygon.
  std::vector<Vec3> comb;
  for (int i = 0; i < 8; ++i) {
    comb.push_back({static_cast<float>(2 * i), 0, 0});
    comb.push_back({static_cast<float>(2 * i + 1), i == 7 ? 0.0F : 3.0F, 0});
  }
  comb.push_back({15, 4, 0});
  comb.push_back({0, 4, 0});
  double expected = 0;
  for (std::size_t i = 0; i < comb.size(); ++i) {
    const Vec3 a = comb[i], b = comb[(i + 1) % comb.size()];
    expected += 0.5 * (static_cast<double>(a.x) * static_cast<double>(b.y) -
                       static_cast<double>(b.x) * static_cast<double>(a.y));
  }
  EXPECT_NEAR(triangulated_area(comb), expected, 1e-4);
}

TEST(FbxTriangulate, DegenerateAndHugeStillGiveAllTriangles) {
  io::fbx::Triangulator triangulator;
  std::vector<std::uint32_t> triangles;
  triangulator.run(std::vector<Vec3>(20, Vec3{1, 1, 1}), &triangles);
  EXPECT_EQ(triangles.size(), 54U);
  triangles.clear();
  std::vector<Vec3> circle;
  for (int i = 0; i < 5000; ++i)
    circle.push_back({std::cos(static_cast<float>(i)), std::sin(static_cast<float>(i)), 0});
  triangulator.run(circle, &triangles);
  EXPECT_EQ(triangles.size(), 3 * 4998U);
}

}  // namespace
}  // namespace zoe
