// SPDX-License-Identifier: MIT
#include "zoe/math/euler.h"

#include <random>

#include <gtest/gtest.h>

namespace zoe {
namespace {

constexpr EulerOrder kOrders[] = {EulerOrder::kXYZ, EulerOrder::kXZY, EulerOrder::kYXZ,
                                  EulerOrder::kYZX, EulerOrder::kZXY, EulerOrder::kZYX};

TEST(Euler, RoundTripsEveryOrder) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> angle(-3.1, 3.1);
  for (const EulerOrder order : kOrders) {
    for (int i = 0; i < 200; ++i) {
      const Quatd q = from_euler<double>(order, {angle(random), angle(random), angle(random)});
      EXPECT_LT(angle_between(q, from_euler<double>(order, to_euler(order, q))), 1e-7);
    }
  }
}

TEST(Euler, SurvivesGimbalLock) {
  for (const EulerOrder order : kOrders) {
    for (const double middle : {90.0, -90.0}) {
      const Quatd q = from_euler<double>(order, {0.7, middle * kRadiansPerDegree, -0.3});
      const auto angles = to_euler(order, q);
      EXPECT_LT(angle_between(q, from_euler<double>(order, angles)), 1e-7);
    }
  }
}

TEST(Euler, OrderIsTheMatrixProduct) {
  // R = Rz * Rx: x acts first. The y axis goes to z, and then about z stays.
  const Quatd q = from_euler<double>(EulerOrder::kZXY, {90 * kRadiansPerDegree, 90 * kRadiansPerDegree, 0.0});
  const Vec3d v = rotate(q, Vec3d{0, 1, 0});
  EXPECT_NEAR(v.z, 1.0, 1e-12);
}

}  // namespace
}  // namespace zoe
