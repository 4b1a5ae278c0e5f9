// SPDX-License-Identifier: MIT
// The table of gaits and styles: footfall orders, duty factors and what styles change.
#include "synth/gait_table.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "synth/bodies.h"

namespace zoe::synth {
namespace {

using test::body_of;

// Legs of a body on four feet.
struct Four {
  Body body = body_of(BodyFamily::kQuadruped, 3);
  float phase(Gait gait, bool front, bool left) const {
    return touchdown_phase(body, gait, body.legs[(front ? 0U : 2U) + (left ? 0U : 1U)]);
  }
};
// Of two phases, round the circle: 0 to 0.5.
float apart(float a, float b) {
  const float d = std::abs(a - b);
  return std::min(d, 1 - d);
}

TEST(GaitTable, TrotsMoveDiagonalsPacesSidesAndBoundsPairs) {
  const Four four;
  EXPECT_EQ(four.phase(Gait::kTrot, true, true), four.phase(Gait::kTrot, false, false));
  EXPECT_EQ(four.phase(Gait::kTrot, true, false), four.phase(Gait::kTrot, false, true));
  EXPECT_NEAR(apart(four.phase(Gait::kTrot, true, true), four.phase(Gait::kTrot, true, false)), 0.5F, 1e-6);
  EXPECT_EQ(four.phase(Gait::kPace, true, true), four.phase(Gait::kPace, false, true));
  EXPECT_NEAR(apart(four.phase(Gait::kPace, true, true), four.phase(Gait::kPace, true, false)), 0.5F, 1e-6);
  EXPECT_EQ(four.phase(Gait::kBound, true, true), four.phase(Gait::kBound, true, false));
  EXPECT_EQ(four.phase(Gait::kBound, false, true), four.phase(Gait::kBound, false, false));
}

// Hildebrand's lateral sequence: left hind, left fore, right hind, right fore, a quarter apart.
TEST(GaitTable, WalksPutDownOneFootAtATime) {
  const Four four;
  const float order[] = {four.phase(Gait::kWalk, false, true), four.phase(Gait::kWalk, true, true),
                         four.phase(Gait::kWalk, false, false), four.phase(Gait::kWalk, true, false)};
  for (std::size_t i = 0; i < 4; ++i) {
    float step = order[(i + 1) % 4] - order[i];
    step -= std::floor(step);
    EXPECT_NEAR(step, 0.25F, 1e-6) << i;
  }
}

TEST(GaitTable, GallopsAndCantersBeginWithTheHindFeet) {
  const Four four;
  for (const Gait gait : {Gait::kGallop, Gait::kCanter}) {
    EXPECT_LT(four.phase(gait, false, true), four.phase(gait, true, true)) << to_string(gait);
    EXPECT_LT(four.phase(gait, false, false), four.phase(gait, true, false)) << to_string(gait);
    EXPECT_NE(four.phase(gait, false, true), four.phase(gait, false, false)) << to_string(gait);
  }
  // A canter's second beat is a diagonal.
  EXPECT_EQ(four.phase(Gait::kCanter, false, false), four.phase(Gait::kCanter, true, true));
}

TEST(GaitTable, TwoLegsAlternateUnlessTheyHop) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kBird}) {
    const Body body = body_of(family, 1);
    for (const Gait gait : {Gait::kWalk, Gait::kRun}) {
      EXPECT_NEAR(apart(touchdown_phase(body, gait, body.legs[0]), touchdown_phase(body, gait, body.legs[1])), 0.5F,
                  1e-6);
    }
    EXPECT_EQ(touchdown_phase(body, Gait::kHop, body.legs[0]), touchdown_phase(body, Gait::kHop, body.legs[1]));
  }
}

// Two tripods, each of the outer legs of one side and the middle leg of the other.
TEST(GaitTable, TripodsOfSixLegs) {
  const Body body = body_of(BodyFamily::kHexapod, 2);
  std::set<float> phases;
  std::vector<int> first;
  for (std::size_t i = 0; i < 6; ++i) {
    const float phase = touchdown_phase(body, Gait::kTripod, body.legs[i]);
    phases.insert(phase);
    if (phase == touchdown_phase(body, Gait::kTripod, body.legs[0])) first.push_back(static_cast<int>(i));
  }
  EXPECT_EQ(phases.size(), 2U);
  EXPECT_EQ(first, (std::vector<int>{0, 3, 4}));  // Left front, right middle, left hind.
}

TEST(GaitTable, WavesRunFromTheRearWithSidesHalfAStrideApart) {
  for (const BodyFamily family : {BodyFamily::kHexapod, BodyFamily::kOctopod, BodyFamily::kMillipede}) {
    const Body body = body_of(family, 0);
    const Gait gait = family == BodyFamily::kMillipede ? Gait::kWalk : Gait::kWave;
    float step = -1;
    for (std::size_t i = 0; i + 1 < body.legs.size(); i += 2) {
      const float left = touchdown_phase(body, gait, body.legs[i]),
                  right = touchdown_phase(body, gait, body.legs[i + 1]);
      EXPECT_NEAR(apart(left, right), 0.5F, 1e-5) << to_string(family);
      if (i == 0) continue;
      // The leg in front comes later, each by the same.
      float later = touchdown_phase(body, gait, body.legs[i - 2]) - left;
      later -= std::floor(later);
      if (step >= 0) {
        EXPECT_NEAR(later, step, 1e-4) << to_string(family);
      }
      EXPECT_GT(later, 0.05F) << to_string(family);
      EXPECT_LT(later, 0.5F) << to_string(family);
      step = later;
    }
  }
}

TEST(GaitTable, PhasesAreWithinAStride) {
  test::each_body(5, [](const Body& body, const std::string& what) {
    for (const Gait gait : gaits_of(body.family)) {
      for (const Leg& leg : body.legs) {
        const float phase = touchdown_phase(body, gait, leg);
        EXPECT_GE(phase, 0) << what;
        EXPECT_LT(phase, 1) << what;
      }
    }
  });
}

TEST(GaitTable, WalksStandMostOfTheTimeAndRunsLessThanHalf) {
  for (const BodyFamily family : families()) {
    if (family == BodyFamily::kSnake || family == BodyFamily::kFish) continue;
    for (const Gait gait : gaits_of(family)) {
      const GaitNumbers n = gait_numbers(family, gait);
      EXPECT_GT(n.duty, 0.2F) << to_string(gait);
      EXPECT_LT(n.duty, 0.9F) << to_string(gait);
      // Whoever leaves the ground stands for less than half of the stride; and nobody else.
      const bool two = family == BodyFamily::kBiped || family == BodyFamily::kBird || family == BodyFamily::kQuadruped;
      if (two && gait == Gait::kWalk) {
        EXPECT_GT(n.duty, 0.5F);
      }
      if (n.flight) {
        EXPECT_LT(n.duty, 0.5F) << to_string(family) << " " << to_string(gait);
      }
      EXPECT_GT(n.froude, 0) << to_string(gait);
      EXPECT_GT(n.travel, 0) << to_string(gait);
    }
  }
}

TEST(GaitTable, FasterGaitsHaveLargerFroudeNumbersAndShorterStances) {
  const auto of = [](Gait gait) { return gait_numbers(BodyFamily::kQuadruped, gait); };
  const Gait order[] = {Gait::kWalk, Gait::kTrot, Gait::kCanter, Gait::kGallop};
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GT(of(order[i]).froude, of(order[i - 1]).froude);
    EXPECT_LT(of(order[i]).duty, of(order[i - 1]).duty);
  }
  // Alexander: animals change from walk to trot near 0.5, to gallop between 2 and 3.
  EXPECT_LT(of(Gait::kWalk).froude, 0.5F);
  EXPECT_GE(of(Gait::kTrot).froude, 0.5F);
  EXPECT_GT(of(Gait::kGallop).froude, 2);
  EXPECT_LT(gait_numbers(BodyFamily::kHexapod, Gait::kWave).froude,
            gait_numbers(BodyFamily::kHexapod, Gait::kTripod).froude);
}

TEST(StyleTable, NeutralChangesNothing) {
  const StyleNumbers n = style_numbers(Style::kNeutral);
  for (const float factor :
       {n.speed, n.frequency, n.step_height, n.step_width, n.bob, n.sway, n.arm_swing, n.look_around}) {
    EXPECT_EQ(factor, 1);
  }
  for (const float offset : {n.crouch, n.spine_pitch, n.head_pitch, n.arm_out, n.elbow, n.shrug, n.guard, n.tail_lift,
                             n.hip_sway, n.limp, n.tremble}) {
    EXPECT_EQ(offset, 0);
  }
}

TEST(StyleTable, StylesAreAsTheirNamesSay) {
  const auto of = [](Style style) { return style_numbers(style); };
  for (const Style slow : {Style::kTired, Style::kSneaky, Style::kInjured, Style::kOld, Style::kHeavy}) {
    EXPECT_LT(of(slow).speed, 1) << to_string(slow);
  }
  for (const Style fast : {Style::kHappy, Style::kAngry}) EXPECT_GT(of(fast).speed, 1) << to_string(fast);
  EXPECT_GT(of(Style::kOld).spine_pitch, of(Style::kTired).spine_pitch);  // Bent by age.
  EXPECT_LT(of(Style::kProud).spine_pitch, 0);                            // Upright.
  EXPECT_GT(of(Style::kTired).head_pitch, 0.5F);                          // The head hangs.
  EXPECT_LT(of(Style::kProud).head_pitch, -0.3F);
  EXPECT_GT(of(Style::kAngry).shrug, 0.1F);
  EXPECT_GT(of(Style::kAngry).frequency, 1.2F);  // Short, quick steps.
  EXPECT_EQ(of(Style::kInjured).guard, 1);
  EXPECT_GT(of(Style::kSneaky).crouch, 0.1F);
  EXPECT_GT(of(Style::kHeavy).step_width, 1.2F);
  for (int s = 0; s < kNumStyles; ++s) {
    EXPECT_EQ(of(static_cast<Style>(s)).limp > 0, static_cast<Style>(s) == Style::kInjured);
    EXPECT_EQ(of(static_cast<Style>(s)).tremble > 0, static_cast<Style>(s) == Style::kOld);
  }
}

TEST(StyleTable, ALimpSparesTheLastLegOnTheRight) {
  test::each_body(2, [](const Body& body, const std::string& what) {
    int spared = 0;
    for (const Leg& leg : body.legs) {
      EXPECT_FALSE(is_spared(body, style_numbers(Style::kNeutral), leg)) << what;
      if (!is_spared(body, style_numbers(Style::kInjured), leg)) continue;
      ++spared;
      EXPECT_EQ(leg.side, Side::kRight) << what;
      EXPECT_EQ(leg.row, body.legs.back().row) << what;
    }
    EXPECT_EQ(spared, body.legs.empty() ? 0 : 1) << what;
  });
}

}  // namespace
}  // namespace zoe::synth
