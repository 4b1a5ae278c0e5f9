// SPDX-License-Identifier: MIT
// Where bodies go: speeds from Froude numbers, courses that go where they say, and stances that fit the stride.
#include "synth/track.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "synth/action.h"
#include "synth/bodies.h"
#include "synth/footfall.h"

namespace zoe::synth {
namespace {

using test::body_of;

TrackRequest request_for(const Body& body, Gait gait, Course course = Course::kStraight,
                         Style style = Style::kNeutral) {
  TrackRequest request{.body = &body, .clip = {.gait = gait, .style = style, .course = course, .seconds = 4}};
  request.gait = gait_numbers(body.family, gait);
  request.style = style_numbers(style);
  return request;
}

TEST(Track, IsLinearBetweenSamplesAndHoldsItsEnds) {
  Track track;
  track.start_s = -1;
  track.rate_hz = 2;
  track.samples.resize(5);
  for (std::size_t i = 0; i < 5; ++i) {
    track.samples[i].position = {static_cast<float>(i * i), 0, 1};
    track.samples[i].phase = static_cast<float>(i);
  }
  EXPECT_NEAR(track.end_s(), 1, 1e-12);
  EXPECT_NEAR(track.at(-0.75).position.x, 0.5F, 1e-6);
  EXPECT_NEAR(track.at(0.25).position.x, 6.5F, 1e-6);
  EXPECT_NEAR(track.at(0.25).phase, 2.5F, 1e-6);
  EXPECT_NEAR(track.at(-9).position.x, 0, 1e-6);
  EXPECT_NEAR(track.at(9).position.x, 16, 1e-6);
}

TEST(Track, BeginsAtTheOriginFacingForward) {
  test::each_body(3, [](const Body& body, const std::string& what) {
    for (const Gait gait : gaits_of(body.family)) {
      for (const Course course : courses_of(body.family, gait)) {
        const Track track = make_track(request_for(body, gait, course), Random(5));
        const Track::Sample now = track.at(0);
        EXPECT_LT(length(now.position), 1e-4F) << what;
        EXPECT_NEAR(now.facing_rad, 0, 1e-4) << what;
        EXPECT_NEAR(now.arc_m, 0, 1e-4) << what;
        // Reaches beyond both ends of the clip.
        EXPECT_LT(track.start_s, -2.9) << what;
        EXPECT_GT(track.end_s(), 6.9) << what;
      }
    }
  });
}

TEST(Track, SpeedIsThatOfTheFroudeNumber) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped, BodyFamily::kHexapod}) {
    const Body body = body_of(family, 2);
    for (const Gait gait : {Gait::kWalk, Gait::kRun}) {
      if (family == BodyFamily::kQuadruped && gait == Gait::kRun) continue;
      for (const Style style : {Style::kNeutral, Style::kTired, Style::kHappy}) {
        const Track track = make_track(request_for(body, gait, Course::kStraight, style), Random(3));
        const float expected =
            std::sqrt(gait_numbers(family, gait).froude * 9.81F * body.leg_length_m) * style_numbers(style).speed;
        EXPECT_GT(track.nominal_speed_m_s, 0.899F * expected) << to_string(gait);
        EXPECT_LT(track.nominal_speed_m_s, 1.101F * expected) << to_string(gait);
        // The body goes that far: distance over the ground is speed times time.
        EXPECT_NEAR(track.at(4).position.z, 4 * track.nominal_speed_m_s, 0.02F * expected * 4) << to_string(gait);
        EXPECT_NEAR(track.at(4).arc_m, track.at(4).position.z, 1e-2) << to_string(gait);
      }
    }
  }
}

TEST(Track, StridesPassAtTheStrideRate) {
  const Body body = body_of(BodyFamily::kBiped, 4);
  const Track track = make_track(request_for(body, Gait::kWalk), Random(8));
  EXPECT_NEAR((track.at(3).phase - track.at(0).phase) / 3, track.stride_hz, 0.01 * track.stride_hz);
  // No stance is longer than the travel of the body over a foot.
  const GaitNumbers n = gait_numbers(body.family, Gait::kWalk);
  EXPECT_LE(track.nominal_speed_m_s * n.duty / track.stride_hz, n.travel * body.leg_length_m * 1.001F);
}

TEST(Track, CoursesGoWhereTheySay) {
  const Body body = body_of(BodyFamily::kBiped, 1);
  const auto end = [&](Course course) { return make_track(request_for(body, Gait::kWalk, course), Random(2)).at(4); };
  EXPECT_NEAR(end(Course::kStraight).position.x, 0, 1e-3);
  EXPECT_GT(end(Course::kTurnLeft).position.x, 0.2F);
  EXPECT_GT(end(Course::kTurnLeft).facing_rad, 0.5F);
  EXPECT_LT(end(Course::kTurnRight).position.x, -0.2F);
  EXPECT_LT(end(Course::kTurnRight).facing_rad, -0.5F);
  EXPECT_LT(end(Course::kBackward).position.z, -0.5F);
  EXPECT_NEAR(end(Course::kBackward).facing_rad, 0, 1e-4);
  EXPECT_GT(std::abs(end(Course::kSidestep).position.x), 0.5F);
  EXPECT_NEAR(end(Course::kSidestep).position.z, 0, 1e-2);
  EXPECT_LT(length(end(Course::kSpin).position), 1e-3F);
  EXPECT_GT(std::abs(end(Course::kSpin).facing_rad), 0.5F);
}

TEST(Track, StopAndGoStopsInTheMiddle) {
  const Body body = body_of(BodyFamily::kQuadruped, 1);
  const Track track = make_track(request_for(body, Gait::kWalk, Course::kStopAndGo), Random(2));
  EXPECT_NEAR(track.at(0.2).speed_m_s, track.nominal_speed_m_s, 1e-3);
  EXPECT_NEAR(track.at(2.4).speed_m_s, 0, 1e-3);
  EXPECT_NEAR(track.at(4).speed_m_s, track.nominal_speed_m_s, 1e-3);
}

TEST(Track, TheStillStayWhereTheyAre) {
  test::each_body(2, [](const Body& body, const std::string& what) {
    for (const Gait gait : {Gait::kIdle, Gait::kAttack}) {
      const Track track = make_track(request_for(body, gait), Random(1));
      EXPECT_EQ(track.nominal_speed_m_s, 0) << what;
      for (const Track::Sample& sample : track.samples) EXPECT_LT(length(sample.position), 1e-5F) << what;
    }
  });
}

TEST(Footfalls, StandForTheDutyFactorAndComeAStrideApart) {
  for (const auto& [family, gait] : {std::pair{BodyFamily::kBiped, Gait::kWalk},
                                     {BodyFamily::kBiped, Gait::kRun},
                                     {BodyFamily::kQuadruped, Gait::kWalk},
                                     {BodyFamily::kQuadruped, Gait::kTrot},
                                     {BodyFamily::kQuadruped, Gait::kGallop},
                                     {BodyFamily::kHexapod, Gait::kTripod},
                                     {BodyFamily::kOctopod, Gait::kRipple}}) {
    const Body body = body_of(family, 3);
    const TrackRequest request = request_for(body, gait);
    const Track track = make_track(request, Random(6));
    const Footfalls falls = plan_footfalls(body, track, request, Terrain{}, Actions{});
    ASSERT_EQ(falls.stances.size(), body.legs.size());
    for (std::size_t leg = 0; leg < body.legs.size(); ++leg) {
      const std::vector<Stance>& stances = falls.stances[leg];
      ASSERT_GT(stances.size(), 2U) << to_string(gait);
      ASSERT_EQ(falls.clearance_m[leg].size(), stances.size() - 1);
      for (std::size_t k = 0; k + 1 < stances.size(); ++k) {
        EXPECT_NEAR((stances[k].up_s - stances[k].down_s) * track.stride_hz, request.gait.duty, 0.02)
            << to_string(gait);
        EXPECT_NEAR((stances[k + 1].down_s - stances[k].down_s) * track.stride_hz, 1, 0.02) << to_string(gait);
        EXPECT_LT(stances[k].up_s, stances[k + 1].down_s);
        // Each step is a stride of the body long.
        EXPECT_NEAR(stances[k + 1].place.z - stances[k].place.z, track.nominal_speed_m_s / track.stride_hz,
                    0.03 * track.nominal_speed_m_s / track.stride_hz);
        EXPECT_NEAR(stances[k].place.y, body.legs[leg].sole_m, 1e-5);  // Flat ground.
        EXPECT_GT(falls.clearance_m[leg][k], 0);
      }
    }
    // Touchdowns are as far apart as the table says.
    const auto phase_of = [&](std::size_t leg) {
      const double phase = track.at(falls.stances[leg][1].down_s).phase;
      return phase - std::floor(phase);
    };
    for (std::size_t leg = 0; leg < body.legs.size(); ++leg) {
      const double off = phase_of(leg) - touchdown_phase(body, gait, body.legs[leg]);
      EXPECT_NEAR(off, std::round(off), 0.02) << to_string(family) << " " << to_string(gait) << " leg " << leg;
    }
  }
}

TEST(Footfalls, StandingFeetStandAndSwingingOnesDoNotJump) {
  const Body body = body_of(BodyFamily::kQuadruped, 5);
  const TrackRequest request = request_for(body, Gait::kWalk);
  const Track track = make_track(request, Random(6));
  const Footfalls falls = plan_footfalls(body, track, request, Terrain{}, Actions{});
  for (std::size_t leg = 0; leg < body.legs.size(); ++leg) {
    FootPose before = foot_at(body, falls, leg, 0);
    for (double t = 0.002; t < 4; t += 0.002) {
      const FootPose now = foot_at(body, falls, leg, t);
      if (now.planted && before.planted) {
        EXPECT_EQ(now.ball, before.ball) << t;
      }
      EXPECT_LT(distance(now.ball, before.ball), 0.002F * 12 * track.nominal_speed_m_s + 1e-4F) << t;
      EXPECT_GE(now.ball.y, body.legs[leg].sole_m - 1e-5F) << t;
      EXPECT_GE(now.fold, 0);
      EXPECT_LE(now.fold, 1);
      EXPECT_TRUE(!now.planted || now.loaded);
      before = now;
    }
  }
}

TEST(Footfalls, NeutralFeetAreUnderTheBody) {
  test::each_body(4, [](const Body& body, const std::string& what) {
    const Stances stances = neutral_stances(body, style_numbers(Style::kNeutral));
    ASSERT_EQ(stances.neutral.size(), body.legs.size());
    const Vec3 centre = rest_centre(body);
    for (std::size_t i = 0; i < body.legs.size(); ++i) {
      const Vec3 foot = test::rest_position(body, body.legs[i].distal.back());
      EXPECT_NEAR(stances.neutral[i].x, foot.x, 1e-5) << what;
      EXPECT_NEAR(stances.neutral[i].z, foot.z - centre.z, 1e-5) << what;
      EXPECT_EQ(stances.neutral[i].y, 0) << what;
    }
    if (body.legs.empty() || body.legs[0].sprawling) return;
    const Stances wide = neutral_stances(body, style_numbers(Style::kHeavy));
    EXPECT_NEAR(wide.neutral[0].x, style_numbers(Style::kHeavy).step_width * stances.neutral[0].x, 1e-5) << what;
  });
}

}  // namespace
}  // namespace zoe::synth
