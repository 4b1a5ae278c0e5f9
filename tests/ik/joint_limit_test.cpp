// SPDX-License-Identifier: MIT
#include "zoe/ik/joint_limit.h"

#include <gtest/gtest.h>

#include "character/random_character.h"

namespace zoe {
namespace {

using test::RandomCharacter;

TEST(JointLimit, HingeKeepsItsAxisAndRange) {
  RandomCharacter random(1);
  for (int i = 0; i < 200; ++i) {
    const Quat rest = random.quat();
    const Vec3 axis = normalized(random.vec(1));
    const JointLimit limit = make_hinge(rest, axis, -0.2F, 1.5F);
    const Quat q = clamp_to_limit(limit, random.quat());
    const Vec3 turned = to_rotation_vector(conjugate(rest) * q);
    EXPECT_LT(length(cross(turned, axis)), 1e-4F);
    EXPECT_GE(dot(turned, axis), -0.2F - 1e-4F);
    EXPECT_LE(dot(turned, axis), 1.5F + 1e-4F);
    EXPECT_LT(limit_violation_rad(limit, q), 1e-3F);
  }
}

TEST(JointLimit, ConeBoundsLeanAndTwist) {
  RandomCharacter random(2);
  for (int i = 0; i < 200; ++i) {
    const Quat rest = random.quat();
    const Vec3 bone = normalized(random.vec(1));
    const JointLimit limit = make_cone(rest, bone, 0.7F, -0.3F, 0.4F);
    const Quat q = clamp_to_limit(limit, random.quat());
    const float lean = std::acos(std::min(1.0F, dot(rotate(rest, bone), rotate(q, bone))));
    EXPECT_LE(lean, 0.7F + 1e-3F);
    EXPECT_LT(limit_violation_rad(limit, q), 1e-3F);
  }
}

TEST(JointLimit, LeavesWhatIsAllowedAlone) {
  const Quat inside = from_axis_angle(Vec3{0, 0, 1}, 0.5F);
  EXPECT_EQ(clamp_to_limit(JointLimit{}, inside), inside);
  EXPECT_EQ(clamp_to_limit(make_cone({}, {0, 1, 0}, 0.6F, -0.1F, 0.1F), inside), inside);
  EXPECT_LT(angle_between(clamp_to_limit(make_hinge({}, {0, 0, 1}, 0, 1), inside), inside), 1e-5F);
  // Cut by 0.2 exactly.
  EXPECT_NEAR(limit_violation_rad(make_cone({}, {0, 1, 0}, 0.3F, -1, 1), inside), 0.2F, 1e-5F);
  EXPECT_NEAR(limit_violation_rad(make_hinge({}, {0, 0, 1}, -1, 0.3F), inside), 0.2F, 1e-5F);
}

TEST(JointLimit, SwingTimesTwistIsTheRotation) {
  RandomCharacter random(3);
  for (int i = 0; i < 100; ++i) {
    const Quat q = random.quat();
    const Vec3 axis = normalized(random.vec(1));
    const SwingTwist parts = split_swing_twist(q, axis);
    EXPECT_LT(angle_between(parts.swing * parts.twist, q), 1e-5F);
    EXPECT_LT(distance(rotate(parts.twist, axis), axis), 1e-5F);
    EXPECT_NEAR(dot(Vec3{parts.swing.x, parts.swing.y, parts.swing.z}, axis), 0, 1e-5F);
  }
}

}  // namespace
}  // namespace zoe
