// SPDX-License-Identifier: MIT
// Room for limbs among props: what is clear stays, what is inside comes out by little, and at its own side.
#include "control/goal/limb_room.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"

namespace zoe::control {
namespace {

// An arm of 0.6 m that is bent, with fingers.
Limb arm_at(Vec3 shoulder, Vec3 wrist) {
  Limb limb{shoulder, shoulder + Vec3{0.05F, -0.27F, -0.12F}, wrist};
  limb.upper_m = 0.05F, limb.lower_m = limb.beyond_m = 0.025F;
  for (const float far : {0.06F, 0.12F}) limb.add_beyond(normalized(wrist - limb.middle, Vec3{}) * far);
  return limb;
}

TEST(LimbRoom, BonesKeepTheirLengths) {
  Random random(7);
  const Limb limb = arm_at({0, 1.4F, 0}, {0.05F, 1.1F, 0.2F});
  const float upper = distance(limb.start, limb.middle), lower = distance(limb.middle, limb.tip);
  for (int i = 0; i < 200; ++i) {
    const auto drawn = [&] { return random.uniform(-0.4F, 0.4F); };
    const LimbMove move{{drawn(), drawn(), drawn()}, random.uniform(-1, 1)};
    const Limb after = moved(limb, move);
    EXPECT_NEAR(distance(after.start, after.middle), upper, 1e-3F);
    EXPECT_NEAR(distance(after.middle, after.tip), lower, 1e-3F);
    const float far = distance(limb.start, limb.tip + move.tip);
    if (far > 0.9F * (upper + lower) || far < 1.1F * std::abs(upper - lower)) continue;
    EXPECT_LT(distance(after.tip, limb.tip + move.tip), 1e-4F);
  }
}

TEST(LimbRoom, WhatIsClearStays) {
  const Limb limb = arm_at({0, 1.4F, 0}, {0.05F, 1.1F, 0.2F});
  const std::array<Prop, 1> props{make_obstacle({0.4F, 0.9F, 0.4F}, {0, 0, 0.3F})};
  EXPECT_EQ(find_room(limb, {props}, {{0.1F, 0, 0}}, {.level = false}), LimbMove{});
  EXPECT_EQ(find_room(limb, {}, {}, {}), LimbMove{});
}

TEST(LimbRoom, LimbsComeOutByLittle) {
  int count = 0;
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Limb limb = arm_at({0, 1.4F, 0}, {random.uniform(-0.1F, 0.1F), 1.05F, random.uniform(0.1F, 0.3F)});
    const std::array<Prop, 1> props{
        make_obstacle({0.5F, random.uniform(0.9F, 1.1F), 0.4F}, {random.uniform(-0.2F, 0.2F), 0, 0.4F})};
    const RoomOptions options{.most_m = 0.45F, .most_swivel_rad = 0, .level = false, .touches_m = 0};
    const float inside_m = depth_of_limb(limb, {props});
    if (inside_m <= 0) continue;
    ++count;
    const LimbMove move = find_room(limb, {props}, {}, options);
    EXPECT_LE(depth_of_limb(moved(limb, move), {props}), 0.01F) << i;
    EXPECT_LT(length(move.tip), 2.5F * inside_m + 0.03F) << i;
  }
  EXPECT_GT(count, 30);
}

// A hand that comes from above into a thin leaf may leave it at both sides. The last move decides.
TEST(LimbRoom, ALimbStaysAtItsSideOfALeaf) {
  const std::array<Prop, 1> props{make_obstacle({1, 1.05F, 0.05F}, {0, 0, 0.3F})};
  const RoomOptions options{.most_m = 0.45F, .most_swivel_rad = 0, .level = true, .touches_m = 0};
  Limb hand{{0, 1.5F, 0.3F}, {0.02F, 1.25F, 0.3F}, {0, 1, 0.31F}};
  hand.upper_m = hand.lower_m = hand.beyond_m = 0.02F;
  EXPECT_GT(find_room(hand, {props}, {}, options).tip.z, 0.03F) << "the nearer side";
  EXPECT_LT(find_room(hand, {props}, {{0, 0, -0.06F}}, options).tip.z, -0.03F);
}

TEST(LimbRoom, ASeatedThighMayLieOnItsSeat) {
  const Limb leg = [] {
    Limb limb{{0, 0.5F, 0}, {0, 0.5F, 0.4F}, {0, 0.1F, 0.45F}};
    limb.upper_m = limb.lower_m = limb.beyond_m = 0.06F;
    return limb;
  }();
  const std::array<Prop, 1> props{make_obstacle({0.5F, 0.47F, 0.4F}, {0, 0, 0.1F})};
  EXPECT_GT(depth_of_limb(leg, {props}), 0.02F);
  EXPECT_LT(depth_of_limb(leg, {props, 0, 1}), 0);
  EXPECT_LT(depth_of_limb(leg, {props, 1}), 0);
}

}  // namespace
}  // namespace zoe::control
