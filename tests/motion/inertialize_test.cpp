// SPDX-License-Identifier: MIT
#include "zoe/motion/inertialize.h"

#include <cmath>

#include <gtest/gtest.h>

namespace zoe {
namespace {

constexpr float kStep = 1.0F / 120;

Pose one_joint(Vec3 translation, Quat rotation) { return {{translation}, {rotation}, {{1, 1, 1}}}; }
Quat about_y(float angle) { return from_axis_angle(Vec3{0, 1, 0}, angle); }

TEST(QuinticDecay, FromRestIsTheMinimumJerkCurve) {
  // v0 = a0 = 0: x0 (1 - 10 s³ + 15 s⁴ - 6 s⁵).
  const QuinticDecay decay(2, 0, 0.5F);
  EXPECT_FLOAT_EQ(decay.at(0), 2);
  EXPECT_NEAR(decay.at(0.25F), 1, 1e-6F);
  EXPECT_NEAR(decay.at(0.125F), 2 * (1 - 10.0 / 64 + 15.0 / 256 - 6.0 / 1024), 1e-6);
  EXPECT_EQ(decay.at(0.5F), 0.0F);
}

TEST(QuinticDecay, StartsWithItsSpeedEndsAtRestAndNeverCrossesZero) {
  for (float v0 : {-60.0F, -10.0F, -1.0F, 0.0F, 3.0F}) {
    const QuinticDecay decay(1, v0, 0.4F);
    EXPECT_LE(decay.end_s(), 0.4F);
    const float h = decay.end_s() * 1e-3F;
    EXPECT_NEAR((decay.at(h) - 1) / h, v0, 0.02F * std::abs(v0) + 0.02F);
    EXPECT_NEAR(decay.at(decay.end_s() - h) / h, 0, 0.01F);
    for (int k = 0; k <= 1000; ++k) EXPECT_GE(decay.at(h * static_cast<float>(k)), -1e-5F) << v0;
  }
  EXPECT_NEAR(QuinticDecay(1, -60, 0.4F).end_s(), 5.0F / 60, 1e-6F);
  EXPECT_EQ(QuinticDecay(0, -1, 0.4F).at(0), 0.0F);
}

// Shown: moves along x at 1 m/s and turns at 2 rad/s. Target: stands one metre aside, turned away by 1 rad.
struct Switch {
  Pose shown = one_joint({0.5F, 0, 0}, about_y(0.2F));
  Pose before = one_joint({0.5F - kStep, 0, 0}, about_y(0.2F - 2 * kStep));
  Pose target = one_joint({-0.5F, 0, 0}, about_y(-0.8F));
  TransitionStart start() const { return {shown.view(), before.view(), target.view(), {}, kStep}; }
};

template <typename Transition>
void expect_smooth(Transition& transition, const Switch& s, float duration_s) {
  Pose pose = s.target;
  transition.apply(0, pose.translations, pose.rotations);
  EXPECT_LT(distance(pose.translations[0], s.shown.translations[0]), 1e-6F);
  EXPECT_LT(angle_between(pose.rotations[0], s.shown.rotations[0]), 1e-3F);
  pose = s.target;
  transition.apply(1e-3F, pose.translations, pose.rotations);
  EXPECT_NEAR((pose.translations[0].x - 0.5F) / 1e-3F, 1, 0.05F);
  EXPECT_NEAR(to_rotation_vector(pose.rotations[0] * conjugate(s.shown.rotations[0])).y / 1e-3F, 2, 0.1F);
  for (int k = 0; k < 4 && transition.active(); ++k) {
    pose = s.target;
    transition.apply(duration_s / 3, pose.translations, pose.rotations);
  }
  EXPECT_FALSE(transition.active());
  EXPECT_LT(distance(pose.translations[0], s.target.translations[0]), 1e-6F);
  EXPECT_LT(angle_between(pose.rotations[0], s.target.rotations[0]), 1e-3F);
}

TEST(Inertialization, KeepsPoseAndVelocityAndArrives) {
  const Switch s;
  Inertialization transition(1);
  EXPECT_FALSE(transition.active());
  transition.start(s.start(), 0.3F);
  expect_smooth(transition, s, 0.3F);
  transition.start(s.start(), 0.3F);  // Used again, mid-way or after.
  EXPECT_TRUE(transition.active());
}

TEST(Inertialization, TheTargetsOwnVelocityIsNotTheDifferences) {
  // Both move at 1 m/s: the difference stands still, so half of it is left at half time.
  Switch s;
  const Pose target_before = one_joint({-0.5F - kStep, 0, 0}, about_y(-0.8F - 2 * kStep));
  TransitionStart start = s.start();
  start.target_before = target_before.view();
  Inertialization transition(1);
  transition.start(start, 0.4F);
  Pose pose = s.target;
  transition.apply(0.2F, pose.translations, pose.rotations);
  EXPECT_NEAR(pose.translations[0].x, 0, 1e-4F);
  EXPECT_NEAR(angle_between(pose.rotations[0], about_y(-0.3F)), 0, 2e-3F);
}

TEST(Inertialization, QuaternionSignsDoNotMatter) {
  Switch s, flipped;
  flipped.shown.rotations[0] = -flipped.shown.rotations[0];
  flipped.target.rotations[0] = -flipped.target.rotations[0];
  Inertialization a(1), b(1);
  a.start(s.start(), 0.3F);
  b.start(flipped.start(), 0.3F);
  Pose pa = s.target, pb = s.target;
  a.apply(0.1F, pa.translations, pa.rotations);
  b.apply(0.1F, pb.translations, pb.rotations);
  EXPECT_LT(angle_between(pa.rotations[0], pb.rotations[0]), 1e-3F);
}

TEST(DeadBlend, KeepsPoseAndVelocityAndArrives) {
  const Switch s;
  DeadBlend transition(1);
  transition.start(s.start(), 0.3F);
  expect_smooth(transition, s, 0.3F);
}

TEST(DeadBlend, ExtrapolationByHand) {
  const Switch s;
  DeadBlend transition(1);
  transition.start(s.start(), 0.5F, 0.25F);
  Pose pose = s.target;
  transition.apply(0.25F, pose.translations, pose.rotations);
  // After one half-life the velocity was worth h / ln 2 / 2 seconds; half time is half of the cross-fade.
  const float worth = 0.25F / std::log(2.0F) / 2;
  EXPECT_NEAR(pose.translations[0].x, 0.5F * (0.5F + worth) + 0.5F * -0.5F, 1e-4F);
  EXPECT_LT(angle_between(pose.rotations[0], about_y(0.5F * (0.2F + 2 * worth) + 0.5F * -0.8F)), 2e-3F);
}

TEST(DeadBlend, ATargetThatTurnsPastTheFarSideDoesNotFlip) {
  Switch s;
  s.before = s.shown;  // Stands still, at 0.2 rad.
  DeadBlend transition(1);
  transition.start(s.start(), 1, 0.25F);
  Quat last = s.shown.rotations[0];
  for (int k = 1; k <= 120; ++k) {
    // From -0.8 rad away to more than half a turn behind.
    const Pose target = one_joint({}, about_y(-0.8F - 4 * kStep * static_cast<float>(k)));
    Pose pose = target;
    transition.apply(kStep, pose.translations, pose.rotations);
    EXPECT_LT(angle_between(last, pose.rotations[0]), 0.15F) << k;
    last = pose.rotations[0];
  }
  EXPECT_LT(angle_between(last, about_y(-4.8F)), 1e-2F);
}

// Saved in the middle of a switch, and restored where another one is under way.
template <typename Transition>
void expect_continues() {
  const Switch s, back{one_joint({1, 2, 3}, about_y(2)), one_joint({1, 2, 3}, about_y(1.9F)), one_joint({}, {})};
  Transition transition(1), other(1);
  transition.start(s.start(), 0.3F);
  other.start(back.start(), 0.5F);
  Pose a = s.target, b = s.target;
  for (int k = 0; k < 7; ++k) {
    a = b = s.target;
    transition.apply(kStep, a.translations, a.rotations);
    other.apply(2 * kStep, b.translations, b.rotations);
  }
  StateArchive measure = StateArchive::measuring();
  transition.describe(measure);
  std::vector<std::byte> bytes(measure.num_bytes());
  StateArchive write = StateArchive::writing(bytes), read = StateArchive::reading(bytes);
  transition.describe(write);
  other.describe(read);
  for (int k = 0; k < 60; ++k) {
    a = b = s.target;
    transition.apply(kStep, a.translations, a.rotations);
    other.apply(kStep, b.translations, b.rotations);
    ASSERT_EQ(a.translations[0], b.translations[0]) << k;
    ASSERT_EQ(a.rotations[0], b.rotations[0]) << k;
    ASSERT_EQ(transition.active(), other.active()) << k;
  }
  EXPECT_FALSE(other.active());
}
TEST(Inertialization, ContinuesInAnotherOne) { expect_continues<Inertialization>(); }
TEST(DeadBlend, ContinuesInAnotherOne) { expect_continues<DeadBlend>(); }

}  // namespace
}  // namespace zoe
