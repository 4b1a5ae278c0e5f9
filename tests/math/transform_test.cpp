// SPDX-License-Identifier: MIT
#include "zoe/math/transform.h"

#include <random>

#include <gtest/gtest.h>

namespace zoe {
namespace {

struct Random {
  std::mt19937 engine{7};
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3d vec(double low, double high) { return {(*this)(low, high), (*this)(low, high), (*this)(low, high)}; }
  Quatd quat() { return normalized(Quatd{(*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1)}); }
};

double max_difference(const Affined& a, const Affined& b) {
  double worst = 0;
  for (const auto& [p, q] : {std::pair{a.x, b.x}, {a.y, b.y}, {a.z, b.z}, {a.t, b.t}}) {
    worst = std::max(worst, length(p - q));
  }
  return worst;
}

TEST(Transform, DecomposeInvertsCompose) {
  Random random;
  for (int i = 0; i < 500; ++i) {
    Transformd transform{random.vec(-5, 5), random.quat(), random.vec(0.1, 3)};
    if (i % 3 == 0) transform.scale.y = -transform.scale.y;  // Mirrors come back as a negative x scale, same map.
    double shear = -1;
    const Affined map = to_affine(transform);
    EXPECT_LT(max_difference(map, to_affine(decompose(map, &shear))), 1e-9);
    EXPECT_LT(shear, 1e-9);
  }
}

TEST(Transform, DecomposeReportsShearAndSurvivesCollapse) {
  double shear = 0;
  (void)decompose(Affined{{1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {}}, &shear);
  EXPECT_GT(shear, 0.5);
  const Transformd flat = decompose(Affined{{0, 0, 0}, {0, 2, 0}, {0, 0, 0}, {}});
  EXPECT_TRUE(is_finite(flat.rotation));
  EXPECT_NEAR(flat.scale.y, 2.0, 1e-12);
}

TEST(Affine, InverseUndoes) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const Affined m = to_affine(Transformd{random.vec(-5, 5), random.quat(), random.vec(0.2, 3)}) *
                      to_affine(Transformd{random.vec(-5, 5), random.quat(), random.vec(0.2, 3)});
    EXPECT_LT(max_difference(m * inverse(m), Affined{}), 1e-9);
  }
}

TEST(Quat, RotationMatchesItsMatrix) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const Quatd q = random.quat();
    const Vec3d v = random.vec(-2, 2);
    EXPECT_LT(length(rotate(q, v) - to_affine(q).apply_vector(v)), 1e-12);
    EXPECT_LT(angle_between(q, rotation_of(to_affine(q))), 1e-7);
    EXPECT_LT(angle_between(q, from_rotation_vector(to_rotation_vector(q))), 1e-7);
  }
}

TEST(Quat, SlerpHasConstantSpeedOnTheShortArc) {
  const Quatd a{}, b = -from_axis_angle(Vec3d{0, 1, 0}, 2.0);
  EXPECT_NEAR(angle_between(a, slerp(a, b, 0.25)), 0.5, 1e-9);
  EXPECT_NEAR(angle_between(a, slerp(a, b, 1.0)), 2.0, 1e-9);
}

}  // namespace
}  // namespace zoe
