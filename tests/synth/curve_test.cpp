// SPDX-License-Identifier: MIT
// Lines over the ground, smooth steps and polynomials, against closed forms.
#include "synth/curve.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "synth/action.h"
#include "synth/bodies.h"
#include "synth/life.h"

namespace zoe::synth {
namespace {

TEST(Curve, AStraightLineByItsLength) {
  const Curve line({{0, 0, 0}, {0, 0, 0.5F}, {0, 0, 1}}, 2, 0.5F);
  for (const float arc : {-3.0F, 2.0F, 2.2F, 2.75F, 3.0F, 10.0F}) {  // Straight on beyond its ends.
    EXPECT_LT(distance(line.at(arc), Vec3{0, 0, arc - 2}), 1e-5F) << arc;
    EXPECT_LT(distance(line.tangent(arc), Vec3{0, 0, 1}), 1e-5F) << arc;
  }
}

TEST(Curve, ACircleOfHeadings) {
  constexpr float kStep = 0.01F, kRadius = 2;
  std::vector<float> headings;
  for (int i = 0; i < 1300; ++i) headings.push_back((static_cast<float>(i) + 0.5F) * kStep / kRadius);
  const Curve circle = curve_of_headings(headings, 0, kStep);
  for (float arc = 0; arc < 12; arc += 0.37F) {
    const float angle = arc / kRadius;
    const Vec3 expected{kRadius * (1 - std::cos(angle)), 0, kRadius * std::sin(angle)};
    EXPECT_LT(distance(circle.at(arc), expected), 2e-4F) << arc;
    if (arc > kStep) {
      EXPECT_LT(distance(circle.tangent(arc), Vec3{std::sin(angle), 0, std::cos(angle)}), 1e-3F) << arc;
    }
  }
}

TEST(Curve, ShiftsAsAWhole) {
  Curve line({{0, 0, 0}, {1, 0, 0}}, 0, 1);
  line.shift({5, 0, -2});
  EXPECT_LT(distance(line.at(0.25F), Vec3{5.25F, 0, -2}), 1e-6F);
  EXPECT_LT(distance(line.tangent(0.25F), Vec3{1, 0, 0}), 1e-6F);
}

TEST(Curve, FollowsATrack) {
  const Body body = test::body_of(BodyFamily::kMillipede, 1);
  TrackRequest request{.body = &body, .clip = {.gait = Gait::kWalk, .course = Course::kTurnLeft, .seconds = 3}};
  request.gait = gait_numbers(body.family, Gait::kWalk);
  const Track track = make_track(request, Random(3));
  const Curve curve = curve_of(track, 0.05F * body.leg_length_m);
  for (double t = 0; t < 3; t += 0.1) {
    const Track::Sample now = track.at(t);
    EXPECT_LT(distance(curve.at(now.arc_m), now.position), 0.02F * body.leg_length_m) << t;
  }
}

TEST(Curve, ATrackThatStandsGoesOnAsItFaces) {
  Track track;
  track.samples.resize(10);
  for (Track::Sample& sample : track.samples) sample.facing_rad = 0.5F;
  const Curve curve = curve_of(track, 0.1F);
  EXPECT_LT(distance(curve.tangent(5), Vec3{std::sin(0.5F), 0, std::cos(0.5F)}), 1e-4F);
}

TEST(SmoothStep, HasNoSlopeAndNoCurvatureAtItsEnds) {
  EXPECT_EQ(smooth_step(2, 4, 1), 0);
  EXPECT_EQ(smooth_step(2, 4, 5), 1);
  EXPECT_NEAR(smooth_step(2, 4, 3), 0.5F, 1e-6);
  for (int i = 0; i <= 40; ++i) {
    const double t = i / 40.0;
    EXPECT_NEAR(smooth_step(0, 1, static_cast<float>(t)), 6 * std::pow(t, 5) - 15 * std::pow(t, 4) + 10 * t * t * t,
                1e-6);
    EXPECT_NEAR(smooth_step(0, 1, static_cast<float>(t)) + smooth_step(0, 1, static_cast<float>(1 - t)), 1, 1e-6);
  }
  const double h = 0.01;
  EXPECT_LT(smooth_step(0, 1, static_cast<float>(h)) / h, 1e-3);        // Slope,
  EXPECT_LT(smooth_step(0, 1, static_cast<float>(h)) / (h * h), 0.11);  // and half of the curvature.
}

// Place, speed and acceleration at both ends are those that were asked for, for any span.
TEST(Quintic, MeetsBothEnds) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const auto draw = [&] { return Motion1{random.uniform(-2, 2), random.uniform(-3, 3), random.uniform(-9, 9)}; };
    const Motion1 from = draw(), to = draw();
    const float span = random.uniform(0.3F, 2);
    const auto at = [&](double u) { return static_cast<double>(quintic(from, to, span, static_cast<float>(u))); };
    EXPECT_NEAR(at(0), from.place, 1e-5);
    EXPECT_NEAR(at(1), to.place, 1e-4);
    const double h = 0.02, s = static_cast<double>(span);
    // One-sided differences of fifth order would be exact; these are off by h².
    const double slope0 = (-3 * at(0) + 4 * at(h) - at(2 * h)) / (2 * h * s),
                 slope1 = (3 * at(1) - 4 * at(1 - h) + at(1 - 2 * h)) / (2 * h * s);
    EXPECT_NEAR(slope0, from.speed, 0.3);
    EXPECT_NEAR(slope1, to.speed, 0.3);
  }
}

TEST(Quintic, OfAFallIsAParabola) {
  // Free fall fits all six conditions, so that the polynomial is the fall itself.
  const float g = -9.81F, span = 0.8F;
  const Motion1 from{1, 2, g}, to{1 + 2 * span + 0.5F * g * span * span, 2 + g * span, g};
  for (int i = 0; i <= 10; ++i) {
    const float t = span * static_cast<float>(i) / 10;
    EXPECT_NEAR(quintic(from, to, span, t / span), 1 + 2 * t + 0.5F * g * t * t, 1e-4);
  }
}

TEST(Wander, StaysWithinAboutOneAndMovesSlowly) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Wander wander(Random(seed), 0.3F), same(Random(seed), 0.3F);
    double sum = 0, most = 0;
    float before = wander.at(0);
    for (int i = 1; i <= 6000; ++i) {
      const float now = wander.at(i * 0.02);
      ASSERT_LE(std::abs(now), 1.1F);
      // At most 2 pi f times the amplitude.
      ASSERT_LT(std::abs(now - before) / 0.02F, 2 * std::numbers::pi_v<float> * 0.3F * 1.8F);
      ASSERT_EQ(now, same.at(i * 0.02));
      sum += now;
      most = std::max(most, std::abs(static_cast<double>(now)));
      before = now;
    }
    EXPECT_NEAR(sum / 6000, 0, 0.08) << seed;
    EXPECT_GT(most, 0.6) << seed;
  }
  EXPECT_EQ(Wander().at(3), 0);
}

}  // namespace
}  // namespace zoe::synth
