// SPDX-License-Identifier: MIT
// Surfaces of flesh: closed, of the right size, mirrored; and which joints pull at them.
#include "synth/flesh.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "synth/bodies.h"

namespace zoe::synth {
namespace {

using test::facts_of;
using test::MeshFacts;

constexpr double kPi = std::numbers::pi;

// A capsule along z.
Blob capsule(float radius_m, float length_m, Vec3 from = {}) {
  return {0, from, from + Vec3{0, 0, length_m}, radius_m, radius_m};
}

TEST(Flesh, ABallHasTheVolumeAndAreaOfABall) {
  const Blob ball = capsule(0.5F, 0, {0.3F, 1, -2});
  for (const float cell : {0.1F, 0.05F}) {
    const Surface surface = extract_surface({&ball, 1}, cell);
    const MeshFacts facts = facts_of(surface.positions, surface.indices);
    EXPECT_TRUE(facts.closed);
    EXPECT_EQ(facts.euler, 2);
    EXPECT_EQ(facts.out_of_range, 0);
    EXPECT_EQ(facts.degenerate, 0);
    const double r = 0.5;
    EXPECT_NEAR(facts.volume_m3, 4.0 / 3 * kPi * r * r * r, 0.06 * 4.0 / 3 * kPi * r * r * r);
    EXPECT_NEAR(facts.area_m2, 4 * kPi * r * r, 0.04 * 4 * kPi * r * r);
    for (const Vec3& p : surface.positions) EXPECT_NEAR(distance(p, ball.a), 0.5F, 0.35F * cell);
  }
}

TEST(Flesh, ACapsule) {
  const Blob blob = capsule(0.2F, 1.5F);
  const Surface surface = extract_surface({&blob, 1}, 0.04F);
  const MeshFacts facts = facts_of(surface.positions, surface.indices);
  EXPECT_TRUE(facts.closed);
  EXPECT_EQ(facts.euler, 2);
  const double volume = kPi * 0.04 * 1.5 + 4.0 / 3 * kPi * 0.008;
  EXPECT_NEAR(facts.volume_m3, volume, 0.05 * volume);
}

TEST(Flesh, StretchWidensTheCrossSection) {
  Blob blob = capsule(0.2F, 1);
  blob.stretch = {2, 1, 1};
  const Surface surface = extract_surface({&blob, 1}, 0.03F);
  float wide = 0, high = 0;
  for (const Vec3& p : surface.positions) wide = std::max(wide, p.x), high = std::max(high, p.y);
  EXPECT_NEAR(wide, 0.4F, 0.02F);
  EXPECT_NEAR(high, 0.2F, 0.02F);
}

TEST(Flesh, FarBlobsAreTwoSurfacesNearOnesMelt) {
  const auto euler = [](float gap_m) {
    const Blob two[] = {capsule(0.3F, 0), capsule(0.3F, 0, {0, gap_m, 0})};
    const Surface surface = extract_surface(two, 0.05F);
    EXPECT_TRUE(facts_of(surface.positions, surface.indices).closed);
    return facts_of(surface.positions, surface.indices).euler;
  };
  EXPECT_EQ(euler(2), 4);
  EXPECT_EQ(euler(0.4F), 2);
}

TEST(Flesh, MirrorImagesComeOutAsMirrorImages) {
  const Blob two[] = {{0, {0.4F, 0, 0}, {0.6F, 1, 0}, 0.2F, 0.1F}, {0, {-0.4F, 0, 0}, {-0.6F, 1, 0}, 0.2F, 0.1F}};
  const Surface surface = extract_surface(two, 0.06F);
  for (const Vec3& p : surface.positions) {
    float nearest = 1e9F;
    for (const Vec3& q : surface.positions) nearest = std::min(nearest, distance(test::mirrored(p), q));
    ASSERT_LT(nearest, 1e-5F);
  }
}

TEST(Flesh, ProjectionPutsPointsOntoTheSurface) {
  const Blob ball = capsule(0.5F, 0);
  FleshField field({&ball, 1});
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Vec3 direction =
        normalized(Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, Vec3{1, 0, 0});
    Vec3 p = direction * random.uniform(0.4F, 0.6F);
    field.gather(p);
    const Vec3 normal = field.project(p, 1);
    EXPECT_NEAR(length(p), 0.5F, 1e-3);
    EXPECT_LT(distance(normal, direction), 1e-3F);
    // Not farther than it may go.
    Vec3 held = direction * 0.6F;
    field.gather(held);
    field.project(held, 0.02F);
    EXPECT_LE(distance(held, direction * 0.6F), 0.0201F);
  }
}

TEST(Flesh, DistancesAreInRadii) {
  const Blob blobs[] = {capsule(0.5F, 1), capsule(0.1F, 0, {0, 0.6F, 0})};
  FleshField field(blobs);
  field.gather({0, 0.75F, 0.5F});
  ASSERT_GE(field.near().size(), 1U);
  EXPECT_EQ(field.near()[0].blob, 0);
  EXPECT_NEAR(field.near()[0].distance, 0.5F, 1e-5);  // A quarter of a metre beyond half a metre.
  field.gather({0, 50, 0});
  EXPECT_TRUE(field.near().empty());
}

TEST(Flesh, CellsAreFineEnoughForTheNumberAsked) {
  const Blob blob = capsule(0.5F, 3);
  float before = 1e9F;
  for (const int count : {200, 800, 3200}) {
    const float cell = cell_for({&blob, 1}, count);
    EXPECT_LT(cell, before);
    before = cell;
    const auto made = static_cast<double>(extract_surface({&blob, 1}, cell).positions.size());
    EXPECT_GT(made, 0.4 * count);
    EXPECT_LT(made, 4 * count);
  }
}

TEST(Skin, OneBoneMovesAllOfItsFlesh) {
  Plan plan;
  plan.body.root = plan.add({.part = Part::kHips}, kNoJoint, {});
  plan.blobs.push_back(capsule(0.3F, 1));
  const Surface surface = extract_surface(plan.blobs, 0.08F);
  const Influences influences = skin_surface(plan, surface);
  ASSERT_EQ(influences.weights.size(), 4 * surface.positions.size());
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    EXPECT_EQ(influences.joints[4 * v], 0);
    EXPECT_NEAR(influences.weights[4 * v], 1, 1e-6);
  }
}

TEST(Skin, TwoBonesShareTheirJointSmoothly) {
  Plan plan;
  plan.body.root = plan.add({.part = Part::kHips}, kNoJoint, {0, 0, 0});
  const int child = plan.add({.part = Part::kShin}, 0, {0, 0, 1});
  plan.blob(0, {0, 0, 0}, 0.2F, {0, 0, 1}, 0.2F);
  plan.blob(child, {0, 0, 1}, 0.2F, {0, 0, 2}, 0.2F);
  const Surface surface = extract_surface(plan.blobs, 0.06F);
  const Influences influences = skin_surface(plan, surface);
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    float sum = 0, of_child = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      sum += influences.weights[4 * v + k];
      if (influences.joints[4 * v + k] == child) of_child += influences.weights[4 * v + k];
      if (k > 0) {
        EXPECT_LE(influences.weights[4 * v + k], influences.weights[4 * v + k - 1]);  // Heaviest first.
      }
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    const float z = surface.positions[v].z;
    if (z < 0.5F) {
      EXPECT_LT(of_child, 0.05F) << z;
    }
    if (z > 1.5F) {
      EXPECT_GT(of_child, 0.95F) << z;
    }
    if (std::abs(z - 1) < 0.03F) {
      EXPECT_NEAR(of_child, 0.5F, 0.2F) << z;
    }
  }
}

TEST(Skin, FleshOfAnotherLimbDoesNotPull) {
  Plan plan;
  plan.body.root = plan.add({.part = Part::kHips}, kNoJoint, {0, 1, 0});
  int ends[2];
  for (const int side : {0, 1}) {
    const float x = side == 0 ? 0.12F : -0.12F;
    int joint = 0;
    for (int i = 0; i < 3; ++i) {
      const int next =
          plan.add({.part = Part::kThigh, .index = i + 1}, joint, {x, 0.9F - 0.3F * static_cast<float>(i), 0});
      plan.blob(next, plan.at(next), 0.1F, plan.at(next) - Vec3{0, 0.3F, 0}, 0.1F);
      joint = next;
    }
    ends[side] = joint;
  }
  const Surface surface = extract_surface(plan.blobs, 0.04F);
  const Influences influences = skin_surface(plan, surface);
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    if (surface.positions[v].x < 0.1F || surface.positions[v].y > 0.3F) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      if (influences.joints[4 * v + k] == ends[1]) {
        EXPECT_LT(influences.weights[4 * v + k], 0.2F);
      }
    }
  }
}

}  // namespace
}  // namespace zoe::synth
