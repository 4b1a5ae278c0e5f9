// SPDX-License-Identifier: MIT
// The joints of every family: order, chains, symmetry, limits.
#include <set>

#include <gtest/gtest.h>

#include "zoe/ik/joint_limit.h"

#include "synth/bodies.h"

namespace zoe::synth {
namespace {

using test::body_of;
using test::each_body;
using test::is_ancestor;
using test::mirrored;
using test::rest_position;

constexpr int kBodies = 15;

TEST(Skeletons, ParentsComeFirstAndThereIsOneRoot) {
  each_body(kBodies, [](const Body& body, const std::string& what) {
    int roots = 0;
    for (int j = 0; j < body.skeleton->num_joints(); ++j) {
      EXPECT_LT(body.skeleton->parent(j), j) << what;
      roots += body.skeleton->parent(j) == kNoJoint ? 1 : 0;
      EXPECT_FALSE(body.skeleton->name(j).empty()) << what;
      const Transform& rest = body.skeleton->rest_local(j);
      EXPECT_EQ(rest.rotation, Quat{}) << what;  // Rest frames have the axes of the model.
      if (j > 0 && j != body.root) {
        EXPECT_GT(length(rest.translation), 1e-6F) << what << ", " << body.skeleton->name(j);
      }
    }
    EXPECT_EQ(roots, 1) << what;
    EXPECT_TRUE(body.root == 0 || body.skeleton->parent(body.root) == 0) << what;
  });
}

TEST(Skeletons, EveryFamilyHasItsNumberOfLimbs) {
  struct Limbs {
    BodyFamily family;
    std::size_t min_legs, max_legs, arms, wings;
  };
  for (const Limbs& limbs : {Limbs{BodyFamily::kBiped, 2, 2, 2, 0}, Limbs{BodyFamily::kQuadruped, 4, 4, 0, 0},
                             Limbs{BodyFamily::kHexapod, 6, 6, 0, 0}, Limbs{BodyFamily::kOctopod, 8, 8, 0, 0},
                             Limbs{BodyFamily::kMillipede, 10, 200, 0, 0}, Limbs{BodyFamily::kBird, 2, 2, 0, 2},
                             Limbs{BodyFamily::kFlyer, 2, 4, 0, 2}, Limbs{BodyFamily::kSnake, 0, 0, 0, 0},
                             Limbs{BodyFamily::kFish, 0, 0, 0, 0}}) {
    for (int i = 0; i < kBodies; ++i) {
      const Body body = body_of(limbs.family, i);
      EXPECT_EQ(body.family, limbs.family);
      EXPECT_GE(body.legs.size(), limbs.min_legs) << to_string(limbs.family);
      EXPECT_LE(body.legs.size(), limbs.max_legs) << to_string(limbs.family);
      EXPECT_EQ(body.legs.size() % 2, 0U);
      EXPECT_EQ(body.arms.size(), limbs.arms) << to_string(limbs.family);
      EXPECT_EQ(body.wings.size(), limbs.wings) << to_string(limbs.family);
      EXPECT_EQ(body.fins.empty(), limbs.family != BodyFamily::kFish);
      EXPECT_FALSE(body.species.empty());
      EXPECT_NE(body.head, kNoJoint);
    }
  }
}

TEST(Skeletons, ChainsAreChains) {
  each_body(kBodies, [](const Body& body, const std::string& what) {
    for (const std::vector<int>* chain : {&body.spine, &body.neck, &body.tail}) {
      for (std::size_t i = 0; i < chain->size(); ++i) {
        const int parent = body.skeleton->parent((*chain)[i]);
        if (i > 0) {
          EXPECT_EQ(parent, (*chain)[i - 1]) << what;
        }
      }
    }
    if (!body.spine.empty()) {
      EXPECT_EQ(body.spine.back(), body.chest) << what;
      EXPECT_TRUE(is_ancestor(*body.skeleton, body.root, body.spine.front())) << what;
    }
    if (!body.neck.empty()) {
      EXPECT_TRUE(is_ancestor(*body.skeleton, body.chest, body.neck.front())) << what;
    }
    EXPECT_TRUE(is_ancestor(*body.skeleton, body.root, body.head)) << what;
    if (body.jaw != kNoJoint) {
      EXPECT_EQ(body.skeleton->parent(body.jaw), body.head) << what;
    }
    for (const int ear : body.ears) EXPECT_TRUE(is_ancestor(*body.skeleton, body.head, ear)) << what;
  });
}

TEST(Skeletons, LegsGoFromTheTrunkToTheGround) {
  each_body(kBodies, [](const Body& body, const std::string& what) {
    const Skeleton& skeleton = *body.skeleton;
    for (const Leg& leg : body.legs) {
      ASSERT_FALSE(leg.distal.empty()) << what;
      EXPECT_EQ(skeleton.parent(leg.lower), leg.upper) << what;
      EXPECT_EQ(skeleton.parent(leg.distal.front()), leg.lower) << what;
      for (std::size_t i = 1; i < leg.distal.size(); ++i) EXPECT_EQ(skeleton.parent(leg.distal[i]), leg.distal[i - 1]);
      EXPECT_TRUE(is_ancestor(skeleton, leg.trunk, leg.upper)) << what;
      if (leg.base != kNoJoint) {
        EXPECT_EQ(skeleton.parent(leg.upper), leg.base) << what;
      }
      EXPECT_TRUE(leg.tip == leg.distal.back() || skeleton.parent(leg.tip) == leg.distal.back()) << what;
      EXPECT_NEAR(length(leg.hinge), 1, 1e-5) << what;
      // The lengths are those of the joints.
      const Vec3 top = rest_position(body, leg.upper), knee = rest_position(body, leg.lower),
                 ankle = rest_position(body, leg.distal.front()), ball = rest_position(body, leg.distal.back());
      EXPECT_NEAR(leg.reach_m, distance(top, knee) + distance(knee, ankle), 1e-5) << what;
      EXPECT_NEAR(leg.length_m, top.y, 1e-5) << what;
      EXPECT_NEAR(leg.sole_m, ball.y, 1e-5) << what;
      EXPECT_LT(ball.y, top.y) << what;
      EXPECT_LE(distance(top, ankle), leg.reach_m + 1e-5F) << what;
      if (leg.plantigrade) {
        EXPECT_EQ(leg.distal.size(), 2U) << what;
      }
    }
  });
}

TEST(Skeletons, LegLengthIsTheMean) {
  each_body(kBodies, [](const Body& body, const std::string& what) {
    if (body.legs.empty()) return;
    double sum = 0;
    for (const Leg& leg : body.legs) sum += leg.length_m;
    EXPECT_NEAR(body.leg_length_m, sum / static_cast<double>(body.legs.size()), 1e-4) << what;
    // Foremost pair first, left before right.
    for (std::size_t i = 0; i < body.legs.size(); ++i) {
      EXPECT_EQ(body.legs[i].side, i % 2 == 0 ? Side::kLeft : Side::kRight) << what;
      EXPECT_EQ(body.legs[i].row, static_cast<int>(i / 2)) << what;
      if (i >= 2) {
        EXPECT_GT(rest_position(body, body.legs[i - 2].upper).z, rest_position(body, body.legs[i].upper).z) << what;
      }
    }
  });
}

TEST(Skeletons, LeftAndRightAreMirrorImages) {
  each_body(kBodies, [](const Body& body, const std::string& what) {
    const auto expect_mirrored = [&](int left, int right) {
      EXPECT_LT(distance(rest_position(body, left), mirrored(rest_position(body, right))), 1e-5F)
          << what << ", " << body.skeleton->name(left);
      EXPECT_GT(rest_position(body, left).x, 0) << what;  // Left is +x.
    };
    for (std::size_t i = 0; i + 1 < body.legs.size(); i += 2) {
      const Leg &a = body.legs[i], &b = body.legs[i + 1];
      expect_mirrored(a.upper, b.upper);
      expect_mirrored(a.lower, b.lower);
      for (std::size_t k = 0; k < a.distal.size(); ++k) expect_mirrored(a.distal[k], b.distal[k]);
      EXPECT_LT(distance(a.pole, mirrored(b.pole)), 1e-5F) << what;
      EXPECT_EQ(a.reach_m, b.reach_m) << what;
    }
    if (body.arms.size() == 2) {
      expect_mirrored(body.arms[0].upper, body.arms[1].upper);
      expect_mirrored(body.arms[0].hand, body.arms[1].hand);
      ASSERT_EQ(body.arms[0].fingers.size(), body.arms[1].fingers.size());
      EXPECT_LT(distance(body.arms[0].direction, mirrored(body.arms[1].direction)), 1e-5F);
    }
    if (body.wings.size() == 2) {
      expect_mirrored(body.wings[0].hand, body.wings[1].hand);
      ASSERT_EQ(body.wings[0].fingers.size(), body.wings[1].fingers.size());
      for (std::size_t k = 0; k < body.wings[0].fingers.size(); ++k) {
        expect_mirrored(body.wings[0].fingers[k], body.wings[1].fingers[k]);
      }
    }
    for (const int joint : body.spine) EXPECT_NEAR(rest_position(body, joint).x, 0, 1e-6) << what;
    for (const int joint : body.tail) EXPECT_NEAR(rest_position(body, joint).x, 0, 1e-6) << what;
  });
}

TEST(Skeletons, LimitsAllowAsMuchLeftAsRight) {
  each_body(4, [](const Body& body, const std::string& what) {
    ASSERT_EQ(body.limits.size(), static_cast<std::size_t>(body.skeleton->num_joints()));
    Random random(9);
    for (std::size_t i = 0; i + 1 < body.legs.size(); i += 2) {
      for (int round = 0; round < 20; ++round) {
        const Vec3 turn{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        // A mirror turns rotation vectors (x, y, z) into (x, -y, -z).
        const Quat left = from_rotation_vector(turn), right = from_rotation_vector(Vec3{turn.x, -turn.y, -turn.z});
        for (const auto& [a, b] :
             {std::pair{body.legs[i].upper, body.legs[i + 1].upper}, {body.legs[i].lower, body.legs[i + 1].lower}}) {
          EXPECT_NEAR(limit_violation_rad(body.limits[static_cast<std::size_t>(a)], left),
                      limit_violation_rad(body.limits[static_cast<std::size_t>(b)], right), 2e-3)
              << what << ", " << body.skeleton->name(a);
        }
      }
    }
  });
}

TEST(Skeletons, SeedsDiffer) {
  for (const BodyFamily family : families()) {
    std::set<std::uint64_t> topologies;
    std::set<float> lengths;
    for (int i = 0; i < 30; ++i) {
      const Body body = body_of(family, i);
      topologies.insert(body.skeleton->topology_hash());
      lengths.insert(body.body_length_m);
    }
    EXPECT_GE(topologies.size(), 2U) << to_string(family);
    EXPECT_EQ(lengths.size(), 30U) << to_string(family);
  }
}

TEST(Skeletons, OtherIsNoFamily) { EXPECT_DEATH(make_body(BodyFamily::kOther, Random(1)), "no body of this family"); }

}  // namespace
}  // namespace zoe::synth
