// SPDX-License-Identifier: MIT
// Props: spaces, distances against brute force, doors, and seats out of meshes.
#include "zoe/ground/prop.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/ground/fit_prop.h"

namespace zoe {
namespace {

TEST(Prop, SpacesAreInverse) {
  const Prop seat = make_seat({}, {1, 0.2F, -3}, 2.1F);
  const Vec3 p{0.3F, 0.7F, -0.4F}, back = prop_from_world(seat, world_from_prop(seat, p));
  EXPECT_LT(distance(p, back), 1e-5F);
  // The front is where the facing points.
  const Vec3 front = world_from_prop(seat, {0, 0, 1}) - seat.position;
  EXPECT_NEAR(std::atan2(front.x, front.z), 2.1F, 1e-5F);
}

// Is a world point in one of the parts, by plain comparisons.
bool is_inside(const Prop& prop, Vec3 world) {
  const float s = std::sin(prop.facing_rad), c = std::cos(prop.facing_rad);
  const Vec3 d = world - prop.position;
  const Vec3 own{c * d.x - s * d.z, d.y, s * d.x + c * d.z};
  const float so = std::sin(prop.open_rad), co = std::cos(prop.open_rad);
  for (int i = 0; i < prop.num_parts; ++i) {
    const PropPart& part = prop.parts[static_cast<std::size_t>(i)];
    const Vec3 q = part.on_leaf ? Vec3{co * own.x + so * own.z, own.y, co * own.z - so * own.x} : own;
    const Vec3 r = q - part.centre_m;
    if (std::abs(r.x) <= part.half_m.x && std::abs(r.y) <= part.half_m.y && std::abs(r.z) <= part.half_m.z) return true;
  }
  return false;
}

std::vector<Prop> some_props() {
  Prop door = make_door({}, {0.4F, 0, 0.2F}, -0.8F);
  door.open_rad = 0.9F;
  return {make_seat({}, {0.1F, 0, -0.2F}, 0.7F), make_box({0.4F, 0.3F, 0.5F}, 3, {-0.2F, 0.3F, 0}, 2), door,
          make_obstacle({1, 1.5F, 0.2F}, {0, 0, 0.6F}, -2)};
}

TEST(Prop, DistanceAgreesWithBruteForce) {
  Random random(4);
  for (const Prop& prop : some_props()) {
    for (int i = 0; i < 400; ++i) {
      const Vec3 p{random.uniform(-1.2F, 1.2F), random.uniform(-0.2F, 1.8F), random.uniform(-1.2F, 1.2F)};
      const float d = signed_distance(prop, p);
      ASSERT_EQ(d < 0, is_inside(prop, p)) << d;
      // No point of a ball of that radius is inside.
      for (int k = 0; d > 0 && k < 30; ++k) {
        const Vec3 way{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        ASSERT_FALSE(is_inside(prop, p + normalized(way) * (0.99F * d)));
      }
    }
  }
}

TEST(Prop, DepthOfACapsuleIsThatOfItsDeepestBall) {
  Random random(5);
  for (const Prop& prop : some_props()) {
    for (int i = 0; i < 100; ++i) {
      const auto point = [&] { return Vec3{random.uniform(-1, 1), random.uniform(0, 1.6F), random.uniform(-1, 1)}; };
      const Vec3 a = point(), b = point();
      float least = std::numeric_limits<float>::max();
      for (int k = 0; k <= 2000; ++k)
        least = std::min(least, signed_distance(prop, lerp(a, b, static_cast<float>(k) / 2000)));
      EXPECT_NEAR(depth_of_capsule(prop, a, b, 0.07F), 0.07F - least, 1.5e-3F);
    }
  }
}

TEST(Prop, DoorsOpenTowardsTheirFront) {
  Prop door = make_door({.width_m = 1}, {2, 0, 1}, 0);
  const Vec3 closed = handle_of(door);
  EXPECT_LT(closed.z, 1);  // On the side of -Z.
  door.open_rad = 1.5F;
  const Vec3 open = handle_of(door);
  EXPECT_GT(open.z, 1.5F);
  // The handle stays at its distance from the hinge.
  EXPECT_NEAR(std::hypot(open.x - 2, open.z - 1), std::hypot(closed.x - 2, closed.z - 1), 1e-5F);
  EXPECT_LT(std::abs(signed_distance(door, open)), 0.05F);
}

// Two triangles per side of a box.
void add_box(std::vector<Vec3>& positions, std::vector<std::uint32_t>& indices, Vec3 low, Vec3 high) {
  const auto base = static_cast<std::uint32_t>(positions.size());
  for (int i = 0; i < 8; ++i)
    positions.push_back({(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y, (i & 4) != 0 ? high.z : low.z});
  for (const std::uint32_t i :
       {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5})
    indices.push_back(base + i);
}

TEST(FitProp, FindsSeatAndFrontOfAChair) {
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;
  add_box(positions, indices, {0.7F, 1.40F, 2}, {1.2F, 1.46F, 2.5F});  // The seat: top at 0.46 m over its floor.
  add_box(positions, indices, {1.12F, 1.46F, 2}, {1.2F, 2, 2.5F});     // The back is at +X: the front is -X.
  for (const float x : {0.7F, 1.16F})
    for (const float z : {2.0F, 2.46F}) add_box(positions, indices, {x, 1, z}, {x + 0.04F, 1.40F, z + 0.04F});
  const auto seat = fit_seat(positions, indices);
  ASSERT_TRUE(seat) << seat.error().message;
  EXPECT_NEAR(seat->seat_m.y, 0.46F, 0.01F);
  EXPECT_NEAR(seat->facing_rad, -1.5708F, 1e-3F);
  EXPECT_NEAR(seat->position.y, 1, 1e-5F);
  const Vec3 middle = world_from_prop(*seat, seat->seat_m);
  EXPECT_NEAR(middle.x, 0.91F, 0.03F);  // Before the back.
  EXPECT_NEAR(middle.z, 2.25F, 0.01F);
  EXPECT_NEAR(seat->seat_half_width_m, 0.25F, 0.01F);
  EXPECT_LT(signed_distance(*seat, {1.16F, 1.8F, 2.2F}), 0);
  EXPECT_GT(signed_distance(*seat, {0.9F, 1.8F, 2.2F}), 0.1F);
}

// A couch: 1.2 m wide, with arms of 0.2 m at both sides and a back.
TEST(FitProp, ArmsOfASeatAreSolid) {
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;
  add_box(positions, indices, {-0.6F, 0, -0.4F}, {0.6F, 0.4F, 0.4F});
  add_box(positions, indices, {-0.6F, 0, -0.4F}, {0.6F, 0.9F, -0.2F});
  const auto bench = fit_seat(positions, indices);
  ASSERT_TRUE(bench) << bench.error().message;
  add_box(positions, indices, {-0.6F, 0, -0.4F}, {-0.4F, 0.6F, 0.4F});
  add_box(positions, indices, {0.4F, 0, -0.4F}, {0.6F, 0.6F, 0.4F});
  const auto couch = fit_seat(positions, indices);
  ASSERT_TRUE(couch) << couch.error().message;
  EXPECT_NEAR(bench->seat_half_width_m, 0.6F, 0.01F);
  EXPECT_NEAR(couch->seat_half_width_m, 0.4F, 0.01F) << "between its arms";
  for (const float side : {-0.5F, 0.5F}) {
    EXPECT_GT(signed_distance(*bench, {side, 0.5F, 0.2F}), 0);
    EXPECT_LT(signed_distance(*couch, {side, 0.5F, 0.2F}), 0) << side;
  }
  EXPECT_GT(signed_distance(*couch, {0, 0.5F, 0.2F}), 0.05F) << "the seat itself is free";
}

TEST(FitProp, RefusesWhatIsNoSeat) {
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;
  add_box(positions, indices, {0, 0, 0}, {0.5F, 1.8F, 0.5F});  // A cupboard.
  EXPECT_FALSE(fit_seat(positions, indices));
  EXPECT_FALSE(fit_seat({}, {}));
  indices.push_back(900), indices.push_back(0), indices.push_back(1);
  EXPECT_FALSE(fit_seat(positions, indices));
  positions[3].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(fit_box(positions, 1));
}

}  // namespace
}  // namespace zoe
