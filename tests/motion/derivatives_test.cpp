// SPDX-License-Identifier: MIT
#include "zoe/motion/derivatives.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "motion/synthetic.h"

namespace zoe {
namespace {

// A root that spins with growing speed about a tilted axis and flies a parabola with a wobble; a child at one metre.
struct Truth {
  Vec3d axis = normalized(Vec3d{1, 2, -1});
  double angle(double t) const { return 5 * t + 4 * t * t; }  // Several turns: the quaternion wraps.
  Vec3d position(double t) const { return {2 * t, 1 + 3 * t - 4.9 * t * t, 0.1 * std::sin(6 * t)}; }
  Vec3d velocity(double t) const { return {2, 3 - 9.8 * t, 0.6 * std::cos(6 * t)}; }
  Vec3d acceleration(double t) const { return {0, -9.8, -3.6 * std::sin(6 * t)}; }
};

Motion spinning(const Truth& truth, double fps, int frames, double noise = 0) {
  const SkeletonPtr skeleton = Skeleton::create({{"root", kNoJoint, {}, JointKind::kBone},
                                                 {"tip", 0, {{1, 0, 0}, {}, {1, 1, 1}}, JointKind::kBone}})
                                   .value();
  Motion motion = make_motion(skeleton, "spin", fps, frames, false);
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, noise > 0 ? noise : 1);
  for (int frame = 0; frame < frames; ++frame) {
    const double t = frame / fps;
    Vec3d p = truth.position(t);
    if (noise > 0) p += Vec3d{normal(random), normal(random), normal(random)};
    motion.translations[2 * static_cast<std::size_t>(frame)] = to_float(p);
    motion.rotations[2 * static_cast<std::size_t>(frame)] =
        canonical(to_float(from_axis_angle(truth.axis, truth.angle(t))));  // Signs jump on purpose.
  }
  return motion;
}

TEST(Derivatives, MatchTheAnalyticOnesAtEveryFrame) {
  const Truth truth;
  const double fps = 240;
  const Motion motion = spinning(truth, fps, 241);
  const MotionDerivatives d = differentiate(motion).value();
  for (std::size_t frame = 0; frame < 241; ++frame) {
    const double t = static_cast<double>(frame) / fps;
    const double speed = 5 + 8 * t;
    const Vec3d arm = rotate(from_axis_angle(truth.axis, truth.angle(t)), Vec3d{1, 0, 0});
    const Vec3d w = truth.axis * speed, alpha = truth.axis * 8.0;
    EXPECT_LT(distance(to_double(d.linear_velocity[2 * frame]), truth.velocity(t)), 2e-3);
    EXPECT_LT(distance(to_double(d.angular_velocity[2 * frame]), w), 2e-3);
    // The tip: v + ω×r, and a + α×r + ω×(ω×r).
    EXPECT_LT(distance(to_double(d.linear_velocity[2 * frame + 1]), truth.velocity(t) + cross(w, arm)), 0.06);
    const bool inside = frame > 0 && frame < 240;
    EXPECT_LT(distance(to_double(d.linear_acceleration[2 * frame]), truth.acceleration(t)), inside ? 0.05 : 0.3);
    EXPECT_LT(distance(to_double(d.angular_acceleration[2 * frame]), alpha), 0.05);
    if (inside) {
      EXPECT_LT(distance(to_double(d.linear_acceleration[2 * frame + 1]),
                         truth.acceleration(t) + cross(alpha, arm) + cross(w, cross(w, arm))),
                1.0);
    }
  }
}

// Halving the step divides the error of a second-order scheme by four, at the ends too.
TEST(Derivatives, AreOfSecondOrder) {
  const Truth truth;
  const auto worst = [&](double fps) {
    const int frames = static_cast<int>(fps / 2) + 1;
    const MotionDerivatives d = differentiate(spinning(truth, fps, frames)).value();
    double error = 0;
    for (int frame = 0; frame < frames; ++frame) {
      error = std::max(error, distance(to_double(d.linear_velocity[2 * static_cast<std::size_t>(frame)]),
                                       truth.velocity(frame / fps)));
    }
    return error;
  };
  EXPECT_NEAR(worst(20) / worst(40), 4.0, 0.8);
}

TEST(Derivatives, ParentSpaceLeavesTheChildAtRest) {
  const MotionDerivatives d =
      differentiate(spinning({}, 120, 50), {.space = DerivativeOptions::Space::kParent}).value();
  for (std::size_t frame = 0; frame < 50; ++frame) EXPECT_EQ(d.linear_velocity[2 * frame + 1], (Vec3{0, 0, 0}));
}

TEST(Derivatives, SavitzkyGolayCalmsNoise) {
  const Truth truth;
  const Motion motion = spinning(truth, 120, 121, 1e-3);
  const auto rms = [&](const DerivativeOptions& options) {
    const MotionDerivatives d = differentiate(motion, options).value();
    double sum = 0;
    for (std::size_t frame = 0; frame < 121; ++frame) {
      const double e =
          distance(to_double(d.linear_velocity[2 * frame]), truth.velocity(static_cast<double>(frame) / 120));
      sum += e * e;
    }
    return std::sqrt(sum / 121);
  };
  EXPECT_LT(rms({.window = 9, .degree = 2}), 0.35 * rms({}));
}

TEST(Derivatives, ShortClipsAndWrongOptions) {
  const MotionDerivatives still = differentiate(spinning({}, 120, 1)).value();
  EXPECT_EQ(still.linear_velocity[0], (Vec3{0, 0, 0}));
  const MotionDerivatives two = differentiate(spinning({}, 120, 2)).value();
  EXPECT_NEAR(two.linear_velocity[0].x, 2.0F, 1e-3F);
  EXPECT_NEAR(two.linear_acceleration[0].x, 0.0F, 1e-3F);
  EXPECT_FALSE(differentiate(spinning({}, 120, 9), {.window = 4}));
  EXPECT_FALSE(differentiate(spinning({}, 120, 9), {.window = 3, .degree = 3}));
  EXPECT_FALSE(differentiate(spinning({}, 120, 9), {.window = 9, .degree = 7}));
}

}  // namespace
}  // namespace zoe
