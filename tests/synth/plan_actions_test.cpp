// SPDX-License-Identifier: MIT
// Moments of jumps and attacks: order, free fall, and what moves when.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "synth/action.h"
#include "synth/bodies.h"

namespace zoe::synth {
namespace {

using test::body_of;

Actions planned(const Body& body, Gait gait, std::uint64_t seed, double seconds = 8, Style style = Style::kNeutral) {
  return plan_actions(body, {.gait = gait, .style = style, .seconds = seconds}, style_numbers(style), Random(seed));
}

TEST(Attacks, WindUpHitAndComeBack) {
  const Attack attack{.start_s = 1, .hit_s = 2, .end_s = 3, .strike = Strike::kBite, .side = Side::kCenter};
  EXPECT_EQ(attack.at(0), 0);
  EXPECT_EQ(attack.at(1), 0);
  EXPECT_NEAR(attack.at(1.62), -1, 1e-3);
  EXPECT_NEAR(attack.at(2), 1, 1e-5);
  EXPECT_NEAR(attack.at(2.1), 1, 1e-5);
  EXPECT_NEAR(attack.at(3), 0, 1e-5);
  EXPECT_NEAR(attack.at(9), 0, 1e-5);
  float before = attack.at(0.9);
  for (double t = 0.9; t < 3.2; t += 0.01) {
    const float now = attack.at(t);
    EXPECT_GE(now, -1.0001F);
    EXPECT_LE(now, 1.0001F);
    EXPECT_LT(std::abs(now - before), 0.13F) << t;
    before = now;
  }
}

TEST(Attacks, FollowEachOtherWithinTheClip) {
  test::each_body(3, [](const Body& body, const std::string& what) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Actions actions = planned(body, Gait::kAttack, seed);
      EXPECT_TRUE(actions.any()) << what;
      EXPECT_TRUE(actions.jumps.empty()) << what;
      ASSERT_FALSE(actions.attacks.empty()) << what;
      for (std::size_t i = 0; i < actions.attacks.size(); ++i) {
        const Attack& attack = actions.attacks[i];
        EXPECT_LT(attack.start_s, attack.hit_s) << what;
        EXPECT_LT(attack.hit_s, attack.end_s) << what;
        if (i > 0) {
          EXPECT_GT(attack.start_s, actions.attacks[i - 1].end_s) << what;
          EXPECT_LE(attack.end_s, 8) << what;
          EXPECT_NE(attack.side, actions.attacks[i - 1].side) << what;  // Sides take turns.
        }
      }
    }
  });
}

TEST(Attacks, AreThoseOfTheFamily) {
  const auto strikes = [](BodyFamily family, bool sting) {
    bool only = true;
    for (int i = 0; i < 20; ++i) {
      const Body body = body_of(family, i);
      if (family == BodyFamily::kOctopod && body.sting != sting) continue;
      for (const Attack& attack : planned(body, Gait::kAttack, 3).attacks) {
        if (family == BodyFamily::kBiped)
          only = only && (attack.strike == Strike::kPunch || attack.strike == Strike::kOverhead);
        if (family == BodyFamily::kSnake) only = only && attack.strike == Strike::kBite;
        if (family == BodyFamily::kOctopod)
          only = only && attack.strike == (sting ? Strike::kSting : Strike::kForelegs);
      }
    }
    return only;
  };
  EXPECT_TRUE(strikes(BodyFamily::kBiped, false));
  EXPECT_TRUE(strikes(BodyFamily::kSnake, false));
  EXPECT_TRUE(strikes(BodyFamily::kOctopod, true));
  EXPECT_TRUE(strikes(BodyFamily::kOctopod, false));
}

TEST(Attacks, PunchesStretchTheArmOfTheirSide) {
  const Body body = body_of(BodyFamily::kBiped, 1);
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const Actions actions{.attacks = {{.start_s = 1, .hit_s = 2, .end_s = 3, .strike = Strike::kPunch, .side = side}},
                          .jumps = {}};
    const std::size_t mine = side == Side::kLeft ? 0 : 1;
    const ActionPose hit = actions.at(body, 2), wind = actions.at(body, 1.62), rest = actions.at(body, 0.5);
    EXPECT_LT(hit.arms[mine], -1) << "ahead";
    EXPECT_GT(wind.arms[mine], 0.5F) << "back";
    EXPECT_LT(hit.elbows[mine], 0.2F) << "stretched";
    EXPECT_GT(hit.elbows[1 - mine], 1.5F) << "the other guards";
    EXPECT_EQ(rest.arms_share, 0);
    EXPECT_LT(hit.twist_rad * (side == Side::kLeft ? 1.0F : -1.0F), 0);  // That shoulder comes forward.
  }
}

TEST(Attacks, ForelegsLeaveTheGroundAndComeDownAhead) {
  const Body body = body_of(BodyFamily::kQuadruped, 2);
  const Actions actions{
      .attacks = {{.start_s = 1, .hit_s = 2, .end_s = 3, .strike = Strike::kForelegs, .side = Side::kLeft}},
      .jumps = {}};
  const auto front = actions.stances(body, body.legs[0], -3, 9), hind = actions.stances(body, body.legs[2], -3, 9);
  ASSERT_EQ(hind.size(), 1U);
  EXPECT_EQ(hind[0].down_s, -3);
  EXPECT_EQ(hind[0].up_s, 9);
  ASSERT_EQ(front.size(), 3U);
  EXPECT_NEAR(front[1].down_s, 2, 1e-9);  // At the hit.
  EXPECT_GT(front[1].place.z, 0);
  EXPECT_GT(front[0].swing_lift_m, 0.5F * body.leg_length_m);
  for (std::size_t i = 1; i < 3; ++i) EXPECT_GT(front[i].down_s, front[i - 1].up_s);
}

// Up and down in free fall: rise = v² / 2g, flight = 2 v / g.
TEST(Jumps, FlyAsLongAsTheyRise) {
  test::each_body(3, [](const Body& body, const std::string& what) {
    const auto gaits = gaits_of(body.family);
    if (std::find(gaits.begin(), gaits.end(), Gait::kJump) == gaits.end()) return;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Actions actions = planned(body, Gait::kJump, seed);
      ASSERT_FALSE(actions.jumps.empty()) << what;
      EXPECT_TRUE(actions.attacks.empty()) << what;
      double end = 0;
      float place = 0;
      for (const Jump& jump : actions.jumps) {
        EXPECT_GT(jump.push_s, end) << what;
        EXPECT_LT(jump.push_s, jump.takeoff_s) << what;
        EXPECT_LT(jump.landing_s, jump.end_s) << what;
        EXPECT_NEAR(jump.landing_s - jump.takeoff_s, std::sqrt(8 * jump.rise_m / 9.81), 1e-4) << what;
        EXPECT_GT(jump.rise_m, 0.05F * body.leg_length_m) << what;
        EXPECT_GE(jump.distance_m, 0) << what;
        EXPECT_NEAR(jump.before_m, place, 1e-4) << what;
        end = jump.end_s, place += jump.distance_m;
      }
    }
  });
}

TEST(Jumps, MoveTheTrackByTheirDistance) {
  const Body body = body_of(BodyFamily::kQuadruped, 1);
  TrackRequest request{.body = &body, .clip = {.gait = Gait::kJump, .seconds = 8}};
  request.gait = gait_numbers(body.family, Gait::kJump);
  const Actions actions = planned(body, Gait::kJump, 4);
  Track track = make_track(request, Random(1));
  actions.move(track);
  for (const Jump& jump : actions.jumps) {
    EXPECT_NEAR(track.at(jump.push_s).position.z, jump.before_m, 0.01F * body.leg_length_m);
    EXPECT_NEAR(track.at(jump.end_s).position.z, jump.before_m + jump.distance_m, 0.01F * body.leg_length_m);
    // In flight the speed is constant.
    const double middle = 0.5 * (jump.takeoff_s + jump.landing_s), part = 0.2 * (jump.landing_s - jump.takeoff_s);
    const float a = track.at(middle).position.z - track.at(middle - part).position.z,
                b = track.at(middle + part).position.z - track.at(middle).position.z;
    EXPECT_NEAR(a, b, 2e-3F * body.leg_length_m);
  }
}

TEST(Jumps, FeetAreUpFromTakeOffToLanding) {
  const Body body = body_of(BodyFamily::kBiped, 1);
  const Actions actions = planned(body, Gait::kJump, 9);
  const std::vector<Stance> stances = actions.stances(body, body.legs[0], -3, 11);
  ASSERT_EQ(stances.size(), actions.jumps.size() + 1);
  for (std::size_t i = 0; i < actions.jumps.size(); ++i) {
    EXPECT_EQ(stances[i].up_s, actions.jumps[i].takeoff_s);
    EXPECT_EQ(stances[i + 1].down_s, actions.jumps[i].landing_s);
    EXPECT_EQ(stances[i].swing_rise_m, actions.jumps[i].rise_m);
  }
}

TEST(Actions, OtherGaitsHaveNone) {
  const Body body = body_of(BodyFamily::kBiped, 1);
  const Actions none = planned(body, Gait::kWalk, 1);
  EXPECT_FALSE(none.any());
  const ActionPose pose = none.at(body, 1);
  EXPECT_EQ(pose.lean_rad, 0);
  EXPECT_EQ(pose.reach, 0);
  EXPECT_EQ(pose.arms_share, 0);
  EXPECT_EQ(pose.tuck, 0);
}

}  // namespace
}  // namespace zoe::synth
