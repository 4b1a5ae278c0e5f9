// SPDX-License-Identifier: MIT
#include "zoe/ground/placed_ground.h"

#include <gtest/gtest.h>

#include "zoe/math/quat.h"

namespace zoe {
namespace {

float hilly(float x, float z) { return 3 + 0.3F * x - 0.2F * z + 0.1F * std::sin(x * z); }

TEST(PlacedGround, WithoutAGroundIsFlatAtZero) {
  const PlacedGround none, also(nullptr, {1, 2, 3}, 1, 2);
  EXPECT_EQ(none.height(4, 5), 0);
  EXPECT_EQ(also.height(4, 5), 0);
  EXPECT_EQ(also.normal(4, 5), (Vec3{0, 1, 0}));
}

// Points of the surface, mapped into the world by hand, are points of the ground.
TEST(PlacedGround, AgreesWithTheGroundPointByPoint) {
  const GroundPtr ground = Ground::function(hilly);
  const Vec3 position{4, 0.5F, -2};
  const float turn_rad = 0.8F, scale = 0.6F;
  const Quat turn = from_axis_angle(Vec3{0, 1, 0}, turn_rad);
  const PlacedGround placed(ground.get(), position, turn_rad, scale);
  for (float x = -3; x <= 3; x += 0.7F) {
    for (float z = -3; z <= 3; z += 0.9F) {
      const Vec3 world = position + rotate(turn, Vec3{x, placed.height(x, z), z} * scale);
      EXPECT_NEAR(world.y, hilly(world.x, world.z), 1e-4F);
      const Vec3 normal = rotate(turn, placed.normal(x, z));
      EXPECT_LT(distance(normal, ground->normal(world.x, world.z)), 1e-3F);
    }
  }
}

}  // namespace
}  // namespace zoe
