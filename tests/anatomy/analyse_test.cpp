// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. The analysis of small skeletons made by hand.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"

namespace zoe {
namespace {

struct Spot {
  const char* name;
  const char* parent;
  Vec3 position;  // Model space.
  JointKind kind = JointKind::kBone;
};

SkeletonPtr make(const std::vector<Spot>& spots, bool with_names = true) {
  std::vector<JointDesc> joints;
  std::map<std::string, int> index;
  for (const Spot& spot : spots) {
    JointDesc joint;
    const int number = static_cast<int>(joints.size());
    joint.name = with_names ? spot.name : "J" + std::to_string(number);
    joint.kind = spot.kind;
    if (*spot.parent != '\0') joint.parent = index.at(spot.parent);
    const Vec3 base = joint.parent == kNoJoint ? Vec3{} : spots[static_cast<std::size_t>(joint.parent)].position;
    joint.rest_local.translation = spot.position - base;
    index[spot.name] = number;
    joints.push_back(joint);
  }
  return Skeleton::create(std::move(joints)).value();
}

std::vector<Spot> person() {
  return {{"Hips", "", {0, 1, 0}},
          {"Spine", "Hips", {0, 1.2F, 0}},
          {"Chest", "Spine", {0, 1.4F, 0}},
          {"Head", "Chest", {0, 1.65F, 0}},
          {"LeftArm", "Chest", {0.2F, 1.4F, 0}},
          {"LeftForeArm", "LeftArm", {0.45F, 1.4F, 0}},
          {"LeftHand", "LeftForeArm", {0.7F, 1.4F, 0}},
          {"RightArm", "Chest", {-0.2F, 1.4F, 0}},
          {"RightForeArm", "RightArm", {-0.45F, 1.4F, 0}},
          {"RightHand", "RightForeArm", {-0.7F, 1.4F, 0}},
          {"LeftUpLeg", "Hips", {0.1F, 0.95F, 0}},
          {"LeftLeg", "LeftUpLeg", {0.1F, 0.5F, 0.02F}},
          {"LeftFoot", "LeftLeg", {0.1F, 0.08F, 0}},
          {"LeftToe", "LeftFoot", {0.1F, 0.02F, 0.15F}},
          {"RightUpLeg", "Hips", {-0.1F, 0.95F, 0}},
          {"RightLeg", "RightUpLeg", {-0.1F, 0.5F, 0.02F}},
          {"RightFoot", "RightLeg", {-0.1F, 0.08F, 0}},
          {"RightToe", "RightFoot", {-0.1F, 0.02F, 0.15F}}};
}

std::vector<int> sorted(std::vector<int> joints) {
  std::sort(joints.begin(), joints.end());
  return joints;
}

class Person : public testing::TestWithParam<bool> {};

TEST_P(Person, IsFoundWithAndWithoutNames) {
  const std::vector<Spot> spots = person();
  const SkeletonPtr skeleton = make(spots, GetParam());
  const SkeletonPtr names = make(spots);
  const SkeletonAnalysis result = analyse(*skeleton);
  EXPECT_EQ(result.family, BodyFamily::kBiped);
  EXPECT_NEAR(result.forward.z, 1, 1e-5);
  EXPECT_EQ(result.hips, names->find("Hips"));
  EXPECT_EQ(result.head, names->find("Head"));
  EXPECT_EQ(result.spine, (std::vector<int>{names->find("Spine"), names->find("Chest")}));
  EXPECT_EQ(sorted(result.feet), (std::vector<int>{names->find("LeftFoot"), names->find("RightFoot")}));
  EXPECT_EQ(sorted(result.hands), (std::vector<int>{names->find("LeftHand"), names->find("RightHand")}));
  EXPECT_EQ(result.pairs.size(), 7U);
  for (const JointPair& pair : result.pairs) {
    EXPECT_EQ("Right" + names->name(pair.left).substr(4), names->name(pair.right));
  }
  EXPECT_TRUE(result.tail.empty());
  EXPECT_NEAR(result.height_m, 1.63, 1e-3);
  EXPECT_DOUBLE_EQ(result.metres_per_unit, 1);
  EXPECT_EQ(result.of(AnalysisField::kLimbs).source, GetParam() ? EvidenceSource::kNames : EvidenceSource::kGeometry);
}

INSTANTIATE_TEST_SUITE_P(Names, Person, testing::Bool());

TEST(Analyse, TellsCentimetresByTheBodysHeight) {
  std::vector<Spot> spots = person();
  for (Spot& spot : spots) spot.position = spot.position * 100.0F;
  EXPECT_DOUBLE_EQ(analyse(*make(spots)).metres_per_unit, 0.01);
}

TEST(Analyse, ABodyTurnedAroundFacesTheOtherWay) {
  std::vector<Spot> spots = person();
  for (Spot& spot : spots) spot.position = {-spot.position.x, spot.position.y, -spot.position.z};
  const SkeletonAnalysis result = analyse(*make(spots, false));
  EXPECT_NEAR(result.forward.z, -1, 1e-5);
  const SkeletonPtr names = make(spots);
  for (const JointPair& pair : result.pairs) EXPECT_TRUE(names->name(pair.left).starts_with("Left"));
}

// Some rigs name left and right as the viewer sees them. A tail is behind whatever the sides are called.
TEST(Analyse, ATailOutvotesSidesOfTheViewer) {
  std::vector<Spot> spots = person();
  for (Spot& spot : spots) {
    spot.position.x = -spot.position.x;
    if (std::string(spot.name).ends_with("Toe")) spot.position.z = 0;
  }
  EXPECT_NEAR(analyse(*make(spots)).forward.z, -1, 1e-5);
  for (const float z : {-0.2F, -0.5F})
    spots.push_back({z > -0.3F ? "Tail" : "Tail1", z > -0.3F ? "Hips" : "Tail", {0, 0.9F, z}});
  EXPECT_NEAR(analyse(*make(spots)).forward.z, 1, 1e-5);
}

TEST(Analyse, HelpersAreNotTheBody) {
  std::vector<Spot> spots = person();
  spots.push_back({"Camera", "", {3, 2, 8}, JointKind::kNode});
  spots.push_back({"IK_foot_l", "Hips", {0.1F, 0, 0.5F}});
  spots.push_back({"forearm_twist_l", "LeftForeArm", {0.6F, 1.4F, 0}});
  const SkeletonAnalysis result = analyse(*make(spots));
  EXPECT_EQ(result.family, BodyFamily::kBiped);
  EXPECT_EQ(result.feet.size(), 2U);
  EXPECT_EQ(result.pairs.size(), 7U);
}

TEST(Analyse, AChainIsASnake) {
  std::vector<JointDesc> joints(14);
  for (int j = 0; j < 14; ++j) {
    joints[static_cast<std::size_t>(j)] = {"J" + std::to_string(j), j - 1, {}, JointKind::kBone};
    joints[static_cast<std::size_t>(j)].rest_local.translation = {0, 0, j == 0 ? 0.0F : -0.1F};
  }
  const SkeletonAnalysis result = analyse(*Skeleton::create(joints).value());
  EXPECT_EQ(result.family, BodyFamily::kSnake);
  EXPECT_TRUE(result.feet.empty());
  EXPECT_TRUE(result.pairs.empty());
}

TEST(Analyse, AsManyJointsAsThereMayBe) {
  // A spine with a pair of short legs at every joint.
  std::vector<JointDesc> joints;
  int spine = kNoJoint;
  while (joints.size() + 3 < static_cast<std::size_t>(Skeleton::kMaxJoints)) {
    const int next = static_cast<int>(joints.size());
    for (const float x : {0.0F, 1.0F, -1.0F}) {
      joints.push_back({"J", x == 0 ? spine : next, {}, JointKind::kBone});
      joints.back().rest_local.translation = x == 0 ? Vec3{0, 0, 0.001F} : Vec3{x, -1, 0};
    }
    spine = next;
  }
  EXPECT_GT(analyse(*Skeleton::create(joints).value()).pairs.size(), 20000U);
}

TEST(Analyse, OddSkeletonsAreSurvived) {
  EXPECT_EQ(analyse(*Skeleton::create({}).value()).root, kNoJoint);
  EXPECT_EQ(analyse(*Skeleton::create({{"only", kNoJoint, {}, JointKind::kBone}}).value()).root, 0);
  std::vector<JointDesc> same(50);  // All in one place.
  for (int j = 0; j < 50; ++j) same[static_cast<std::size_t>(j)] = {"x", (j - 1) / 2, {}, JointKind::kBone};
  same[0].parent = kNoJoint;
  EXPECT_TRUE(analyse(*Skeleton::create(same).value()).feet.empty());
}

}  // namespace
}  // namespace zoe
