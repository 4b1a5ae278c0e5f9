// SPDX-License-Identifier: MIT
// How flyers, swimmers and snakes move: heights, sweeps and speeds from their own formulas.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/synth/measure.h"

#include "synth/bodies.h"

namespace zoe::synth {
namespace {

using test::body_of;
using test::path_of;

Clip clip_of(const Body& body, Gait gait, double seconds = 3, Course course = Course::kStraight, double fps = 60) {
  return make_clip(body, {.gait = gait, .course = course, .seconds = seconds, .fps = fps}, Random(12)).value();
}
float range_of(const std::vector<Vec3>& path, std::size_t axis) {
  float low = 1e9F, high = -1e9F;
  for (const Vec3& p : path) low = std::min(low, p[axis]), high = std::max(high, p[axis]);
  return high - low;
}

// Lift equals weight: v² = 2 m g / (rho S C), with C = 1.1, air of 1.2 kg/m³ and 70 % of the flesh's weight.
TEST(Flight, CruisesAtTheSpeedThatCarriesTheBody) {
  for (const BodyFamily family : {BodyFamily::kBird, BodyFamily::kFlyer}) {
    for (int i = 0; i < 6; ++i) {
      const Body body = body_of(family, i);
      const float expected =
          std::min(16.0F, std::sqrt(2 * 0.7F * body.mass_kg() * 9.81F / (1.2F * body.wing_area_m2 * 1.1F)));
      const float speed = clip_of(body, Gait::kFly, 1, Course::kStraight, 20).speed_m_s;
      EXPECT_GT(speed, 0.88F * expected) << to_string(family) << i;
      EXPECT_LT(speed, 1.12F * expected) << to_string(family) << i;
    }
  }
}

TEST(Flight, StaysAboveTheGroundAndTouchesNothing) {
  for (const BodyFamily family : {BodyFamily::kBird, BodyFamily::kFlyer}) {
    for (const Gait gait : {Gait::kFly, Gait::kGlide, Gait::kHover}) {
      const Body body = body_of(family, 2);
      const Clip clip = clip_of(body, gait);
      for (const Vec3& p : path_of(clip.motion, body.root)) EXPECT_GT(p.y, 0.3F * body.wing_span_m) << to_string(gait);
      for (const std::uint8_t contact : clip.contacts) EXPECT_EQ(contact, 0);
    }
  }
}

TEST(Flight, GlidesLoseOneInEleven) {
  const Body body = body_of(BodyFamily::kBird, 1);
  const Clip clip = clip_of(body, Gait::kGlide, 6);
  const std::vector<Vec3> path = path_of(clip.motion, body.root);
  const Vec3 way = path.back() - path.front();
  EXPECT_NEAR(-way.y / std::hypot(way.x, way.z), 0.09, 0.04);
}

TEST(Flight, BanksIntoItsTurns) {
  for (const auto& [course, sign] : {std::pair{Course::kTurnLeft, 1.0F}, {Course::kTurnRight, -1.0F}}) {
    const Body body = body_of(BodyFamily::kFlyer, 1);
    const Clip clip = clip_of(body, Gait::kGlide, 4, course);
    const std::vector<Vec3> left = path_of(clip.motion, body.wings[0].hand),
                            right = path_of(clip.motion, body.wings[1].hand);
    EXPECT_GT(sign * (right.back().y - left.back().y), 0.02F * body.wing_span_m) << to_string(course);
  }
}

TEST(Swimming, TheTailSweepsMostAndTheMiddleLeast) {
  for (int i = 0; i < 8; ++i) {
    const Body body = body_of(BodyFamily::kFish, i);
    const Clip clip = clip_of(body, Gait::kSwim, 4);
    const std::size_t axis = body.vertical_swimmer ? 1 : 0;
    // Against a slow heave of the whole body, only sideways swimmers are compared.
    if (body.vertical_swimmer) continue;
    const float tail = range_of(path_of(clip.motion, body.tail.back()), axis),
                root = range_of(path_of(clip.motion, body.root), axis);
    EXPECT_GT(tail, root) << i;
    EXPECT_GT(tail, 0.05F * body.body_length_m) << i;
    EXPECT_LT(tail, 0.6F * body.body_length_m) << i;
  }
}

TEST(Swimming, DartsComeInBursts) {
  const Body body = body_of(BodyFamily::kFish, 2);
  const Clip clip = clip_of(body, Gait::kDart, 5);
  const std::vector<Vec3> path = path_of(clip.motion, body.root);
  float slowest = 1e9F, fastest = 0;
  for (std::size_t f = 6; f < path.size(); f += 6) {
    const float speed = distance(path[f], path[f - 6]) * 10;
    slowest = std::min(slowest, speed), fastest = std::max(fastest, speed);
  }
  EXPECT_GT(fastest, 2.5F * slowest);
}

TEST(Crawling, TheBodyStaysOnTheGround) {
  for (int i = 0; i < 6; ++i) {
    const Body body = body_of(BodyFamily::kSnake, i);
    const Clip clip = clip_of(body, Gait::kSlither);
    for (const int joint : body.spine) {
      for (const Vec3& p : path_of(clip.motion, joint)) {
        EXPECT_GT(p.y, -0.5F * body.radius_m) << i;
        EXPECT_LT(p.y, 8 * body.radius_m) << i;
      }
    }
  }
}

TEST(Crawling, WindsAboutItsCourse) {
  const Body body = body_of(BodyFamily::kSnake, 1);
  const Clip clip = clip_of(body, Gait::kSlither, 4);
  const std::vector<Vec3> path = path_of(clip.motion, body.root);
  EXPECT_GT(path.back().z - path.front().z, 0.3F * clip.speed_m_s * 4);
  // To both sides, by less than a body length.
  float low = 0, high = 0;
  for (const Vec3& p : path) low = std::min(low, p.x), high = std::max(high, p.x);
  EXPECT_GT(high - low, 0.02F * body.body_length_m);
  EXPECT_LT(high - low, body.body_length_m);
}

TEST(Idling, NobodyGoesAnywhereButEverybodyLives) {
  test::each_body(2, [](const Body& body, const std::string& what) {
    const Clip clip = clip_of(body, Gait::kIdle, 4, Course::kStraight, 30);
    EXPECT_LT(clip.speed_m_s, 0.02F * std::sqrt(9.81F * body.leg_length_m)) << what;
    const std::vector<Vec3> root = path_of(clip.motion, body.root), head = path_of(clip.motion, body.head);
    EXPECT_LT(distance(root.back(), root.front()), 0.4F * body.leg_length_m + 0.15F * body.body_length_m) << what;
    if (body.family == BodyFamily::kMillipede) return;  // These do stand like statues.
    EXPECT_GT(range_of(head, 0) + range_of(head, 1) + range_of(head, 2), 1e-4F * body.body_length_m) << what;
  });
}

TEST(Wandering, IsLedButKeepsItsFeetOnTheGround) {
  for (const BodyFamily family : {BodyFamily::kBiped, BodyFamily::kQuadruped}) {
    const Body body = body_of(family, 3);
    const Clip clip = clip_of(body, Gait::kWalk, 10, Course::kWander, 60);
    const Plausibility p = measure(body, clip);
    EXPECT_LT(p.skate_m_s, 0.01F) << to_string(family);
    EXPECT_LT(p.sunk_m, 0.05F * body.leg_length_m) << to_string(family);
    // It turns: facings cover more than a right angle.
    const std::vector<Vec3> root = path_of(clip.motion, body.root), chest = path_of(clip.motion, body.legs[0].upper);
    EXPECT_GT(range_of(root, 0), 0.3F * body.leg_length_m) << to_string(family);
    EXPECT_EQ(root.size(), chest.size());
  }
}

TEST(Measure, SeesNothingWrongInARestingBody) {
  test::each_body(1, [](const Body& body, const std::string& what) {
    Clip clip;
    clip.motion = make_motion(body.skeleton, "rest", 30, 5, false);
    clip.contacts.assign(5 * body.legs.size(), 1);
    clip.airborne.assign(5, 0);
    const Plausibility p = measure(body, clip);
    EXPECT_EQ(p.skate_m_s, 0) << what;
    EXPECT_LT(p.limit_rad, 1e-4F) << what;
    EXPECT_EQ(p.num_fall_frames, 0) << what;
    EXPECT_LT(p.sunk_m, 1e-4F) << what;
    EXPECT_NEAR(p.turn_deg, 0, 0.05) << what;
  });
}

TEST(Measure, AFallThatIsFreeHasNoError) {
  const Body body = body_of(BodyFamily::kBiped, 1);
  Clip clip;
  clip.motion = make_motion(body.skeleton, "fall", 60, 20, false);
  clip.contacts.assign(20 * body.legs.size(), 0);
  clip.airborne.assign(20, 1);
  const auto joints = static_cast<std::size_t>(body.skeleton->num_joints());
  const auto drop = [&](double acceleration) {
    for (std::size_t f = 0; f < 20; ++f) {
      const double t = static_cast<double>(f) / 60;
      clip.motion.translations[f * joints].y = static_cast<float>(10 - 0.5 * acceleration * t * t);
    }
    return measure(body, clip);
  };
  EXPECT_EQ(drop(9.81).num_fall_frames, 18);
  EXPECT_LT(drop(9.81).fall_error_m_s2, 0.1F);
  EXPECT_NEAR(drop(5.81).fall_error_m_s2, 4, 0.1);
  EXPECT_NEAR(drop(0).fall_error_m_s2, 9.81, 0.1);
}

TEST(Measure, SinkingAndTurningAreAsFarAsTheyAre) {
  const Body body = body_of(BodyFamily::kBiped, 1);
  Clip clip;
  clip.motion = make_motion(body.skeleton, "sink", 30, 4, false);
  clip.contacts.assign(4 * body.legs.size(), 0);
  clip.airborne.assign(4, 0);
  const auto joints = static_cast<std::size_t>(body.skeleton->num_joints());
  const float before = measure(body, clip).sunk_m;
  clip.motion.translations[2 * joints].y -= 0.2F;
  float lowest = 1e9F;
  for (const Leg& leg : body.legs) {
    for (const int joint : {leg.lower, leg.distal.front(), leg.distal.back(), leg.tip}) {
      lowest = std::min(lowest, test::rest_position(body, joint).y);
    }
  }
  EXPECT_LT(before, 1e-4F);
  EXPECT_NEAR(measure(body, clip).sunk_m, 0.2F - lowest, 1e-3);
  clip.motion.rotations[joints + static_cast<std::size_t>(body.head)] = from_axis_angle(Vec3{0, 1, 0}, 0.5F);
  EXPECT_NEAR(measure(body, clip).turn_deg, 0.5 * 180 / 3.14159265, 0.05);
  EXPECT_EQ(measure(body, clip).turn_joint, body.head);
}

}  // namespace
}  // namespace zoe::synth
