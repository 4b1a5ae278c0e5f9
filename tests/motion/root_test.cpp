// SPDX-License-Identifier: MIT
#include "zoe/motion/root.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/math/filter.h"

namespace zoe {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

// Hip at one metre, hips 20 cm apart along x (left is +x), shoulders 40 cm apart above, a neck 50 cm in front.
constexpr RootJoints kJoints{0, 1, 2, 3, 4, 5};
Motion body(double fps, int frames) {
  const auto at = [](Vec3 t) { return Transform{t, {}, {1, 1, 1}}; };
  const SkeletonPtr skeleton = Skeleton::create({{"hip", kNoJoint, at({0, 1, 0}), JointKind::kBone},
                                                 {"left_hip", 0, at({0.1F, 0, 0}), JointKind::kBone},
                                                 {"right_hip", 0, at({-0.1F, 0, 0}), JointKind::kBone},
                                                 {"left_shoulder", 0, at({0.2F, 0.5F, 0}), JointKind::kBone},
                                                 {"right_shoulder", 0, at({-0.2F, 0.5F, 0}), JointKind::kBone},
                                                 {"neck", 0, at({0, 0.3F, 0.5F}), JointKind::kBone}})
                                   .value();
  return make_motion(skeleton, "body", fps, frames, false);
}
void place(Motion& motion, int frame, Vec3 position, Quat rotation) {
  motion.translations[static_cast<std::size_t>(frame) * 6] = position;
  motion.rotations[static_cast<std::size_t>(frame) * 6] = rotation;
}
Quat turned(float angle) { return from_axis_angle(Vec3{0, 1, 0}, angle); }

TEST(Root, GaussianKernelByHand) {
  // Five samples: p = 2, so the exponents are (i-2)² / 1.
  std::array<double, 5> w{};
  gaussian_weights(1, w);
  const double sum = 1 + 2 * std::exp(-1.0) + 2 * std::exp(-4.0);
  EXPECT_NEAR(w[2], 1 / sum, 1e-12);
  EXPECT_NEAR(w[1], std::exp(-1.0) / sum, 1e-12);
  EXPECT_NEAR(w[4], std::exp(-4.0) / sum, 1e-12);
  gaussian_weights(0, w);
  for (double x : w) EXPECT_NEAR(x, 0.2, 1e-12);
}

TEST(Root, StandsUnderTheHipAndFacesForward) {
  Motion motion = body(30, 2);
  place(motion, 1, {3, 1, 4}, turned(kPi / 2));
  RootOptions options{.half_window_s = 0};
  for (auto facing : {RootOptions::Facing::kBiped, RootOptions::Facing::kQuadruped}) {
    options.facing = facing;
    const RootTrajectory root = extract_root(motion, kJoints, options).value();
    EXPECT_EQ(root.roots[0].position, (Vec3{0, 0, 0}));
    EXPECT_NEAR(root.roots[0].facing_rad, 0, 1e-6F);
    EXPECT_EQ(root.roots[1].position, (Vec3{3, 0, 4}));
    EXPECT_NEAR(root.roots[1].facing_rad, kPi / 2, 1e-6F);
    EXPECT_NEAR(root.velocities[1].x, 90, 1e-3F);
    EXPECT_EQ(root.velocities[0], root.velocities[1]);
    EXPECT_NEAR(root.turn_speeds_rad_s[1], 15 * kPi, 1e-4F);
    // Frame 0 faces +Z, so the delta is in model axes.
    EXPECT_NEAR(root.deltas[1].translation.x, 3, 1e-6F);
    EXPECT_NEAR(root.deltas[1].translation.z, 4, 1e-6F);
  }
  options.position = RootOptions::Position::kCentre;
  EXPECT_EQ(extract_root(motion, kJoints, options).value().roots[1].position, (Vec3{3, 1, 4}));
}

TEST(Root, FacingIsTheMeanOfHipsAndShoulders) {
  Motion motion = body(30, 1);
  // Shoulders turned by 60 degrees: the unit directions' mean lies at 30, though shoulders are twice as wide.
  motion.translations[3] = rotate(turned(kPi / 3), Vec3{0.2F, 0.5F, 0});
  motion.translations[4] = rotate(turned(kPi / 3), Vec3{-0.2F, 0.5F, 0});
  EXPECT_NEAR(extract_root(motion, kJoints, {.half_window_s = 0})->roots[0].facing_rad, kPi / 6, 1e-6F);
}

TEST(Root, TurnsAreContinuousAndDeltasComposeBack) {
  const int frames = 200;
  Motion motion = body(30, frames);
  for (int f = 0; f < frames; ++f) {
    const float angle = 0.1F * static_cast<float>(f);  // Three whole turns.
    place(motion, f, {2 * std::sin(angle), 1, 2 * std::cos(angle)}, turned(angle + 0.5F));
  }
  const RootTrajectory root = extract_root(motion, kJoints, {.half_window_s = 0}).value();
  PlanarRoot walked = root.roots[0];
  for (std::size_t f = 1; f < frames; ++f) {
    EXPECT_NEAR(root.roots[f].facing_rad - root.roots[f - 1].facing_rad, 0.1F, 1e-4F);
    walked = moved_by(walked, root.deltas[f]);
  }
  EXPECT_NEAR(walked.facing_rad, 0.5F + 19.9F, 1e-3F);
  EXPECT_LT(distance(walked.position, root.roots.back().position), 1e-4F);
}

TEST(Root, SmoothedPositionByHand) {
  // Three samples one frame apart: p = 1, weights exp(-2 * 4) : 1 : exp(-2 * 4).
  Motion motion = body(10, 3);
  place(motion, 1, {0.6F, 1, 0}, {});
  const RootTrajectory root = extract_root(motion, kJoints, {.half_window_s = 0.1, .num_samples = 3}).value();
  const double w = std::exp(-8.0);
  EXPECT_NEAR(root.roots[1].position.x, 0.6 / (1 + 2 * w), 1e-6);
  EXPECT_NEAR(root.roots[0].position.x, 0.6 * w / (1 + 2 * w), 1e-6);
}

TEST(Root, FastTurnsSharpenTheFacingKernel) {
  // Facings 0, 0.3, 0.2 a tenth of a second apart. Turning speeds 3 and -1 rad/s sum to 2: weights exp(-4 * 2) beside.
  Motion motion = body(10, 3);
  place(motion, 1, {0, 1, 0}, turned(0.3F));
  place(motion, 2, {0, 1, 0}, turned(0.2F));
  const RootOptions options{.half_window_s = 0.1, .num_samples = 3};
  const double w = std::exp(-8.0);
  const double sine = w * std::sin(0.0) + std::sin(0.3) + w * std::sin(0.2);
  const double cosine = w * std::cos(0.0) + std::cos(0.3) + w * std::cos(0.2);
  EXPECT_NEAR(extract_root(motion, kJoints, options)->roots[1].facing_rad, std::atan2(sine, cosine), 1e-6);
  // There and back sums to nothing: the plain mean of three.
  place(motion, 2, {0, 1, 0}, turned(0));
  EXPECT_NEAR(extract_root(motion, kJoints, options)->roots[1].facing_rad, std::atan2(std::sin(0.3), 2 + std::cos(0.3)),
              1e-6);
}

TEST(Root, ReflectedEndsKeepASteadyTurningWalk) {
  Motion motion = body(60, 90);
  for (int f = 0; f < 90; ++f) {
    const auto t = static_cast<float>(f);
    place(motion, f, {0.02F * t, 1, 0}, turned(0.01F * t));
  }
  RootOptions options{.ends = RootOptions::Ends::kReflect};
  const RootTrajectory steady = extract_root(motion, kJoints, options).value();
  for (std::size_t f = 0; f < 90; ++f) {
    EXPECT_NEAR(steady.roots[f].position.x, 0.02 * static_cast<double>(f), 1e-5);
    EXPECT_NEAR(steady.roots[f].facing_rad, 0.01 * static_cast<double>(f), 1e-5);
  }
  options.ends = RootOptions::Ends::kHold;
  EXPECT_GT(extract_root(motion, kJoints, options)->roots[0].position.x, 0.01F);
}

TEST(Root, FramesWithoutFacingKeepTheOneBefore) {
  Motion motion = body(30, 5);
  const Quat on_the_side = from_axis_angle(Vec3{0, 0, 1}, kPi / 2);  // Hips and shoulders one above the other.
  place(motion, 0, {0, 1, 0}, on_the_side);
  place(motion, 1, {0, 1, 0}, turned(0.7F));
  place(motion, 2, {0, 1, 0}, on_the_side);
  place(motion, 3, {0, 1, 0}, on_the_side);
  place(motion, 4, {0, 1, 0}, turned(0.9F));
  const RootTrajectory root = extract_root(motion, kJoints, {.half_window_s = 0}).value();
  EXPECT_EQ(root.frames_without_facing, 3);
  const float expected[] = {0.7F, 0.7F, 0.7F, 0.7F, 0.9F};
  for (std::size_t f = 0; f < 5; ++f) EXPECT_NEAR(root.roots[f].facing_rad, expected[f], 1e-5F);
}

TEST(Root, OneFrameAndWrongRequests) {
  const RootTrajectory one = extract_root(body(30, 1), kJoints).value();
  EXPECT_EQ(one.velocities[0], (Vec3{0, 0, 0}));
  EXPECT_FALSE(extract_root(body(30, 0), kJoints));
  EXPECT_FALSE(extract_root(body(30, 3), {.hip = 0}));
  EXPECT_FALSE(extract_root(body(30, 3), {.hip = 99, .left_hip = 1, .right_hip = 2}));
  EXPECT_FALSE(extract_root(body(30, 3), kJoints, {.num_samples = 4}));
  EXPECT_TRUE(extract_root(body(30, 3), {.hip = 0, .left_hip = 1, .right_hip = 2}));
}

}  // namespace
}  // namespace zoe
