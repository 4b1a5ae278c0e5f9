// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Skeletons and clips that nobody would call a body: analysed without a
// crash, a hang or numbers that are none. As many joints as there may be: what is not linear in
// them would run for minutes.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/anatomy/foot_contacts.h"
#include "zoe/anatomy/segments.h"

namespace zoe {
namespace {

constexpr int kMost = Skeleton::kMaxJoints;

JointDesc joint(std::string name, int parent, Vec3 offset) {
  return {std::move(name), parent, {offset, {}, {1, 1, 1}}, JointKind::kBone};
}

void expect_sane(const SkeletonAnalysis& a, const Skeleton& skeleton) {
  const auto is_joint = [&](int j) { return j >= 0 && j < skeleton.num_joints(); };
  EXPECT_NEAR(length(a.up), 1, 1e-4F);
  EXPECT_NEAR(length(a.forward), 1, 1e-4F);
  EXPECT_NEAR(dot(a.up, a.forward), 0, 1e-4F);
  EXPECT_TRUE(std::isfinite(a.metres_per_unit) && a.metres_per_unit > 0);
  EXPECT_TRUE(std::isfinite(a.height_m) && std::isfinite(a.ground_height));
  for (const auto* joints : {&a.feet, &a.hands, &a.spine, &a.tail}) {
    for (const int j : *joints) EXPECT_TRUE(is_joint(j));
  }
  for (const JointPair& pair : a.pairs)
    EXPECT_TRUE(is_joint(pair.left) && is_joint(pair.right) && pair.left != pair.right);
  for (const Evidence& evidence : a.evidence) EXPECT_TRUE(evidence.confidence >= 0 && evidence.confidence <= 1);
}

SkeletonAnalysis analysed(std::vector<JointDesc> joints, std::span<const Motion> clips = {}) {
  const SkeletonPtr skeleton = Skeleton::create(std::move(joints)).value();
  SkeletonAnalysis analysis;
  for (const bool up_is_known : {true, false}) {
    analysis = analyse(*skeleton, clips, nullptr, {.up_is_known = up_is_known});
    expect_sane(analysis, *skeleton);
  }
  return analysis;
}

TEST(AnalyseHostile, OneJointAndNone) {
  EXPECT_EQ(analysed({}).root, kNoJoint);
  EXPECT_EQ(analysed({joint("Hips", kNoJoint, {})}).root, 0);
  EXPECT_EQ(analysed({joint("LeftFoot", kNoJoint, {0, 1e-20F, 0})}).root, 0);
}

TEST(AnalyseHostile, AllInOnePlace) {
  std::vector<JointDesc> joints;
  for (int j = 0; j < 200; ++j)
    joints.push_back(joint(j % 2 ? "LeftFoot" : "RightFoot", j == 0 ? kNoJoint : (j - 1) / 2, {}));
  EXPECT_EQ(analysed(joints).family, BodyFamily::kOther);
}

TEST(AnalyseHostile, LongestChain) {
  std::vector<JointDesc> joints;
  for (int j = 0; j < kMost; ++j) joints.push_back(joint("J", j - 1, {0, 0, 0.001F}));
  EXPECT_EQ(analysed(joints).root, 0);
  // Every name has a partner at another depth.
  for (int j = 0; j < kMost; ++j)
    joints[static_cast<std::size_t>(j)].name = (j % 2 ? "L_" : "R_") + std::to_string(j / 2);
  analysed(joints);
  for (int j = 0; j < kMost; ++j) joints[static_cast<std::size_t>(j)].name = j % 2 ? "LeftLeg" : "LeftFoot";
  analysed(joints);
}

TEST(AnalyseHostile, LargestStar) {
  std::vector<JointDesc> joints{joint("Hips", kNoJoint, {0, 1, 0})};
  for (int j = 1; j < kMost; ++j) {
    const float angle = static_cast<float>(j) * 0.1F;
    joints.push_back(joint("Leg", 0, {std::cos(angle), -1, std::sin(angle)}));
  }
  EXPECT_EQ(analysed(joints).root, 0);
}

TEST(AnalyseHostile, TwoChainsThatMirrorEachOther) {
  std::vector<JointDesc> joints{joint("Hips", kNoJoint, {0, 1, 0})};
  for (int j = 1; j < kMost; ++j) {
    const float side = j % 2 ? 1.0F : -1.0F;
    joints.push_back(joint("J", j < 3 ? 0 : j - 2, {j < 3 ? side : side * 1e-4F, -1e-5F, 0}));
  }
  EXPECT_GT(analysed(joints).pairs.size(), 30000U);
}

TEST(AnalyseHostile, ManyRootsAndTwins) {
  std::vector<JointDesc> joints;
  for (int j = 0; j < kMost; ++j)
    joints.push_back(joint("Foot", kNoJoint, {static_cast<float>(j % 7), 0, static_cast<float>(j)}));
  analysed(joints);
  // Two people in one file: the first is the body.
  std::vector<JointDesc> twins;
  for (const float x : {0.0F, 3.0F}) {
    const int hips = static_cast<int>(twins.size());
    twins.push_back(joint("Hips", kNoJoint, {x, 1, 0}));
    twins.push_back(joint("Spine", hips, {0, 0.3F, 0}));
    twins.push_back(joint("Head", hips + 1, {0, 0.4F, 0}));
    for (const float side : {1.0F, -1.0F}) {
      const std::string word = side > 0 ? "Left" : "Right";
      const int leg = static_cast<int>(twins.size());
      twins.push_back(joint(word + "UpLeg", hips, {0.1F * side, 0, 0}));
      twins.push_back(joint(word + "Leg", leg, {0, -0.5F, 0.01F}));
      twins.push_back(joint(word + "Foot", leg + 1, {0, -0.45F, 0}));
    }
  }
  const SkeletonAnalysis found = analysed(twins);
  EXPECT_EQ(found.root, 0);
  EXPECT_EQ(found.head, 2);
}

TEST(AnalyseHostile, SizesBeyondMeasure) {
  for (const float size : {1e-30F, 1e-10F, 1e11F, 1e30F, std::numeric_limits<float>::max() / 4}) {
    std::vector<JointDesc> joints{joint("Hips", kNoJoint, {0, size, 0})};
    for (const float side : {1.0F, -1.0F}) {
      joints.push_back(joint(side > 0 ? "LeftLeg" : "RightLeg", 0, {side * size, 0, 0}));
      joints.push_back(joint(side > 0 ? "LeftFoot" : "RightFoot", static_cast<int>(joints.size()) - 1, {0, -size, 0}));
    }
    analysed(joints);
  }
}

TEST(AnalyseHostile, ClipsOfNoUse) {
  const std::vector<JointDesc> joints{joint("Hips", kNoJoint, {}), joint("LeftLeg", 0, {1, 0, 0}),
                                      joint("LeftFoot", 1, {1, 0, 0}), joint("RightLeg", 0, {1, 0, 0}),
                                      joint("RightFoot", 3, {1, 0, 0})};
  const SkeletonPtr skeleton = Skeleton::create(joints).value();
  std::vector<Motion> clips;
  clips.push_back(make_motion(skeleton, "no frames", 30, 0, false));
  clips.push_back(make_motion(skeleton, "still", 30, 50, false));
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30F}) {
    clips.push_back(make_motion(skeleton, "bad", 30, 40, false));
    for (std::size_t i = 0; i < clips.back().translations.size(); i += 3) clips.back().translations[i].y = value;
  }
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const SkeletonAnalysis analysis = analysed(joints, {&clips[i], 1});
    const auto segments = segment_actions(clips[i], analysis);
    if (i == 0) {
      EXPECT_FALSE(segments);
    }
  }
  analysed(joints, clips);
}

TEST(AnalyseHostile, BodiesThatLieOnTheirSideAreRefusedByWhatNeedsYUp) {
  const SkeletonPtr skeleton =
      Skeleton::create({joint("Hips", kNoJoint, {}), joint("LeftFoot", 0, {0, -1, 0})}).value();
  SkeletonAnalysis analysis = analyse(*skeleton);
  analysis.feet = {1};
  analysis.up = {0, 0, 1};
  const Motion motion = make_motion(skeleton, "m", 30, 5, false);
  for (const std::string& message :
       {find_foot_contacts(motion, analysis).error().message, segment_actions(motion, analysis).error().message})
    EXPECT_NE(message.find("up"), std::string::npos) << message;
}

}  // namespace
}  // namespace zoe
