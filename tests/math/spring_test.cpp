// SPDX-License-Identifier: MIT
#include "zoe/math/spring.h"

#include <gtest/gtest.h>

namespace zoe {
namespace {

TEST(Spring, HalfTheWayIsLeftAfterTheHalfLife) {
  const Spring<float> spring = advance(Spring<float>{2.0F, 0.0F}, 0.0F, 0.3F, 0.3F);
  EXPECT_NEAR(spring.value, 1.0F, 1e-5F);
}

TEST(Spring, DoesNotDependOnTheStep) {
  const Spring<Vec3> start{{1, 2, 3}, {-4, 0, 5}};
  const Vec3 goal{0, 1, 0};
  const Spring<Vec3> once = advance(start, goal, 0.2F, 0.5F);
  Spring<Vec3> often = start;
  for (int i = 0; i < 50; ++i) often = advance(often, goal, 0.2F, 0.01F);
  EXPECT_LT(distance(once.value, often.value), 1e-5F);
  EXPECT_LT(distance(once.velocity, often.velocity), 1e-4F);
}

TEST(Spring, ObeysItsDifferentialEquation) {
  // Against many small explicit steps in double precision.
  const double w = static_cast<double>(spring_rate(0.25F));
  double x = 1, v = -3;
  const double dt = 1e-5;
  for (int i = 0; i < 40000; ++i) {
    v += dt * (-2 * w * v - w * w * (x - 0.5));
    x += dt * v;
  }
  const Spring<float> spring = advance(Spring<float>{1, -3}, 0.5F, 0.25F, 0.4F);
  EXPECT_NEAR(spring.value, x, 1e-4);
  EXPECT_NEAR(spring.velocity, v, 1e-3);
}

TEST(Spring, RotationsTakeTheShortArcAndArrive) {
  const Quat goal = from_axis_angle(Vec3{0, 1, 0}, 1.0F);
  RotationSpring spring{-from_axis_angle(Vec3{0, 1, 0}, 0.2F), {}};  // The antipode of a small turn.
  const RotationSpring half = advance(spring, goal, 0.1F, 0.1F);
  EXPECT_NEAR(angle_between(half.value, goal), 0.4F, 1e-4F);
  for (int i = 0; i < 100; ++i) spring = advance(spring, goal, 0.1F, 0.02F);
  EXPECT_LT(angle_between(spring.value, goal), 1e-4F);
}

TEST(Spring, NoHalfLifeMeansAtOnce) {
  EXPECT_FLOAT_EQ(advance(Spring<float>{5, 0}, 1.0F, 0.0F, 0.01F).value, 1.0F);
  EXPECT_FLOAT_EQ(approach(5.0F, 1.0F, 0.0F, 0.01F), 1.0F);
  EXPECT_FLOAT_EQ(approach(5.0F, 1.0F, 0.5F, 1.0F), 2.0F);
}

}  // namespace
}  // namespace zoe
