// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Corrections to an analysis from a file.
#include "zoe/anatomy/overrides.h"

#include <functional>

#include <gtest/gtest.h>

namespace zoe {
namespace {

SkeletonPtr three_joints() {
  return Skeleton::create({{"Hips", kNoJoint, {}, JointKind::kBone},
                           {"LeftFoot", 0, {}, JointKind::kBone},
                           {"RightFoot", 0, {}, JointKind::kBone}})
      .value();
}

TEST(Overrides, ReplaceWhatIsGivenAndNothingElse) {
  const auto overrides = parse_overrides(R"(
family = "bird"
forward = [2, 0, 0]
metres_per_unit = 0.01
head = "Hips"
tail = []
feet = ["RightFoot"]
limbs = ["leg left: Hips LeftFoot", "wing right: Hips, RightFoot"]
pairs = ["LeftFoot = RightFoot"]
)");
  ASSERT_TRUE(overrides) << overrides.error().format();
  SkeletonAnalysis analysis;
  analysis.tail = {0, 1};
  analysis.spine = {2};
  analysis.height_m = 150;
  ASSERT_TRUE(apply_overrides(*three_joints(), *overrides, analysis));
  EXPECT_EQ(analysis.family, BodyFamily::kBird);
  EXPECT_EQ(analysis.forward, (Vec3{1, 0, 0}));
  EXPECT_DOUBLE_EQ(analysis.metres_per_unit, 0.01);
  EXPECT_DOUBLE_EQ(analysis.height_m, 1.5);
  EXPECT_EQ(analysis.head, 0);
  EXPECT_TRUE(analysis.tail.empty());
  EXPECT_EQ(analysis.spine, std::vector<int>{2});
  EXPECT_EQ(analysis.feet, std::vector<int>{2});
  ASSERT_EQ(analysis.limbs.size(), 2U);
  EXPECT_EQ(analysis.limbs[0].side, Side::kLeft);
  EXPECT_EQ(analysis.limbs[1].kind, LimbKind::kWing);
  EXPECT_EQ(analysis.limbs[1].joints, (std::vector<int>{0, 2}));
  EXPECT_EQ(analysis.pairs, (std::vector<JointPair>{{1, 2}}));
  EXPECT_EQ(analysis.of(AnalysisField::kFeet).source, EvidenceSource::kOverride);
  EXPECT_EQ(analysis.of(AnalysisField::kSpine).source, EvidenceSource::kNone);
}

// Each field by itself: it changes, says so, and nothing else does.
TEST(Overrides, EveryFieldCanBeGivenAlone) {
  const SkeletonPtr skeleton = three_joints();
  Motion clip = make_motion(skeleton, "m", 30, 3, false);
  clip.translations[3 * 2] = {7, 8, 9};  // Hips in the last frame.
  struct Case {
    AnalysisField field;
    const char* toml;
    std::function<bool(const SkeletonAnalysis&)> changed;
  };
  const std::vector<Case> cases{
      {AnalysisField::kFamily, "family = 'fish'", [](const auto& a) { return a.family == BodyFamily::kFish; }},
      {AnalysisField::kUp, "up = [0, 0, 2]",
       [](const auto& a) {
         return a.up == Vec3{0, 0, 1};
       }},
      {AnalysisField::kForward, "forward = [-3, 0, 0]",
       [](const auto& a) {
         return a.forward == Vec3{-1, 0, 0};
       }},
      {AnalysisField::kMetresPerUnit, "metres_per_unit = 0.5",
       [](const auto& a) { return a.metres_per_unit == 0.5 && a.height_m == 1; }},
      {AnalysisField::kHeight, "height_m = 3.0", [](const auto& a) { return a.height_m == 3; }},
      {AnalysisField::kRoot, "root = 'LeftFoot'", [](const auto& a) { return a.root == 1; }},
      {AnalysisField::kHips, "hips = 'RightFoot'", [](const auto& a) { return a.hips == 2; }},
      {AnalysisField::kHead, "head = 'RightFoot'", [](const auto& a) { return a.head == 2; }},
      {AnalysisField::kSpine, "spine = ['Hips', 'LeftFoot']",
       [](const auto& a) {
         return a.spine == std::vector<int>{0, 1};
       }},
      {AnalysisField::kLimbs, "limbs = ['fin center: Hips RightFoot']",
       [](const auto& a) {
         return a.limbs.size() == 1 && a.limbs[0].kind == LimbKind::kFin && a.limbs[0].side == Side::kCenter;
       }},
      {AnalysisField::kFeet, "feet = ['LeftFoot', 'RightFoot']",
       [](const auto& a) {
         return a.feet == std::vector<int>{1, 2};
       }},
      {AnalysisField::kHands, "hands = ['LeftFoot']", [](const auto& a) { return a.hands == std::vector<int>{1}; }},
      {AnalysisField::kTail, "tail = ['Hips']", [](const auto& a) { return a.tail == std::vector<int>{0}; }},
      {AnalysisField::kPairs, "pairs = ['RightFoot = LeftFoot']",
       [](const auto& a) {
         return a.pairs == std::vector<JointPair>{{2, 1}};
       }},
      {AnalysisField::kGround, "ground_height = -0.25", [](const auto& a) { return a.ground_height == -0.25; }},
      {AnalysisField::kReferencePose, "reference_pose = 'clip 0 frame 2'", [](const auto& a) {
         return a.reference_clip == 0 && a.reference_frame == 2 && a.reference_positions.at(0) == Vec3{7, 8, 9};
       }}};
  ASSERT_EQ(cases.size(), kNumAnalysisFields);
  for (const Case& c : cases) {
    const auto overrides = parse_overrides(c.toml);
    ASSERT_TRUE(overrides) << overrides.error().format();
    SkeletonAnalysis analysis;
    analysis.height_m = 2;
    EXPECT_FALSE(c.changed(analysis)) << c.toml;
    ASSERT_TRUE(apply_overrides(*skeleton, *overrides, analysis, {&clip, 1})) << c.toml;
    EXPECT_TRUE(c.changed(analysis)) << c.toml;
    for (std::size_t i = 0; i < kNumAnalysisFields; ++i) {
      const bool given = i == static_cast<std::size_t>(c.field);
      EXPECT_EQ(analysis.evidence[i].source == EvidenceSource::kOverride, given) << c.toml << " " << i;
      EXPECT_EQ(analysis.evidence[i].confidence, given ? 1 : 0) << c.toml;
    }
  }
}

TEST(Overrides, AReferencePoseMustExist) {
  const SkeletonPtr skeleton = three_joints();
  const Motion clip = make_motion(skeleton, "m", 30, 3, false);
  SkeletonAnalysis analysis;
  for (const char* toml : {"reference_pose = 'clip 0 frame 3'", "reference_pose = 'clip 1 frame 0'"}) {
    const auto applied = apply_overrides(*skeleton, parse_overrides(toml).value(), analysis, {&clip, 1});
    ASSERT_FALSE(applied) << toml;
    EXPECT_NE(applied.error().message.find("frame"), std::string::npos);
  }
  EXPECT_FALSE(parse_overrides("reference_pose = 'clip -1 frame 0'"));
  ASSERT_TRUE(apply_overrides(*skeleton, parse_overrides("reference_pose = 'rest'").value(), analysis));
  EXPECT_EQ(analysis.reference_clip, -1);
  EXPECT_EQ(analysis.reference_positions.size(), 3U);
}

TEST(Overrides, UnknownJointIsRefusedWithASuggestion) {
  const auto overrides = parse_overrides("family = \"bird\"\nfeet = [\"LeftFoto\"]");
  ASSERT_TRUE(overrides);
  SkeletonAnalysis analysis;
  const auto applied = apply_overrides(*three_joints(), *overrides, analysis);
  ASSERT_FALSE(applied);
  EXPECT_NE(applied.error().message.find("did you mean 'LeftFoot'"), std::string::npos) << applied.error().message;
  EXPECT_EQ(analysis.family, BodyFamily::kOther) << "a refused file must change nothing";
}

TEST(Overrides, MistakesInTheFileAreNamed) {
  for (const auto& [toml, word] : {std::pair{"family = \"brid\"", "bird"},
                                   {"fet = []", "feet"},
                                   {"forward = [0, 0, 0]", "forward"},
                                   {"forward = [1, 2]", "forward"},
                                   {"metres_per_unit = -1.0", "metres_per_unit"},
                                   {"limbs = [\"leg LeftFoot\"]", "leg left"},
                                   {"limbs = [\"leg lft: LeftFoot\"]", "left"},
                                   {"pairs = [\"LeftFoot\"]", "left = right"}}) {
    const auto overrides = parse_overrides(toml);
    ASSERT_FALSE(overrides) << toml;
    EXPECT_NE(overrides.error().message.find(word), std::string::npos) << overrides.error().message;
  }
}

}  // namespace
}  // namespace zoe
