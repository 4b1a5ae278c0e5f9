// SPDX-License-Identifier: MIT
#include "zoe/math/rotation_6d.h"

#include <gtest/gtest.h>

#include "zoe/math/dual_quat.h"

namespace zoe {
namespace {

TEST(Rotation6, RoundTripIsTheSameRotation) {
  for (float angle = -3.1F; angle < 3.2F; angle += 0.37F) {
    const Quat q = from_axis_angle(normalized(Vec3{1, angle, -2}), angle);
    EXPECT_LT(angle_between(from_6d(to_6d(q)), q), 1e-3F);
  }
}

TEST(Rotation6, IsTheFirstTwoColumns) {
  const Rotation6 r = to_6d(from_axis_angle(Vec3{0, 0, 1}, 1.57079633F));
  EXPECT_LT(distance(r.x, Vec3{0, 1, 0}), 1e-6F);
  EXPECT_LT(distance(r.y, Vec3{-1, 0, 0}), 1e-6F);
}

TEST(Rotation6, LengthsAndLeaningOfTheSecondDoNotMatter) {
  const Quat q = normalized(Quat{0.3F, -0.2F, 0.5F, 0.8F});
  Rotation6 r = to_6d(q);
  r = {r.x * 3.0F, (r.y + r.x * 0.7F) * 0.2F};
  EXPECT_LT(angle_between(from_6d(r), q), 1e-3F);
}

TEST(Rotation6, DegenerateNumbersStillGiveARotation) {
  for (const Rotation6& r : {Rotation6{{0, 0, 0}, {0, 0, 0}}, Rotation6{{1, 2, 3}, {2, 4, 6}},
                             Rotation6{{0, 5, 0}, {0, 0, 0}}, Rotation6{{0, 0, 0}, {1, 0, 0}}}) {
    const Quat q = from_6d(r);
    EXPECT_NEAR(dot(q, q), 1.0F, 1e-5F);
  }
  EXPECT_LT(distance(to_6d(from_6d(Rotation6{{0, 5, 0}, {0, 0, 0}})).x, Vec3{0, 1, 0}), 1e-6F);
}

TEST(DualQuat, HoldsRotationAndTranslation) {
  const DualQuat d = to_dual_quat(normalized(Quat{0.3F, -0.2F, 0.5F, 0.8F}), {1, 2, 3});
  EXPECT_LT(distance(translation_of(d), Vec3{1, 2, 3}), 1e-6F);
  EXPECT_NEAR(dot(d.real, d.dual), 0.0F, 1e-6F);  // Unit dual quaternions: the parts are perpendicular.
}

}  // namespace
}  // namespace zoe
