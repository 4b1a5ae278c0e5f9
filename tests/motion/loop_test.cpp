// SPDX-License-Identifier: MIT
#include "zoe/motion/loop.h"

#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace zoe {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr RootJoints kRootJoints{.hip = 0, .left_hip = 1, .right_hip = 2};

// A hip that walks on a circle (or stands), with legs that swing once a second; `drift` bends the left one further.
Motion walker(double fps, int frames, double walk_rad_s, double drift_rad_s) {
  const auto at = [](Vec3 t) { return Transform{t, {}, {1, 1, 1}}; };
  Motion motion = make_motion(Skeleton::create({{"hip", kNoJoint, at({0, 1, 0}), JointKind::kBone},
                                                {"left", 0, at({0.1F, 0, 0}), JointKind::kBone},
                                                {"right", 0, at({-0.1F, 0, 0}), JointKind::kBone},
                                                {"left_foot", 1, at({0, -1, 0}), JointKind::kBone},
                                                {"right_foot", 2, at({0, -1, 0}), JointKind::kBone}})
                                  .value(),
                              "walker", fps, frames, false);
  for (int f = 0; f < frames; ++f) {
    const double t = f / fps, around = walk_rad_s * t, swing = 0.5 * std::sin(kTurn * t);
    const auto i = static_cast<std::size_t>(f) * 5;
    const double height = 1 + 0.03 * std::cos(2 * kTurn * t);
    motion.translations[i] = to_float(Vec3d{2 - 2 * std::cos(around), height, 2 * std::sin(around)});
    motion.rotations[i] = to_float(from_axis_angle(Vec3d{0, 1, 0}, around));
    motion.rotations[i + 1] = to_float(from_axis_angle(Vec3d{1, 0, 0}, swing + drift_rad_s * t));
    motion.rotations[i + 2] = to_float(from_axis_angle(Vec3d{1, 0, 0}, -swing));
  }
  return motion;
}

TEST(Loop, FindsThePeriod) {
  const Motion motion = walker(30, 100, 0, 0);
  const auto loops = find_loops(motion, {.min_duration_s = 0.6, .max_duration_s = 1.5}).value();
  ASSERT_FALSE(loops.empty());
  EXPECT_EQ(loops[0].end - loops[0].begin, 30);
  EXPECT_LT(loops[0].distance_m, 1e-4F);
  for (std::size_t a = 0; a < loops.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_TRUE(std::abs(loops[a].begin - loops[b].begin) >= 3 || std::abs(loops[a].end - loops[b].end) >= 3);
      EXPECT_GE(loops[a].distance_m, loops[b].distance_m);
    }
  }
}

TEST(Loop, FindsTheGaitOfATravellingWalkRelativeToItsRoot) {
  const Motion motion = walker(30, 100, 0.4, 0);
  const RootTrajectory root = extract_root(motion, kRootJoints, {.half_window_s = 0}).value();
  const LoopOptions in_model{.min_duration_s = 0.6, .max_duration_s = 1.5};
  LoopOptions in_root = in_model;
  in_root.root = &root;
  EXPECT_GT(find_loops(motion, in_model).value().front().distance_m, 0.1F);
  const Loop best = find_loops(motion, in_root).value().front();
  EXPECT_EQ(best.end - best.begin, 30);
  EXPECT_LT(best.distance_m, 0.01F);  // One-sided velocities at the clip's ends.
}

TEST(Loop, ALongClipIsSearchedByAGridThenFinely) {
  const auto loops = find_loops(walker(120, 2500, 0, 0), {.min_duration_s = 0.6, .max_duration_s = 1.4}).value();
  ASSERT_EQ(loops.size(), 8U);
  for (const Loop& loop : loops) EXPECT_EQ(loop.end - loop.begin, 120);
}

TEST(Loop, DistanceByHand) {
  // A foot one metre from a hip that stands still, 0.3 m away at the end: |Δp|² = 0.09 on one of two joints, no speed.
  Motion motion = walker(10, 6, 0, 0);
  for (std::size_t f = 0; f < 6; ++f) {
    for (std::size_t j = 0; j < 5; ++j) motion.rotations[f * 5 + j] = {};
    motion.translations[f * 5] = {0, 1, 0};
    motion.translations[f * 5 + 3] = {f >= 3 ? 0.3F : 0.0F, -1, 0};
  }
  const std::array joints{0, 3};
  const auto loops = find_loops(motion, {.joints = joints, .min_duration_s = 0.5, .velocity_weight_s = 0}).value();
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_NEAR(loops[0].distance_m, std::sqrt(0.09F / 2), 1e-6F);
}

TEST(Loop, ClosingJoinsPoseAndVelocity) {
  const Motion motion = walker(60, 100, 0, 0.3);  // The left leg ends a second 0.3 rad further.
  const Motion closed = close_loop(motion, {10, 70, 0}).value();
  ASSERT_EQ(closed.num_frames, 61);
  EXPECT_TRUE(validate(closed));
  const auto angle = [&](std::size_t frame) { return to_rotation_vector(closed.rotations[frame * 5 + 1]).x; };
  EXPECT_NEAR(angle(60), angle(0), 1e-6F);
  // Without closing, the step over the seam would be 0.3 rad.
  EXPECT_NEAR(angle(1) - angle(0), angle(60) - angle(59), 0.006F);
  // The middle is as it was, and untouched joints stay.
  EXPECT_NEAR(angle(30), to_rotation_vector(motion.rotations[40 * 5 + 1]).x, 5e-3F);
  for (std::size_t f = 0; f < 61; ++f) {
    EXPECT_LT(angle_between(closed.rotations[f * 5 + 2], motion.rotations[(f + 10) * 5 + 2]), 2e-3F);
  }
}

TEST(Loop, ClosingKeepsTheRootsWay) {
  const Motion motion = walker(60, 100, 0.4, 0.3);
  const RootTrajectory root = extract_root(motion, kRootJoints, {.half_window_s = 0}).value();
  const Motion closed = close_loop(motion, {20, 80, 0}, &root).value();
  const RootTrajectory after = extract_root(closed, kRootJoints, {.half_window_s = 0}).value();
  EXPECT_LT(distance(after.roots.back().position, root.roots[80].position), 1e-4F);
  EXPECT_NEAR(after.roots.back().facing_rad, root.roots[80].facing_rad, 1e-4F);
  EXPECT_LT(angle_between(closed.rotations[1], closed.rotations[60 * 5 + 1]), 1e-3F);
}

TEST(Loop, WrongRequests) {
  const Motion motion = walker(30, 20, 0, 0);
  EXPECT_FALSE(close_loop(motion, {5, 5, 0}));
  EXPECT_FALSE(close_loop(motion, {-1, 5, 0}));
  EXPECT_FALSE(close_loop(motion, {0, 20, 0}));
  const RootTrajectory other;
  EXPECT_FALSE(close_loop(motion, {0, 10, 0}, &other));
  EXPECT_FALSE(find_loops(motion, {.root = &other}));
  EXPECT_FALSE(find_loops(motion, {.min_duration_s = 2, .max_duration_s = 1}));
  EXPECT_TRUE(find_loops(motion, {.min_duration_s = 5, .max_duration_s = 6})->empty());
  EXPECT_TRUE(find_loops(walker(30, 1, 0, 0))->empty());
}

}  // namespace
}  // namespace zoe
