// SPDX-License-Identifier: MIT
// Foot skate and penetration of feet that move by formulas.
#include <numbers>

#include <gtest/gtest.h>

#include "eval/motions.h"

namespace zoe::eval {
namespace {

using test::foot_motion;
using test::one_leg;

constexpr double kRates_hz[] = {24, 30, 60, 120};

TEST(Feet, ASlidingFootIsMeasuredAtItsSpeedAtAnyFrameRate) {
  const control::BodyLeg leg = one_leg();
  for (const double fps : kRates_hz) {
    for (const float speed_mps : {0.0F, 0.1F, 0.75F, 2.0F}) {
      const int frames = static_cast<int>(fps);
      const std::vector<PlanarRoot> roots(static_cast<std::size_t>(frames));
      const Motion motion = foot_motion(frames, fps, [&](double t) {
        return Vec3{0.6F, 0, 0.8F} * (speed_mps * static_cast<float>(t)) + Vec3{0, 0.1F, 0};
      });
      const MotionMetrics metrics = measure_motion(motion, roots, {&leg, 1});
      EXPECT_NEAR(metrics.foot_skate_cm_s, 100 * speed_mps, 0.02) << fps;
      EXPECT_NEAR(metrics.foot_skate_mann_cm_s, 100 * speed_mps, 0.02) << fps;
      EXPECT_NEAR(metrics.penetration_cm, 0, 1e-4) << fps;
    }
  }
}

TEST(Feet, VerticalMotionIsNoSkate) {
  const control::BodyLeg leg = one_leg();
  const std::vector<PlanarRoot> roots(60);
  const Motion motion = foot_motion(60, 60, [](double t) {
    return Vec3{0, 0.1F - 0.009F * static_cast<float>(std::abs(std::sin(20 * t))), 0};
  });
  EXPECT_NEAR(measure_motion(motion, roots, {&leg, 1}).foot_skate_cm_s, 0, 1e-6);
}

TEST(Feet, ContactEndsOneCentimetreAboveStanding) {
  const control::BodyLeg leg = one_leg(0.25F);
  const std::vector<PlanarRoot> roots(60);
  const auto at_height = [&](float above_m) {
    const Motion motion = foot_motion(60, 60, [&](double t) {
      return Vec3{0.5F * static_cast<float>(t), 0.25F + above_m, 0};
    });
    return measure_motion(motion, roots, {&leg, 1});
  };
  EXPECT_NEAR(at_height(0.0095F).foot_skate_cm_s, 50, 0.05);
  EXPECT_EQ(at_height(0.0105F).foot_skate_cm_s, 0);
  // MANN's weight falls to zero at 2.5 cm, by its formula.
  for (const float above_m : {0.0F, 0.005F, 0.01F, 0.02F, 0.0249F}) {
    const double weight = 2 - std::pow(2.0, static_cast<double>(above_m) / 0.025);
    EXPECT_NEAR(at_height(above_m).foot_skate_mann_cm_s, 50 * weight, 0.05) << above_m;
  }
  EXPECT_EQ(at_height(0.026F).foot_skate_mann_cm_s, 0);
  EXPECT_EQ(at_height(0.5F).foot_skate_mann_cm_s, 0);
}

// The higher of both ends of a frame decides: the frame in which a foot lifts off is not judged.
TEST(Feet, ALiftingFootIsNoLongerInContact) {
  const control::BodyLeg leg = one_leg();
  const std::vector<PlanarRoot> roots(20);
  const Motion motion = foot_motion(20, 20, [](double t) {
    const auto time_s = static_cast<float>(t);
    return time_s < 0.475F ? Vec3{0, 0.1F, 0} : Vec3{4 * (time_s - 0.45F), 0.2F, 0};
  });
  EXPECT_NEAR(measure_motion(motion, roots, {&leg, 1}).foot_skate_cm_s, 0, 1e-6);
}

TEST(Feet, PenetrationIsTheMeanDepth) {
  const control::BodyLeg leg = one_leg();
  const std::vector<PlanarRoot> roots(101);
  // Half of the frames stand right, half are 4 cm too deep; frame 0 is not judged.
  const Motion motion = foot_motion(101, 60, [](double t) { return Vec3{0, t * 60 > 50.5 ? 0.06F : 0.1F, 0}; });
  EXPECT_NEAR(measure_motion(motion, roots, {&leg, 1}).penetration_cm, 2, 1e-4);
  // Heights above the ground are no negative depth.
  const Motion high = foot_motion(101, 60, [](double t) { return Vec3{0, t * 60 > 50.5 ? 0.06F : 0.9F, 0}; });
  EXPECT_NEAR(measure_motion(high, roots, {&leg, 1}).penetration_cm, 2, 1e-4);
}

TEST(Feet, TheBallCountsBesideTheAnkle) {
  control::BodyLeg leg = one_leg();
  leg.leg.ankle = 0;  // The hips, which rest at one metre.
  leg.leg.ankle_height_m = 1;
  const std::vector<PlanarRoot> roots(60);
  const Motion motion = foot_motion(60, 60, [](double t) { return Vec3{0.4F * static_cast<float>(t), 0.05F, 0}; });
  EXPECT_NEAR(measure_motion(motion, roots, {&leg, 1}).foot_skate_cm_s, 0, 1e-4);
  leg.leg.ball = 1;
  leg.leg.ball_height_m = 0.05F;
  EXPECT_NEAR(measure_motion(motion, roots, {&leg, 1}).foot_skate_cm_s, 20, 0.02);
}

TEST(Feet, WithoutLegsThereIsNothingToMeasure) {
  const std::vector<PlanarRoot> roots(30);
  const Motion motion = foot_motion(30, 30, [](double t) { return Vec3{static_cast<float>(t), -1, 0}; });
  const MotionMetrics metrics = measure_motion(motion, roots, {});
  EXPECT_EQ(metrics.foot_skate_cm_s, 0);
  EXPECT_EQ(metrics.foot_skate_mann_cm_s, 0);
  EXPECT_EQ(metrics.penetration_cm, 0);
  EXPECT_EQ(metrics.skate_by_speed.mean_cm_s(), 0);
}

// The bin of a contact is the root's speed over the ground, not the foot's.
TEST(Feet, SkateIsFiledByTheSpeedOfTheRoot) {
  const control::BodyLeg leg = one_leg();
  for (const float root_mps : {0.05F, 0.55F, 1.75F, 3.85F, 9.0F}) {
    std::vector<PlanarRoot> roots(61);
    for (std::size_t f = 0; f < roots.size(); ++f) roots[f].position.z = root_mps * static_cast<float>(f) / 60;
    const Motion motion = foot_motion(61, 60, [](double t) { return Vec3{0.2F * static_cast<float>(t), 0.1F, 0}; });
    const SkateBySpeed skate = measure_motion(motion, roots, {&leg, 1}).skate_by_speed;
    const auto bin = std::min<std::size_t>(39, static_cast<std::size_t>(root_mps / 0.1F));
    for (std::size_t b = 0; b < SkateBySpeed::kBins; ++b) EXPECT_EQ(skate.count[b], b == bin ? 60 : 0) << root_mps;
    EXPECT_NEAR(skate.sum_mps[bin], 60 * 0.2, 0.01);
    EXPECT_NEAR(skate.mean_cm_s(), 20, 0.01);
  }
}

TEST(Feet, BinsOfSeveralMotionsAdd) {
  SkateBySpeed a, b;
  a.sum_mps[3] = 2, a.count[3] = 10;
  b.sum_mps[3] = 4, b.count[3] = 20, b.count[39] = 30;
  a.add(b);
  EXPECT_DOUBLE_EQ(a.sum_mps[3], 6);
  EXPECT_EQ(a.count[3], 30);
  EXPECT_EQ(a.count[39], 30);
  EXPECT_DOUBLE_EQ(a.mean_cm_s(), 10);
  EXPECT_DOUBLE_EQ(b.mean_cm_s(), 8);
}

TEST(Feet, WhereTheCourseLiesDoesNotMatter) {
  const control::BodyLeg leg = one_leg();
  std::vector<PlanarRoot> roots(90);
  Motion motion = foot_motion(90, 30, [](double t) {
    const auto time_s = static_cast<float>(t);
    return Vec3{0.3F * std::sin(5 * time_s), 0.1F + 0.03F * std::sin(4 * time_s), 0.2F * time_s};
  });
  for (std::size_t f = 0; f < roots.size(); ++f) roots[f].position.z = 0.01F * static_cast<float>(f);
  const MotionMetrics here = measure_motion(motion, roots, {&leg, 1});
  test::move_motion(motion, roots, 2.1F, {3, 0, -4});
  const MotionMetrics there = measure_motion(motion, roots, {&leg, 1});
  EXPECT_GT(here.foot_skate_cm_s, 10);
  EXPECT_NEAR(there.foot_skate_cm_s, here.foot_skate_cm_s, 1e-2);
  EXPECT_NEAR(there.foot_skate_mann_cm_s, here.foot_skate_mann_cm_s, 1e-2);
  EXPECT_NEAR(there.penetration_cm, here.penetration_cm, 1e-4);
  EXPECT_NEAR(there.variety_cm, here.variety_cm, 1e-3);
}

}  // namespace
}  // namespace zoe::eval
