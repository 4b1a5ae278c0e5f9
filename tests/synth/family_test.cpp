// SPDX-License-Identifier: MIT
// What each family is made of: lengths that fit the joints, limbs that fit the family, proportions that animals have.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "synth/bodies.h"

namespace zoe::synth {
namespace {

using test::body_of;
using test::each_body;
using test::rest_position;

constexpr int kBodies = 20;

template <typename Check>
void each_of(BodyFamily family, Check check) {
  for (int i = 0; i < kBodies; ++i) check(body_of(family, i), std::string(to_string(family)) + " " + std::to_string(i));
}
// Extent of all joints along an axis at rest.
float extent(const Body& body, std::size_t axis) {
  float low = 1e9F, high = -1e9F;
  for (int j = 0; j < body.skeleton->num_joints(); ++j) {
    low = std::min(low, rest_position(body, j)[axis]), high = std::max(high, rest_position(body, j)[axis]);
  }
  return high - low;
}

TEST(Families, SizesAreThoseOfAnimals) {
  each_body(kBodies, [](const Body& body, const std::string& what) {
    EXPECT_GT(body.mass_kg(), 1e-5F) << what;
    EXPECT_LT(body.mass_kg(), 20000) << what;
    EXPECT_GT(body.body_length_m, 0.01F) << what;
    EXPECT_LT(body.body_length_m, 20) << what;
    EXPECT_GT(body.leg_length_m, 0) << what;
    EXPECT_LE(body.skeleton->num_joints(), 400) << what;
    EXPECT_GE(body.skeleton->num_joints(), 10) << what;
  });
}

TEST(Families, BipedsAreUprightWithHandsAboveTheGround) {
  each_of(BodyFamily::kBiped, [](const Body& body, const std::string& what) {
    EXPECT_TRUE(body.upright()) << what;
    EXPECT_GT(rest_position(body, body.head).y, rest_position(body, body.chest).y) << what;
    EXPECT_GT(rest_position(body, body.chest).y, rest_position(body, body.root).y) << what;
    EXPECT_GT(extent(body, 1), 1.5F * extent(body, 2)) << what;
    for (const Leg& leg : body.legs) EXPECT_TRUE(leg.plantigrade) << what;
    for (const Arm& arm : body.arms) {
      EXPECT_EQ(body.skeleton->parent(arm.lower), arm.upper) << what;
      EXPECT_TRUE(test::is_ancestor(*body.skeleton, arm.lower, arm.hand)) << what;
      EXPECT_GT(rest_position(body, arm.hand).y, 0.1F * body.leg_length_m) << what;
      EXPECT_NEAR(length(arm.direction), 1, 1e-4) << what;
      for (const int finger : arm.fingers) EXPECT_TRUE(test::is_ancestor(*body.skeleton, arm.hand, finger)) << what;
    }
    // Legs are about half of the height.
    const float share = body.leg_length_m / extent(body, 1);
    EXPECT_GT(share, 0.3F) << what;
    EXPECT_LT(share, 0.7F) << what;
  });
}

TEST(Families, QuadrupedsCarryTheirTrunkOnFourLegs) {
  each_of(BodyFamily::kQuadruped, [](const Body& body, const std::string& what) {
    EXPECT_FALSE(body.upright()) << what;
    EXPECT_GT(rest_position(body, body.head).z, rest_position(body, body.root).z) << what;
    EXPECT_LT(body.legs[2].pole.z * body.legs[0].pole.z, 0) << what;  // Elbows point back, knees forward.
    EXPECT_GT(rest_position(body, body.legs[0].upper).z - rest_position(body, body.legs[2].upper).z,
              0.3F * body.leg_length_m)
        << what;
    EXPECT_TRUE(test::is_ancestor(*body.skeleton, body.chest, body.legs[0].upper)) << what;
    EXPECT_FALSE(test::is_ancestor(*body.skeleton, body.chest, body.legs[2].upper)) << what;
    if (!body.tail.empty()) {
      EXPECT_LT(rest_position(body, body.tail.back()).z, rest_position(body, body.root).z) << what;
    }
  });
}

TEST(Families, ArthropodsSprawl) {
  for (const BodyFamily family : {BodyFamily::kHexapod, BodyFamily::kOctopod, BodyFamily::kMillipede}) {
    each_of(family, [](const Body& body, const std::string& what) {
      for (const Leg& leg : body.legs) {
        EXPECT_TRUE(leg.sprawling) << what;
        EXPECT_NE(leg.base, kNoJoint) << what;
        // Feet are farther out than where the legs begin, and knees above both.
        const Vec3 top = rest_position(body, leg.upper), knee = rest_position(body, leg.lower),
                   foot = rest_position(body, leg.distal.back());
        EXPECT_GT(std::abs(foot.x), std::abs(top.x)) << what;
        EXPECT_GT(knee.y, foot.y) << what;
      }
    });
  }
  each_of(BodyFamily::kMillipede, [](const Body& body, const std::string& what) {
    EXPECT_TRUE(follows_path(body)) << what;
    std::set<int> trunks;
    for (const Leg& leg : body.legs) trunks.insert(leg.trunk);
    EXPECT_GT(trunks.size(), 3U) << what;  // Legs hang on many segments.
  });
}

TEST(Families, WingsAreAsWideAsTheySay) {
  for (const BodyFamily family : {BodyFamily::kBird, BodyFamily::kFlyer}) {
    each_of(family, [](const Body& body, const std::string& what) {
      float widest = 0;
      for (const Wing& wing : body.wings) {
        EXPECT_EQ(body.skeleton->parent(wing.lower), wing.upper) << what;
        EXPECT_EQ(body.skeleton->parent(wing.hand), wing.lower) << what;
        EXPECT_FALSE(wing.fingers.empty()) << what;
        for (int j = 0; j < body.skeleton->num_joints(); ++j) {
          if (test::is_ancestor(*body.skeleton, wing.upper, j))
            widest = std::max(widest, std::abs(rest_position(body, j).x));
        }
      }
      EXPECT_NEAR(body.wing_span_m, 2 * widest, 0.5F * body.wing_span_m) << what;
      // Between a strip and a square.
      const float aspect = body.wing_span_m * body.wing_span_m / body.wing_area_m2;
      EXPECT_GT(aspect, 1.5F) << what;
      EXPECT_LT(aspect, 25) << what;
    });
  }
}

TEST(Families, SnakesLieOnTheGround) {
  each_of(BodyFamily::kSnake, [](const Body& body, const std::string& what) {
    EXPECT_TRUE(body.legs.empty()) << what;
    EXPECT_GT(body.spine.size() + body.tail.size(), 10U) << what;
    EXPECT_GT(body.radius_m, 0) << what;
    EXPECT_GT(body.body_length_m / body.radius_m, 15) << what;
    for (const int joint : body.spine) EXPECT_LT(rest_position(body, joint).y, 4 * body.radius_m) << what;
    EXPECT_NEAR(extent(body, 2), body.body_length_m, 0.25F * body.body_length_m) << what;
  });
}

TEST(Families, FishHaveFinsOnBothSidesAndAtTheTail) {
  each_of(BodyFamily::kFish, [](const Body& body, const std::string& what) {
    int left = 0, right = 0, middle = 0;
    for (const Fin& fin : body.fins) {
      EXPECT_FALSE(fin.joints.empty()) << what;
      left += fin.side == Side::kLeft ? 1 : 0;
      right += fin.side == Side::kRight ? 1 : 0;
      middle += fin.side == Side::kCenter ? 1 : 0;
    }
    EXPECT_EQ(left, right) << what;
    EXPECT_GE(left, 1) << what;
    EXPECT_GE(middle, 1) << what;
    EXPECT_NE(body.jaw, kNoJoint) << what;
    EXPECT_FALSE(body.tail.empty()) << what;
  });
}

TEST(Families, SomeFishAreDolphinsAndSomeOctopodsScorpions) {
  int vertical = 0, stings = 0;
  for (int i = 0; i < 60; ++i) {
    vertical += body_of(BodyFamily::kFish, i).vertical_swimmer ? 1 : 0;
    stings += body_of(BodyFamily::kOctopod, i).sting ? 1 : 0;
  }
  EXPECT_GT(vertical, 2);
  EXPECT_LT(vertical, 50);
  EXPECT_GT(stings, 2);
  EXPECT_LT(stings, 50);
}

TEST(Families, SpeciesAreWordsWithAnArticle) {
  std::set<std::string> seen;
  each_body(kBodies, [&](const Body& body, const std::string& what) {
    EXPECT_TRUE(body.species.starts_with("a ") || body.species.starts_with("an ")) << what << ": " << body.species;
    const bool vowel = std::string("aeiou").find(body.species[body.species.find(' ') + 1]) != std::string::npos;
    EXPECT_EQ(vowel, body.species.starts_with("an ")) << body.species;
    EXPECT_EQ(body.character->name, body.species) << what;
    seen.insert(body.species);
  });
  EXPECT_GT(seen.size(), families().size());
}

}  // namespace
}  // namespace zoe::synth
