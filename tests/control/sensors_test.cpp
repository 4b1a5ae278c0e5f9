// SPDX-License-Identifier: MIT
// Sensors of props against brute force, and goals in both directions.
#include "zoe/control/sensors.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

#include "support/allocation.h"

namespace zoe::control {
namespace {

std::vector<Prop> some_props() {
  Prop door = make_door({}, {1.4F, 0, 0.4F}, -0.8F);
  door.open_rad = 0.9F;
  return {make_seat({}, {0.6F, 0, 1}, 0.7F), make_box({0.4F, 0.3F, 0.5F}, 3, {-0.9F, 0.4F, 0.3F}, 2), door,
          make_obstacle({1, 1.5F, 0.2F}, {30, 0, 0}, 0)};
}

// Distance to the nearest of many points of a part's surface; negative inside.
float sampled_distance(const Prop& prop, Vec3 world) {
  float nearest = std::numeric_limits<float>::max();
  const float sf = std::sin(prop.facing_rad), cf = std::cos(prop.facing_rad), so = std::sin(-prop.open_rad),
              co = std::cos(-prop.open_rad);
  for (int i = 0; i < prop.num_parts; ++i) {
    const PropPart& part = prop.parts[static_cast<std::size_t>(i)];
    constexpr int kSteps = 24;
    for (int side = 0; side < 6; ++side)
      for (int a = 0; a <= kSteps; ++a)
        for (int b = 0; b <= kSteps; ++b) {
          const float u = 2.0F * static_cast<float>(a) / kSteps - 1, v = 2.0F * static_cast<float>(b) / kSteps - 1,
                      w = side % 2 == 0 ? 1.0F : -1.0F;
          const Vec3 unit = side < 2 ? Vec3{w, u, v} : side < 4 ? Vec3{u, w, v} : Vec3{u, v, w};
          Vec3 p{part.centre_m.x + unit.x * part.half_m.x, part.centre_m.y + unit.y * part.half_m.y,
                 part.centre_m.z + unit.z * part.half_m.z};
          if (part.on_leaf) p = {co * p.x + so * p.z, p.y, co * p.z - so * p.x};
          p = prop.position + Vec3{cf * p.x + sf * p.z, p.y, cf * p.z - sf * p.x};
          nearest = std::min(nearest, distance(p, world));
        }
  }
  return nearest;
}

TEST(CylinderSensor, AgreesWithSampledSurfaces) {
  const CylinderSensor sensor({.radius_m = 1.5F, .num_rings = 4, .num_layers = 3});
  const std::vector<Prop> props = some_props();
  const PlanarRoot root{{0.2F, 0, -0.1F}, 0.6F};
  std::vector<float> values(sensor.size());
  sensor.sense(props, root, values);
  const float s = std::sin(root.facing_rad), c = std::cos(root.facing_rad);
  int filled = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Vec3 q = sensor.points()[i], p = root.position + Vec3{c * q.x + s * q.z, q.y, c * q.z - s * q.x};
    float nearest = std::numeric_limits<float>::max();
    bool inside = false;
    for (const Prop& prop : props) {
      nearest = std::min(nearest, sampled_distance(prop, p));
      inside = inside || signed_distance(prop, p) < 0;
    }
    const float expected = inside ? 1.0F : std::clamp(1 - nearest / sensor.reach_m(), 0.0F, 1.0F);
    EXPECT_NEAR(values[i], expected, 0.06F) << i;
    filled += values[i] > 0 ? 1 : 0;
  }
  EXPECT_GT(filled, 10);
  EXPECT_LT(filled, static_cast<int>(values.size()));
}

TEST(CylinderSensor, TurnsWithTheCharacter) {
  const CylinderSensor sensor({});
  std::vector<Prop> props = some_props();
  std::vector<float> before(sensor.size()), after(sensor.size());
  sensor.sense(props, {{0, 0, 0}, 0}, before);
  // The whole world moved and turned by the same.
  constexpr float kTurn = 1.1F;
  const Vec3 move{5, 0, -2};
  for (Prop& prop : props) {
    const float s = std::sin(kTurn), c = std::cos(kTurn);
    const Vec3 p = prop.position;
    prop.position = move + Vec3{c * p.x + s * p.z, p.y, c * p.z - s * p.x};
    prop.facing_rad += kTurn;
  }
  sensor.sense(props, {move, kTurn}, after);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i], after[i], 1e-4F);
}

TEST(CuboidSensor, CoversThePropInTheRootsSpace) {
  const CuboidSensor sensor(4);
  const Prop box = make_box({0.4F, 0.3F, 0.5F}, 3, {1, 0.2F, 2}, 0.5F);
  std::vector<float> values(sensor.size());
  const PlanarRoot root{{0.3F, 0, 0.4F}, -0.4F};
  sensor.sense(box, root, values);
  const float s = std::sin(root.facing_rad), c = std::cos(root.facing_rad);
  for (std::size_t i = 0; i < values.size(); i += 4) {
    const Vec3 seen{values[i], values[i + 1], values[i + 2]};
    const Vec3 world = root.position + Vec3{c * seen.x + s * seen.z, seen.y, c * seen.z - s * seen.x};
    EXPECT_LT(signed_distance(box, world), 1e-4F);  // A solid box: all points are in it or on it.
    EXPECT_NEAR(values[i + 3], 1, 1e-3F);
  }
  // A chair is not solid.
  sensor.sense(make_seat({}, {1, 0, 2}, 0.5F), root, values);
  float least = 1;
  for (std::size_t i = 3; i < values.size(); i += 4) least = std::min(least, values[i]);
  EXPECT_LT(least, 0.5F);
}

TEST(Goal, BothDirectionsAgree) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const PlanarRoot root{{random.uniform(-3, 3), 0, random.uniform(-3, 3)}, random.uniform(-9, 9)};
    const GoalPlace goal{{random.uniform(-3, 3), 0, random.uniform(-3, 3)}, random.uniform(-9, 9)};
    const GoalCode code = encode_goal(root, goal);
    const PlanarRoot back = root_from_goal(goal, std::span<const float, 4>(code.values.data() + 4, 4));
    EXPECT_LT(distance(back.position, root.position), 1e-4F);
    EXPECT_NEAR(std::remainder(back.facing_rad - root.facing_rad, 6.2831853F), 0, 1e-4F);
    EXPECT_NEAR(code.values[8], distance(root.position, goal.position), 1e-4F);
    EXPECT_NEAR(code.values[9], std::abs(std::remainder(root.facing_rad - goal.facing_rad, 6.2831853F)), 1e-3F);
  }
  EXPECT_EQ(goal_share(0.1F), 1);
  EXPECT_EQ(goal_share(2), 0);
  // The shorter turn, also across pi.
  EXPECT_NEAR(std::remainder(blended({{}, 3}, {{}, -3}, 0.5F).facing_rad - 3.14159265F, 6.2831853F), 0, 1e-3F);
}

TEST(Sensors, NeverAllocate) {
  const CylinderSensor around({});
  const CuboidSensor prop(4);
  const std::vector<Prop> props = some_props();
  std::vector<float> a(around.size()), b(prop.size());
  const test::AllocationMeter meter;
  around.sense(props, {{0, 0, 0}, 0.3F}, a);
  prop.sense(props[0], {{0, 0, 0}, 0.3F}, b);
  const GoalCode code = encode_goal({{0, 0, 0}, 0.3F}, {{1, 0, 2}, 0.5F});
  EXPECT_EQ(meter.allocations(), 0U);
  EXPECT_GT(code.values[8], 0);
}

}  // namespace
}  // namespace zoe::control
