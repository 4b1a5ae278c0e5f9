// SPDX-License-Identifier: MIT
#include "control/release_step.h"

#include <gtest/gtest.h>

#include "control/stand_feet.h"

namespace zoe::control {
namespace {

// Hips and one leg of thigh, shank and foot, bent a little at the knee.
Body body_with_a_leg() {
  Body body;
  body.skeleton = Skeleton::create({{"hips", kNoJoint, {{0, 0.9F, 0}, {}}},
                                    {"hip", 0, {{0.1F, 0, 0}, from_axis_angle(Vec3{1, 0, 0}, -0.3F)}},
                                    {"knee", 1, {{0, -0.43F, 0}, from_axis_angle(Vec3{1, 0, 0}, 0.6F)}},
                                    {"ankle", 2, {{0, -0.43F, 0}, from_axis_angle(Vec3{1, 0, 0}, -0.3F)}},
                                    {"ball", 3, {{0, -0.06F, 0.13F}, {}}}})
                      .value();
  BodyLeg leg;
  leg.leg = {.hip = 1, .knee = 2, .ankle = 3, .ball = 4};
  body.legs = {leg};
  return body;
}

// A foot that is given back 0.4 m away takes a step: ankle and ball rise by the same height.
TEST(ReleaseStep, LiftsTheWholeFoot) {
  const Body body = body_with_a_leg();
  Pose pose = make_pose(*body.skeleton);
  const Vec3 ankle = joint_position(*body.skeleton, pose, 3), ball = joint_position(*body.skeleton, pose, 4);
  const ReleaseStep step(body, pose);
  FootLockState feet = make_foot_lock_state(1);
  feet.feet[0].ankle.blend = 0.5F;
  feet.feet[0].ankle.locked = {0, 0, 0.4F};  // A soft lock's offset.
  step.lift(body, feet, 0.15F, true, pose);
  const Vec3 up_ankle = joint_position(*body.skeleton, pose, 3) - ankle;
  const Vec3 up_ball = joint_position(*body.skeleton, pose, 4) - ball;
  EXPECT_NEAR(up_ankle.y, 0.15F * 0.4F, 2e-3F);
  EXPECT_LT(length(up_ball - up_ankle), 1e-4F) << "the foot keeps its rotation";

  Pose held = make_pose(*body.skeleton);
  feet.feet[0].ankle.holds = true;
  step.lift(body, feet, 0.15F, true, held);
  EXPECT_LT(distance(joint_position(*body.skeleton, held, 3), ankle), 1e-6F) << "a held foot stays";
}

}  // namespace
}  // namespace zoe::control
