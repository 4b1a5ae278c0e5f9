// SPDX-License-Identifier: MIT
// Bodies as tokens: graphs against shortest paths of all pairs, names of several conventions, motions there and back.
#include "zoe/features/body_tokens.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "zoe/features/action_words.h"
#include "zoe/features/frame_rows.h"
#include "zoe/features/gather_job.h"

#include "features/stepping_figure.h"

namespace zoe::features {
namespace {

TEST(JointRelations, AreShortestPathsAndNeighbours) {
  // A hand: wrist 0, two fingers of three joints, and a thumb that is the mirror image of nothing.
  const std::vector<int> parents{-1, 0, 1, 2, 0, 4, 5, 0}, mirrors{0, 4, 5, 6, 1, 2, 3, 7};
  const std::size_t n = parents.size();
  std::vector<int> hops(n * n, 100);  // Floyd and Warshall.
  for (std::size_t i = 0; i < n; ++i) {
    hops[i * n + i] = 0;
    if (parents[i] >= 0) {
      const auto p = static_cast<std::size_t>(parents[i]);
      hops[i * n + p] = hops[p * n + i] = 1;
    }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        hops[i * n + j] = std::min(hops[i * n + j], hops[i * n + k] + hops[k * n + j]);
  const std::vector<float> relations = joint_relations(parents, mirrors);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      EXPECT_EQ(relations[2 * (i * n + j) + 1], kNumRelations + std::min(hops[i * n + j], kMaxHops)) << i << " " << j;
  }
  const auto relation = [&](std::size_t i, std::size_t j) {
    return static_cast<JointRelation>(static_cast<int>(relations[2 * (i * n + j)]));
  };
  EXPECT_EQ(relation(0, 0), JointRelation::kSelf);
  EXPECT_EQ(relation(3, 3), JointRelation::kLeaf);
  EXPECT_EQ(relation(2, 1), JointRelation::kParent);
  EXPECT_EQ(relation(1, 2), JointRelation::kChild);
  EXPECT_EQ(relation(1, 7), JointRelation::kSibling);
  EXPECT_EQ(relation(2, 5), JointRelation::kMirror);
  EXPECT_EQ(relation(2, 6), JointRelation::kNone);
}

double likeness(const char* a, const char* b) {
  std::vector<float> x(kNameWidth), y(kNameWidth);
  name_pieces(a, x), name_pieces(b, y);
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

TEST(NamePieces, AreAlikeForAlikeNames) {
  EXPECT_NEAR(likeness("LeftForeArm", "fore_arm.R"), 1, 1e-6);  // Sides are elsewhere.
  EXPECT_NEAR(likeness("Spine1", "Spine_04"), 1, 1e-6);         // Numbers are elsewhere.
  EXPECT_GT(likeness("mixamorig:LeftForeArm", "forearm_l"), 0.3);
  EXPECT_GT(likeness("UpperLeg", "LowerLeg"), likeness("UpperLeg", "Head"));
  EXPECT_GT(likeness("尾巴", "尾巴"), 0.99);  // Other alphabets are names too.
  EXPECT_LT(likeness("尾巴", "翅膀"), 0.9);
  EXPECT_EQ(likeness("", "Hips"), 0);
}

TEST(ActionWords, ReadClipsAndSentences) {
  const auto words = [](const char* text) {
    std::string joined;
    for (const int action : read_action_words(text).actions)
      joined += std::string(action_vocabulary()[static_cast<std::size_t>(action)]) + " ";
    return joined;
  };
  EXPECT_EQ(words("AnimalArmature|Gallop_Jump"), "run jump ");
  EXPECT_EQ(words("the dog walks, then attacks"), "walk attack ");
  EXPECT_EQ(words("Death"), "die ");
  EXPECT_EQ(words("cmu/actions/dance/05_02"), "dance ");
  EXPECT_EQ(words("moving"), "walk ");
  EXPECT_EQ(words("wheelchair-move-left"), "sit left ");  // Travels, and does not walk.
  EXPECT_EQ(words("move_left"), "walk left ");
  EXPECT_EQ(words("cmu/locomotion/run/16_35"), "run ");
  EXPECT_EQ(words("a purple teapot"), "");
  EXPECT_EQ(read_action_words("a purple teapot walks").not_used, (std::vector<std::string>{"purple", "teapot"}));
  const std::vector<float> bag = action_bag(read_action_words("run").actions);
  EXPECT_EQ(std::accumulate(bag.begin(), bag.end(), 0.0F), 1.0F);
}

TEST(BodyTokens, MotionsBecomeNumbersWithoutAUnitAndComeBack) {
  const Motion motion = test::walking({}, 60);
  const SkeletonAnalysis analysis = test::figure_analysis();
  Schema schema = Schema::preset("anytop").value();
  const Layout layout = Layout::compile(schema, *motion.skeleton, analysis).value();
  const BodyTokens body = body_tokens(layout, motion.skeleton, analysis).value();
  const auto tokens = static_cast<std::size_t>(body.num_tokens());
  ASSERT_EQ(tokens * kTokenWidth, static_cast<std::size_t>(layout.width(BlockKind::kOutput)));
  EXPECT_EQ(body.parents[0], kNoJoint);
  float lowest = 1e9F;
  for (std::size_t t = 0; t < tokens; ++t) lowest = std::min(lowest, body.rest[t * kTokenWidth + 1]);
  EXPECT_NEAR(lowest, 0, 1e-6);
  // The rest pose itself is zero, contacts apart.
  std::vector<float> rest = body.rest;
  to_canonical(body, rest);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (i % kTokenWidth != kTokenWidth - 1) {
      EXPECT_EQ(rest[i], 0) << i;
    }
  }
  const auto rows = build_frame_rows(layout, {.motion = &motion}).value();
  const ClipRows clip{rows.data(), num_rows(layout, motion)};
  const Sample sample{0, 3, 0};
  std::vector<float> values(layout.size(BlockKind::kOutput));
  ASSERT_TRUE((GatherJob{.layout = &layout, .clips = {&clip, 1}, .samples = {&sample, 1}, .output = values}.run()));
  std::vector<float> back = values;
  to_canonical(body, back);
  EXPECT_NE(back, values);
  from_canonical(body, back);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(back[i], values[i], 2e-6F * (1 + std::abs(values[i])));
}

TEST(BodyTokens, RefusesOtherSchemas) {
  const Motion motion = test::walking({}, 60);
  const SkeletonAnalysis analysis = test::figure_analysis();
  const Layout layout = Layout::compile(Schema::preset("locomotion").value(), *motion.skeleton, analysis).value();
  const auto body = body_tokens(layout, motion.skeleton, analysis);
  ASSERT_FALSE(body);
  EXPECT_NE(body.error().message.find("anytop"), std::string::npos);
}

}  // namespace
}  // namespace zoe::features
