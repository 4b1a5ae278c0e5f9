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

}  // namespace
}  // namespace zoe::generate
