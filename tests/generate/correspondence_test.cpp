// SPDX-License-Identifier: MIT
// Joints and frames of bodies that are known to be alike.
#include "zoe/generate/correspondence.h"

#include <cmath>

#include <gtest/gtest.h>

#include "features/turning_walker.h"

namespace zoe::generate {
namespace {

BodyLayout tokens_of(const SkeletonPtr& skeleton) {
  return make_body_layout(features::Schema::preset("anytop").value(), skeleton, test::walker_analysis()).value();
}

// The same body, larger and with other names: only shape and graph are left.
TEST(Correspondence, FindsTheSameJointsWithoutNames) {
  const SkeletonPtr walker = test::walker_skeleton();
  std::vector<JointDesc> joints(walker->joints().begin(), walker->joints().end());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joints[j].name = "x" + std::to_string(7 * j % 11);
    joints[j].rest_local.translation = joints[j].rest_local.translation * 3.0F;
  }
  const SkeletonPtr other = Skeleton::create(joints).value();
  const BodyLayout a = tokens_of(walker), b = tokens_of(other);
  for (const bool names : {true, false}) {
    const auto matches = correspond_joints(a.tokens, b.tokens, {}, {}, {.names = names ? 1.0 : 0.0});
    ASSERT_EQ(matches.size(), static_cast<std::size_t>(b.tokens.num_tokens()));
    for (const JointMatch& match : matches) {
      EXPECT_EQ(match.a, match.b);
      EXPECT_TRUE(match.mutual);
      EXPECT_GE(match.confidence, 0);
      EXPECT_LE(match.confidence, 1);
    }
  }
}

// A sequence that runs at half speed: the path goes through every second frame.
TEST(Correspondence, WarpsTime) {
  std::vector<float> fast, slow;
  for (int f = 0; f < 20; ++f)
    fast.insert(fast.end(), {std::cos(0.1F * static_cast<float>(f)), std::sin(0.1F * static_cast<float>(f))});
  for (int f = 0; f < 39; ++f)
    slow.insert(slow.end(), {std::cos(0.05F * static_cast<float>(f)), std::sin(0.05F * static_cast<float>(f))});
  const std::vector<FrameMatch> path = correspond_frames(fast, slow, 2);
  EXPECT_EQ(path.front().a, 0);
  EXPECT_EQ(path.front().b, 0);
  EXPECT_EQ(path.back().a, 19);
  EXPECT_EQ(path.back().b, 38);
  for (std::size_t i = 0; i < path.size(); ++i) {
    EXPECT_LE(std::abs(2 * path[i].a - path[i].b), 2) << i;
    if (i > 0) {
      EXPECT_GE(path[i].a, path[i - 1].a);
      EXPECT_GE(path[i].b, path[i - 1].b);
    }
  }
  EXPECT_TRUE(correspond_frames({}, slow, 2).empty());
}

// Arms of a person, front legs of a quadruped and wings of a bird do the same work; a spider has limbs to spare.
TEST(Correspondence, LimbsKeepTheirOrderFromTheHipsToTheHead) {
  using Limbs = std::vector<BodyParts::Limb>;
  const BodyParts person{Limbs{{LimbKind::kArm, Side::kLeft, 0.7},
                               {LimbKind::kArm, Side::kRight, 0.7},
                               {LimbKind::kLeg, Side::kLeft, 0},
                               {LimbKind::kLeg, Side::kRight, 0}},
                         {},
                         {}};
  const BodyParts dog{Limbs{{LimbKind::kLeg, Side::kRight, 0.1},
                            {LimbKind::kLeg, Side::kLeft, 0.6},
                            {LimbKind::kLeg, Side::kLeft, 0.1},
                            {LimbKind::kLeg, Side::kRight, 0.6}},
                      {},
                      {}};
  EXPECT_EQ(correspond_limbs(person, dog), (std::vector<int>{3, 0, 2, 1}));
  EXPECT_EQ(correspond_limbs(dog, person), (std::vector<int>{1, 3, 2, 0}));
  const BodyParts bird{Limbs{{LimbKind::kWing, Side::kLeft, 0.6}, {LimbKind::kWing, Side::kRight, 0.6}}, {}, {}};
  EXPECT_EQ(correspond_limbs(person, bird), (std::vector<int>{0, 1}));
  EXPECT_EQ(correspond_limbs(bird, person), (std::vector<int>{0, 1, -1, -1}));
}

TEST(Correspondence, PartsOfAWalker) {
  const SkeletonPtr walker = test::walker_skeleton();
  const BodyLayout body = tokens_of(walker);
  const BodyParts parts = find_body_parts(body.tokens, *walker, test::walker_analysis());
  ASSERT_EQ(parts.part.size(), body.tokens.joints.size());
  for (std::size_t t = 0; t < parts.part.size(); ++t) {
    const int joint = body.tokens.joints[t];
    const int expected[] = {kTrunkPart, 0, 0, 1, 1, kHeadPart};
    EXPECT_EQ(parts.part[t], expected[joint]) << walker->name(joint);
    EXPECT_TRUE((joint != 2 && joint != 4) || parts.position[t] == 1.0);
  }
}

}  // namespace
}  // namespace zoe::generate
