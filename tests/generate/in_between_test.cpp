// SPDX-License-Identifier: MIT
// Gaps filled by interpolation and by fitted motions: known frames stay, ends meet, and the published measures have
// values that are known in closed form.
#include "zoe/generate/in_between.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/generate/inbetween_scores.h"

#include "generate/walker_window.h"

namespace zoe::generate {
namespace {

double largest_difference(const Motion& a, const Motion& b, int first, int last) {
  double worst = 0;
  const auto joints = static_cast<std::size_t>(a.num_joints());
  for (auto i = static_cast<std::size_t>(first) * joints; i < static_cast<std::size_t>(last + 1) * joints; ++i) {
    worst = std::max(worst, double{distance(a.translations[i], b.translations[i])});
    worst = std::max(worst, double{angle_between(a.rotations[i], b.rotations[i])});
  }
  return worst;
}

TEST(InBetween, KnownFramesStayBitForBit) {
  const Motion motion = test::swinging(60);
  const Gap gap{20, 33};
  for (const Fill fill : {Fill::kLinear, Fill::kSpline}) {
    const Motion filled = interpolate(motion, gap, fill).value();
    for (std::size_t i = 0; i < motion.translations.size(); ++i) {
      const auto frame = static_cast<int>(i) / motion.num_joints();
      if (frame >= gap.first && frame <= gap.last) continue;
      ASSERT_EQ(filled.translations[i], motion.translations[i]);
      ASSERT_EQ(std::abs(dot(filled.rotations[i], motion.rotations[i])), dot(motion.rotations[i], motion.rotations[i]));
    }
    EXPECT_GT(largest_difference(filled, motion, gap.first, gap.last), 0.01);
    EXPECT_TRUE(validate(filled));
  }
}

// Cubic motion of the root is its own spline; a steady rotation as well.
TEST(InBetween, SplinesReproduceWhatTheyShould) {
  Motion motion = test::swinging(40);
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (int f = 0; f < 40; ++f) {
    for (std::size_t j = 0; j < joints; ++j) {
      motion.translations[static_cast<std::size_t>(f) * joints + j] = {0.1F * static_cast<float>(f), 0.5F, 0};
      motion.rotations[static_cast<std::size_t>(f) * joints + j] =
          from_axis_angle(Vec3{0, 1, 0}, 0.05F * static_cast<float>(f));
    }
  }
  const Gap gap{12, 12 + static_cast<int>(kTangentSeconds * 30) - 2};  // Tangents reach across the whole gap.
  EXPECT_LT(largest_difference(interpolate(motion, gap, Fill::kSpline).value(), motion, 0, 39), 1e-4);
  EXPECT_LT(largest_difference(interpolate(motion, gap, Fill::kLinear).value(), motion, 0, 39), 1e-4);
}

// A steady motion stays steady in gaps that are far longer than the reach of velocities.
TEST(InBetween, SteadyMotionsStaySteadyInLongGaps) {
  Motion motion = test::swinging(120);
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (int f = 0; f < 120; ++f) {
    for (std::size_t j = 0; j < joints; ++j) {
      motion.translations[static_cast<std::size_t>(f) * joints + j] = {0.1F * static_cast<float>(f), 0.5F, 0};
      motion.rotations[static_cast<std::size_t>(f) * joints + j] =
          from_axis_angle(Vec3{0, 1, 0}, 0.02F * static_cast<float>(f));
    }
  }
  EXPECT_LT(largest_difference(interpolate(motion, {20, 99}, Fill::kSpline).value(), motion, 0, 119), 1e-4);
}

// A clip goes on after one known frame, as in the published task: no velocity is known there, and none is invented.
TEST(InBetween, OneKnownFrameHasNoVelocity) {
  Motion motion = test::swinging(31);
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (int f = 0; f < 31; ++f)
    for (std::size_t j = 0; j < joints; ++j) {
      motion.translations[static_cast<std::size_t>(f) * joints + j] = {0.1F * static_cast<float>(f), 0.5F, 0};
      motion.rotations[static_cast<std::size_t>(f) * joints + j] = {};
    }
  EXPECT_LT(largest_difference(interpolate(motion, {10, 29}, Fill::kSpline).value(), motion, 0, 30), 1e-4);
}

// Networks fill long gaps, splines short ones.
TEST(InBetween, SharesOfANetworkGrowWithTheGap) {
  EXPECT_EQ(generated_share(0.2), 0);
  EXPECT_EQ(generated_share(kSplineSeconds), 0);
  EXPECT_GT(generated_share(1.5 * kSplineSeconds), 0.4);
  EXPECT_EQ(generated_share(2 * kSplineSeconds), 1);
  const Motion motion = test::swinging(40);
  Motion other = motion;
  for (Vec3& t : other.translations) t = t + Vec3{1, 0, 0};
  const Motion half = blend_gap(motion, other, {10, 19}, 0.5);
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  EXPECT_EQ(half.translations[9 * joints], motion.translations[9 * joints]);
  EXPECT_NEAR(half.translations[10 * joints].x, motion.translations[10 * joints].x + 0.5F, 1e-6);
  EXPECT_EQ(half.translations[20 * joints], motion.translations[20 * joints]);
}

// Velocities at the ends of a gap: the spline continues them, lines do not.
TEST(InBetween, SplinesMeetTheVelocities) {
  const Motion motion = test::swinging(80);
  const Gap gap{30, 50};
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  const auto jump = [&](const Motion& m, int frame) {
    double worst = 0;
    for (std::size_t j = 0; j < joints; ++j) {
      const auto at = [&](int f) { return m.rotations[static_cast<std::size_t>(f) * joints + j]; };
      const Quat before = conjugate(at(frame - 1)) * at(frame), after = conjugate(at(frame)) * at(frame + 1);
      worst = std::max(worst, double{angle_between(before, after)});
    }
    return worst;
  };
  const Motion lines = interpolate(motion, gap, Fill::kLinear).value(),
               spline = interpolate(motion, gap, Fill::kSpline).value();
  for (const int frame : {gap.first - 1, gap.last + 1}) {
    EXPECT_LT(jump(spline, frame), 0.5 * jump(lines, frame)) << frame;
    EXPECT_LT(jump(spline, frame), 0.06) << frame;
  }
}

TEST(InBetween, FittedMotionsMeetBothEnds) {
  const Motion motion = test::swinging(60);
  Motion made = test::swinging(60);  // The same, turned and displaced: the fit must undo both at the ends.
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  for (int f = 0; f < 60; ++f) {
    const std::size_t root = static_cast<std::size_t>(f) * joints;
    made.translations[root] = made.translations[root] + Vec3{0.3F, 0.05F, -0.2F};
    made.rotations[root] = from_axis_angle(Vec3{0, 1, 0}, 0.4F) * made.rotations[root];
  }
  const Gap gap{20, 40};
  const Motion fitted = fit_between(motion, gap, made).value();
  // A constant difference vanishes everywhere, up to the steady continuation of the generated frames.
  EXPECT_LT(largest_difference(fitted, motion, 0, 59), 0.15);
  EXPECT_EQ(largest_difference(fitted, motion, 0, 19), 0);
  // A generator that jumps at the ends of the gap, as networks do: the result does not.
  for (int f = 0; f < 60; ++f) {
    if (f >= gap.first && f <= gap.last) continue;
    made.translations[static_cast<std::size_t>(f) * joints] = motion.translations[static_cast<std::size_t>(f) * joints];
    made.rotations[static_cast<std::size_t>(f) * joints] = motion.rotations[static_cast<std::size_t>(f) * joints];
  }
  const Motion jumping = fit_between(motion, gap, made).value();
  for (const int f : {gap.first, gap.last + 1}) {
    const std::size_t here = static_cast<std::size_t>(f) * joints, before = here - joints;
    EXPECT_LT(distance(jumping.translations[here], jumping.translations[before]), 0.06F) << f;
    EXPECT_LT(angle_between(jumping.rotations[here], jumping.rotations[before]), 0.1F) << f;
  }
}

TEST(InBetween, SmoothResamplingHasNoCorners) {
  const Motion motion = test::swinging(30);
  const Motion same = resample_smoothly(motion, motion.fps, 30), fine = resample_smoothly(motion, 4 * motion.fps, 117);
  EXPECT_LT(largest_difference(same, motion, 0, 29), 1e-5);
  EXPECT_TRUE(validate(fine));
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  double worst = 0, usual = 0;  // Second differences of the root's path on and between the frames of the motion.
  for (int f = 8; f < 100; ++f) {
    const auto at = [&](int g) { return fine.translations[static_cast<std::size_t>(g) * joints]; };
    const double bend = length(at(f + 1) - at(f) * 2.0F + at(f - 1));
    (f % 4 == 0 ? worst : usual) = std::max(f % 4 == 0 ? worst : usual, bend);
  }
  EXPECT_LT(worst, 2 * usual);
}

TEST(InBetween, OpenGapsAndBadOnes) {
  const Motion motion = test::swinging(30);
  EXPECT_TRUE(interpolate(motion, {0, 9}, Fill::kSpline));
  const Motion open = interpolate(motion, {20, 29}, Fill::kLinear).value();
  const auto joints = static_cast<std::size_t>(motion.num_joints());
  EXPECT_LT(distance(open.translations[29 * joints], motion.translations[19 * joints]), 1e-6F);
  EXPECT_FALSE(interpolate(motion, {0, 29}, Fill::kSpline));
  EXPECT_FALSE(interpolate(motion, {5, 30}, Fill::kSpline));
  EXPECT_FALSE(interpolate(motion, {9, 5}, Fill::kSpline));
  EXPECT_FALSE(interpolate(motion, {-1, 5}, Fill::kSpline));
  EXPECT_FALSE(fit_between(motion, {3, 5}, test::swinging(31)));
}

// One joint that moves along x and turns about y, by formulas.
TEST(InbetweenScores, AreThePublishedFormulas) {
  Motion clip = make_motion(Skeleton::create({{"Root", kNoJoint, {}}}).value(), "line", 30, 65, false);
  for (int f = 0; f < 65; ++f)
    clip.translations[static_cast<std::size_t>(f)] = {0.1F * static_cast<float>(f), 0.1F * static_cast<float>(f % 2),
                                                      0.02F * static_cast<float>(f)};
  const auto exact = [](const Motion& window, const Gap&) -> Result<Motion> { return window; };
  const InbetweenRow zero = score_inbetween({&clip, 1}, 15, "exact", exact).value();
  EXPECT_EQ(zero.windows, 1);
  EXPECT_EQ(zero.l2p, 0);
  EXPECT_EQ(zero.l2q, 0);
  EXPECT_NEAR(zero.npss, 0, 1e-12);
  // Displaced by d along x: d over the deviation of x, which is that of 0, 0.1, … 6.4.
  const auto shifted = [](const Motion& window, const Gap&) -> Result<Motion> {
    Motion out = window;
    for (Vec3& p : out.translations) p.x += 0.25F;
    return out;
  };
  const double deviation = 0.1 * std::sqrt((65.0 * 65 - 1) / 12);
  EXPECT_NEAR(score_inbetween({&clip, 1}, 15, "shifted", shifted).value().l2p, 0.25 / deviation, 1e-5);
  // Turned by an angle a: |q - q'| = 2 sin(a / 4).
  const auto turned = [](const Motion& window, const Gap&) -> Result<Motion> {
    Motion out = window;
    for (Quat& q : out.rotations) q = from_axis_angle(Vec3{0, 1, 0}, 0.8F);
    return out;
  };
  const InbetweenRow turn = score_inbetween({&clip, 1}, 15, "turned", turned).value();
  EXPECT_NEAR(turn.l2q, 2 * std::sin(0.2), 1e-6);
  EXPECT_NEAR(turn.npss, 0, 1e-9);  // Both are constant: all power at frequency 0, in w, where the truth has its own.
  EXPECT_FALSE(score_inbetween({&clip, 1}, 60, "too long", exact));
  EXPECT_FALSE(score_inbetween({}, 15, "none", exact));
}

}  // namespace
}  // namespace zoe::generate
