// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Corrections to an analysis from a file.
#include "zoe/anatomy/overrides.h"

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

TEST(Overrides, UnknownJointIsRefusedWithASuggestion) {
  const auto overrides = parse_overrides("family = \"bird\"\nfeet = [\"LeftFoto\"]");
  ASSERT_TRUE(overrides);
  SkeletonAnalysis analysis;
  const auto applied = apply_overrides(*three_joints(), *overrides, analysis);
  ASSERT_FALSE(applied);
  EXPECT_NE(applied.error().message.find("did you mean 'LeftFoot'"), std::string::npos)
      << applied.error().message;
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
