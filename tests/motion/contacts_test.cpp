// SPDX-License-Identifier: MIT
#include "zoe/motion/contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace zoe {
namespace {

// A hip with two straight legs of `leg` metres in two bones; the feet's translations are animated.
struct Walker {
  static constexpr std::array<int, 2> kFeet{2, 4};
  Motion motion;
  float leg;

  Walker(double fps, int frames, float leg_m) : leg(leg_m) {
    const auto at = [&](Vec3 t) { return Transform{t * leg, {}, {1, 1, 1}}; };
    motion = make_motion(Skeleton::create({{"hip", kNoJoint, at({0, 1, 0}), JointKind::kBone},
                                           {"left_knee", 0, at({0, -0.5F, 0}), JointKind::kBone},
                                           {"left_foot", 1, at({0, -0.5F, 0}), JointKind::kBone},
                                           {"right_knee", 0, at({0, -0.5F, 0}), JointKind::kBone},
                                           {"right_foot", 3, at({0, -0.5F, 0}), JointKind::kBone}})
                             .value(),
                         "walker", fps, frames, false);
  }
  // Where a foot is in the model, leg lengths.
  void put(int frame, int foot, float z, float height) {
    motion.translations[static_cast<std::size_t>(frame * 5 + kFeet[static_cast<std::size_t>(foot)])] =
        Vec3{0, height - 0.5F, z} * leg;
  }
};

// Steps of one second: half of it the foot stands, half it swings forward by one leg length in an arc.
Walker walk(double fps, float leg) {
  const int frames = static_cast<int>(fps * 3);
  Walker walker(fps, frames, leg);
  for (int f = 0; f < frames; ++f) {
    for (int foot = 0; foot < 2; ++foot) {
      const double t = f / fps + 0.5 * foot, cycle = std::floor(t), part = t - cycle;
      const double swing = std::max(0.0, part - 0.5) * 2;
      const double smooth = swing - std::sin(2 * std::numbers::pi * swing) / (2 * std::numbers::pi);
      walker.put(f, foot, static_cast<float>(cycle + smooth),
                 static_cast<float>(0.15 * std::pow(std::sin(std::numbers::pi * swing), 2)));
    }
  }
  return walker;
}

TEST(Contacts, LegLengthGoesUpToTheCommonJoint) {
  const Walker walker(30, 1, 0.8F);
  EXPECT_NEAR(leg_length(*walker.motion.skeleton, Walker::kFeet), 0.8F, 1e-6F);
  const std::array one{2};
  EXPECT_EQ(leg_length(*walker.motion.skeleton, one), 0.0F);
  EXPECT_FALSE(find_contacts(walker.motion, one));
  EXPECT_TRUE(find_contacts(walker.motion, one, {.leg_length_m = 0.8F}));
}

TEST(Contacts, LegLengthOfFourLegsLeavesTheBackOut) {
  const auto bone = [](const char* name, int parent, Vec3 t) {
    return JointDesc{name, parent, {t, {}, {1, 1, 1}}, JointKind::kBone};
  };
  const SkeletonPtr dog =
      Skeleton::create({bone("hips", kNoJoint, {0, 0.5F, 0}), bone("left_hock", 0, {0.1F, -0.4F, 0}),
                        bone("left_toe", 1, {0, -0.1F, 0}), bone("right_hock", 0, {-0.1F, -0.4F, 0}),
                        bone("right_toe", 3, {0, -0.1F, 0}), bone("spine", 0, {0, 0, 0.6F}),
                        bone("left_hand", 5, {0.1F, -0.5F, 0}), bone("right_hand", 5, {-0.1F, -0.5F, 0})})
          .value();
  const std::array joints{1, 2, 3, 4, 6, 7};
  const float hock = std::hypot(0.1F, 0.4F), hand = std::hypot(0.1F, 0.5F);
  EXPECT_NEAR(leg_length(*dog, joints), hand, 1e-5F) << hock;  // Between hocks (0.41) and hind toes (0.51): the median.
}

TEST(Contacts, UnitsDoNotMatter) {
  const Walker metres = walk(60, 0.9F), centimetres = walk(60, 90);
  const Contacts a = find_contacts(metres.motion, Walker::kFeet).value();
  const Contacts b = find_contacts(centimetres.motion, Walker::kFeet, {.metres_per_unit = 0.01}).value();
  EXPECT_EQ(a.touching, b.touching);
  EXPECT_NE(a.touching, find_contacts(centimetres.motion, Walker::kFeet).value().touching);
}

// The same walk with the ground pulled away below it: feet slide back while they stand.
TEST(Contacts, OnTheSpotHeightsDecide) {
  Walker walker = walk(60, 0.9F);
  const Contacts travelling = find_contacts(walker.motion, Walker::kFeet).value();
  EXPECT_FALSE(travelling.in_place);
  for (int f = 0; f < walker.motion.num_frames; ++f) {
    for (const int foot : Walker::kFeet) {
      walker.motion.translations[static_cast<std::size_t>(f * 5 + foot)].z -= 0.9F * static_cast<float>(f) / 60;
    }
  }
  const Contacts found = find_contacts(walker.motion, Walker::kFeet).value();
  EXPECT_TRUE(found.in_place);
  int differ = 0;
  for (std::size_t i = 0; i < found.touching.size(); ++i) differ += found.touching[i] != travelling.touching[i] ? 1 : 0;
  EXPECT_LT(differ, static_cast<int>(found.touching.size()) / 8);
  const Contacts by_speed = find_contacts(walker.motion, Walker::kFeet, {.in_place = false}).value();
  EXPECT_EQ(std::count(by_speed.touching.begin(), by_speed.touching.end(), 1), 0);
}

// A foot that creeps at 0.7 m/s slides below one who stands, and rolls below one who runs past.
TEST(Contacts, RunnersFeetMayBeFaster) {
  const auto creeping = [](float body_speed_m_s) {
    Walker walker(60, 120, 0.9F);
    for (int f = 0; f < 120; ++f) {
      const float t = static_cast<float>(f) / 60;
      walker.motion.translations[static_cast<std::size_t>(f * 5)].z = body_speed_m_s * t;
      for (int foot = 0; foot < 2; ++foot) walker.put(f, foot, (0.7F - body_speed_m_s) * t / 0.9F, 0);
    }
    const Contacts contacts = find_contacts(walker.motion, Walker::kFeet, {.in_place = false}).value();
    return std::count(contacts.touching.begin(), contacts.touching.end(), 1);
  };
  EXPECT_EQ(creeping(0), 0);
  EXPECT_EQ(creeping(3), 240);
}

TEST(Contacts, FindTheStanceOfAWalkAtAnySize) {
  for (float leg : {0.05F, 0.9F, 3.0F}) {
    // Equal Froude speeds: a body of four times the length steps half as fast.
    const double pace = std::sqrt(0.9 / leg);
    Walker walker = walk(60, leg);
    walker.motion.fps = 60 * pace;
    const Contacts contacts = find_contacts(walker.motion, Walker::kFeet, {.cutoff_hz = 12 * pace}).value();
    EXPECT_NEAR(contacts.ground_height_m, 0, 0.005F * leg);
    for (int f = 0; f < contacts.num_frames; ++f) {
      for (int foot = 0; foot < 2; ++foot) {
        const double part = std::fmod(f / 60.0 + 0.5 * foot, 1.0);
        const bool stands = part > 0.05 && part<0.45, swings = part> 0.65 && part < 0.85;
        if (stands || swings) {
          EXPECT_EQ(contacts.at(f, foot), stands) << leg << " frame " << f;
        }
      }
    }
  }
}

// No filter, ten frames a second, leg of one metre: √(g L) = 3.132 m/s, so 0.4 m/s lies between enter (0.313) and leave
// (0.501): it neither begins nor ends a contact.
TEST(Contacts, HysteresisByHand) {
  Walker walker(10, 8, 1);
  const float z[8] = {0, 0.1F, 0.14F, 0.18F, 0.19F, 0.20F, 0.24F, 0.34F};
  for (int f = 0; f < 8; ++f) walker.put(f, 0, z[f], 0);
  const ContactOptions options{.speed_enter = 0.1F, .speed_leave = 0.16F, .cutoff_hz = 0, .min_duration_s = 0};
  const Contacts contacts = find_contacts(walker.motion, Walker::kFeet, options).value();
  // Speeds: 1, 0.7, 0.4, 0.25, 0.1, 0.25, 0.7, 1.
  const bool expected[8] = {false, false, false, true, true, true, false, false};
  for (int f = 0; f < 8; ++f) EXPECT_EQ(contacts.at(f, 0), expected[f]) << f;
  EXPECT_EQ(contacts.weights[3 * 2], 1.0F);
  const float t = (0.5011F - 0.4F) / (0.5011F - 0.3132F);
  EXPECT_NEAR(contacts.weights[2 * 2], t * t * (3 - 2 * t), 2e-3F);
  EXPECT_EQ(contacts.weights[0], 0.0F);
  // The same speeds on the way out: 0.4 comes after a contact and keeps it.
  for (int f = 0; f < 8; ++f) walker.put(f, 0, z[7] - z[7 - f], 0);
  const bool backwards[8] = {false, false, true, true, true, true, false, false};
  const Contacts out = find_contacts(walker.motion, Walker::kFeet, options).value();
  for (int f = 0; f < 8; ++f) EXPECT_EQ(out.at(f, 0), backwards[f]) << f;
}

TEST(Contacts, AFootHeldStillInTheAirDoesNotTouch) {
  Walker walker(30, 60, 1);
  for (int f = 0; f < 60; ++f) walker.put(f, 1, 0, 0.3F);
  const Contacts contacts = find_contacts(walker.motion, Walker::kFeet).value();
  for (int f = 0; f < 60; ++f) {
    EXPECT_TRUE(contacts.at(f, 0));
    EXPECT_FALSE(contacts.at(f, 1));
  }
  // An ankle at a tenth of the leg stands there; above a ground that is given lower, nothing does.
  for (int f = 0; f < 60; ++f) walker.put(f, 1, 0, 0.1F);
  EXPECT_TRUE(find_contacts(walker.motion, Walker::kFeet)->at(30, 1));
  EXPECT_FALSE(find_contacts(walker.motion, Walker::kFeet, {.ground_height_m = -0.5F})->at(30, 1));
}

TEST(Contacts, ShortGapsCloseAndShortContactsGo) {
  Walker walker(30, 40, 1);
  for (int f = 0; f < 40; ++f) walker.put(f, 0, 0, f == 10 || (f >= 20 && f != 28) ? 0.5F : 0.0F);
  const ContactOptions options{.speed_enter = 100, .speed_leave = 100, .cutoff_hz = 0, .min_duration_s = 0.1};
  const Contacts contacts = find_contacts(walker.motion, Walker::kFeet, options).value();
  for (int f = 0; f < 40; ++f) EXPECT_EQ(contacts.at(f, 0), f < 20) << f;
}

TEST(Contacts, TheReferenceRuleByHand) {
  Walker walker(10, 5, 1);
  const float z[5] = {0, 0.02F, 0.05F, 0.05F, 0.06F};        // 0.2 (twice: frame 0 looks ahead), 0.3, 0, 0.1 m/s.
  for (int f = 0; f < 5; ++f) walker.put(f, 0, z[f], 5.0F);  // Height plays no part.
  const std::array thresholds{0.25F, 0.25F};
  const Contacts contacts = find_contacts_by_speed(walker.motion, Walker::kFeet, thresholds).value();
  const bool expected[5] = {true, true, false, true, true};
  for (int f = 0; f < 5; ++f) EXPECT_EQ(contacts.at(f, 0), expected[f]) << f;
  // Bones of 4 × 0.5 m double the threshold.
  EXPECT_TRUE(find_contacts_by_speed(walker.motion, Walker::kFeet, thresholds, true)->at(2, 0));
}

TEST(Contacts, OneFrameAndWrongRequests) {
  const Walker one(30, 1, 1);
  EXPECT_TRUE(find_contacts(one.motion, Walker::kFeet)->at(0, 0));
  const std::array thresholds{0.25F, 0.25F};
  EXPECT_TRUE(find_contacts_by_speed(one.motion, Walker::kFeet, thresholds)->at(0, 1));
  EXPECT_FALSE(find_contacts_by_speed(one.motion, Walker::kFeet, {}));
  const std::array missing{2, 77};
  EXPECT_FALSE(find_contacts(one.motion, missing));
  EXPECT_FALSE(find_contacts(one.motion, Walker::kFeet, {.speed_enter = 0.2F, .speed_leave = 0.1F}));
  EXPECT_FALSE(find_contacts(Walker(30, 0, 1).motion, Walker::kFeet));
}

}  // namespace
}  // namespace zoe
