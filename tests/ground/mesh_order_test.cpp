// SPDX-License-Identifier: MIT
// On edges and corners several triangles have the same height. Which of them gives the normal must not depend on the
// order of the file, nor on how a standard library sorts.
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/ground/ground.h"

namespace zoe {
namespace {

TEST(MeshOrder, NormalsOnEdgesDoNotDependOnTheOrderOfTriangles) {
  constexpr std::uint32_t kSide = 12;
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;
  Random random(8);
  for (std::uint32_t z = 0; z < kSide; ++z) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      positions.push_back({static_cast<float>(x), std::floor(random.uniform(0, 4)), static_cast<float>(z)});
      const std::uint32_t i = z * kSide + x;
      if (x == 0 || z == 0) continue;
      indices.insert(indices.end(), {i, i - 1, i - kSide, i - 1, i - kSide - 1, i - kSide});
    }
  }
  const GroundPtr ground = Ground::mesh(positions, indices).value();
  for (int round = 0; round < 5; ++round) {
    for (std::size_t t = indices.size() / 3 - 1; t > 0; --t) {
      const auto other = static_cast<std::size_t>(random.uniform(0, static_cast<float>(t)));
      for (std::size_t k = 0; k < 3; ++k) std::swap(indices[3 * t + k], indices[3 * other + k]);
    }
    const GroundPtr shuffled = Ground::mesh(positions, indices).value();
    for (float z = 0; z < kSide - 1; z += 0.5F) {
      for (float x = 0; x < kSide - 1; x += 0.5F) {
        ASSERT_EQ(ground->height(x, z), shuffled->height(x, z)) << x << ", " << z;
        const Vec3 a = ground->normal(x, z), b = shuffled->normal(x, z);
        ASSERT_TRUE(a.x == b.x && a.y == b.y && a.z == b.z) << x << ", " << z;
      }
    }
  }
}

}  // namespace
}  // namespace zoe
