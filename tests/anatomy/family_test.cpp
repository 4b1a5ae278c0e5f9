// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Families of small bodies made by hand, each of a kind that was misread once.
#include <gtest/gtest.h>

#include "zoe/anatomy/analysis.h"
#include "zoe/anatomy/calibration_frames.h"

#include "support/skinned_body.h"

namespace zoe {
namespace {

using Joints = std::vector<BodyJoint>;

int count(const SkeletonAnalysis& body, LimbKind kind) {
  return static_cast<int>(std::ranges::count(body.limbs, kind, &Limb::kind));
}

SkeletonAnalysis analysed(const Joints& joints) { return analyse(*make_skeleton(joints)); }

void add_pair(Joints& joints, const char* left, const char* right, const char* left_parent, const char* right_parent,
              Vec3 at) {
  joints.push_back({left, left_parent, at});
  joints.push_back({right, right_parent, {-at.x, at.y, at.z}});
}

Joints horizontal(float back = 0.8F) {
  return {{"Hips", "", {0, 1, -back}},
          {"Spine", "Hips", {0, 1, 0}},
          {"Chest", "Spine", {0, 1.05F, back}},
          {"Neck", "Chest", {0, 1.3F, back + 0.2F}},
          {"Head", "Neck", {0, 1.5F, back + 0.4F}}};
}

Joints quadruped() {
  Joints joints = horizontal();
  add_pair(joints, "BackLeg.L", "BackLeg.R", "Hips", "Hips", {0.2F, 0.95F, -0.8F});
  add_pair(joints, "BackLowLeg.L", "BackLowLeg.R", "BackLeg.L", "BackLeg.R", {0.2F, 0.5F, -0.75F});
  add_pair(joints, "BackFoot.L", "BackFoot.R", "BackLowLeg.L", "BackLowLeg.R", {0.2F, 0.05F, -0.8F});
  add_pair(joints, "FrontLeg.L", "FrontLeg.R", "Chest", "Chest", {0.2F, 0.95F, 0.8F});
  add_pair(joints, "FrontLowLeg.L", "FrontLowLeg.R", "FrontLeg.L", "FrontLeg.R", {0.2F, 0.5F, 0.75F});
  add_pair(joints, "FrontFoot.L", "FrontFoot.R", "FrontLowLeg.L", "FrontLowLeg.R", {0.2F, 0.05F, 0.8F});
  return joints;
}

// Arms that are called legs, short, low enough to be near the ground in a crouch.
TEST(Family, ATheropodIsABiped) {
  Joints joints = horizontal(0.5F);
  add_pair(joints, "BackLeg.L", "BackLeg.R", "Hips", "Hips", {0.2F, 0.95F, -0.5F});
  add_pair(joints, "BackLowLeg.L", "BackLowLeg.R", "BackLeg.L", "BackLeg.R", {0.2F, 0.5F, -0.35F});
  add_pair(joints, "BackFoot.L", "BackFoot.R", "BackLowLeg.L", "BackLowLeg.R", {0.2F, 0.05F, -0.5F});
  add_pair(joints, "FrontLeg.L", "FrontLeg.R", "Chest", "Chest", {0.15F, 0.9F, 0.5F});
  add_pair(joints, "FrontLowLeg.L", "FrontLowLeg.R", "FrontLeg.L", "FrontLeg.R", {0.15F, 0.7F, 0.5F});
  add_pair(joints, "FrontFoot.L", "FrontFoot.R", "FrontLowLeg.L", "FrontLowLeg.R", {0.15F, 0.52F, 0.6F});
  const SkeletonAnalysis body = analysed(joints);
  EXPECT_EQ(body.family, BodyFamily::kBiped);
  EXPECT_EQ(count(body, LimbKind::kLeg), 2);
  EXPECT_EQ(count(body, LimbKind::kArm), 2);
}

TEST(Family, TargetsOfASolverAreNoLegs) {
  Joints joints = quadruped();
  add_pair(joints, "LegPT.L", "LegPT.R", "Hips", "Hips", {0.2F, 0.5F, 0.2F});
  add_pair(joints, "LegIK.L", "LegIK.R", "Hips", "Hips", {0.2F, 0.05F, -0.8F});
  add_pair(joints, "front_legPT.L", "front_legPT.R", "Hips", "Hips", {0.2F, 0.5F, 1.4F});
  const SkeletonAnalysis body = analysed(joints);
  EXPECT_EQ(body.family, BodyFamily::kQuadruped);
  EXPECT_EQ(body.feet.size(), 4U);
}

// Points on the surface of a box around each joint that `boxes` names, bound in the rest pose.
CharacterPtr make_fleshed(const SkeletonPtr& skeleton, const std::vector<std::pair<Vec3, Vec3>>& boxes) {
  auto character = std::make_shared<Character>();
  character->skeleton = skeleton;
  Mesh mesh;
  Skin skin;
  mesh.influences_per_vertex = 1;
  for (int j = 0; j < skeleton->num_joints(); ++j) {
    skin.joints.push_back(j);
    skin.joint_from_mesh.push_back(inverse(skeleton->rest_model()[static_cast<std::size_t>(j)]));
    const auto [low, high] = boxes[static_cast<std::size_t>(j)];
    constexpr int kSide = 4;
    for (int corner = 0; corner < kSide * kSide * kSide; ++corner) {
      const Vec3 t{static_cast<float>(corner % kSide) / (kSide - 1),
                   static_cast<float>(corner / kSide % kSide) / (kSide - 1),
                   static_cast<float>(corner / kSide / kSide) / (kSide - 1)};
      mesh.positions.push_back(low + Vec3{(high - low).x * t.x, (high - low).y * t.y, (high - low).z * t.z});
      mesh.influence_joints.push_back(static_cast<std::uint16_t>(j));
      mesh.influence_weights.push_back(1);
    }
  }
  mesh.indices = {0, 1, 4};
  mesh.submeshes.push_back({0, 3, -1});
  character->meshes.push_back(std::move(mesh));
  character->skins.push_back(std::move(skin));
  MeshInstance instance;
  instance.skin = 0;
  character->instances.push_back(instance);
  return character;
}

struct Toy {
  Joints joints;
  std::vector<std::pair<Vec3, Vec3>> boxes;
  void add(const char* name, const char* parent, Vec3 at, Vec3 low, Vec3 high) {
    joints.push_back({name, parent, at});
    boxes.emplace_back(low, high);
  }
  // x of the left one.
  void add_both(const char* left, const char* right, const char* parent, Vec3 at, Vec3 low, Vec3 high) {
    add(left, parent, at, low, high);
    add(right, parent, {-at.x, at.y, at.z}, {-high.x, low.y, low.z}, {-low.x, high.y, high.z});
  }
  SkeletonAnalysis analysed() const {
    const SkeletonPtr skeleton = make_skeleton(joints);
    const CharacterPtr character = make_fleshed(skeleton, boxes);
    return analyse(*skeleton, {}, character.get());
  }
};

// Limbs of one joint and without names: their joints alone show nothing.
TEST(Family, AToyWithoutNamesIsJudgedByItsSurface) {
  Toy toy;
  toy.add("J0", "", {0, 0.5F, 0}, {-0.2F, 0.4F, -0.15F}, {0.2F, 0.6F, 0.15F});
  toy.add("J1", "J0", {0, 0.6F, 0}, {-0.25F, 0.6F, -0.15F}, {0.25F, 1, 0.15F});
  toy.add("J2", "J1", {0, 1, 0}, {-0.2F, 1, -0.2F}, {0.2F, 1.5F, 0.2F});
  toy.add_both("J3", "J4", "J0", {0.12F, 0.45F, 0}, {0.05F, 0, -0.1F}, {0.2F, 0.45F, 0.15F});
  toy.add_both("J5", "J6", "J1", {0.25F, 0.95F, 0}, {0.25F, 0.85F, -0.08F}, {0.8F, 1.02F, 0.08F});
  const SkeletonAnalysis body = toy.analysed();
  EXPECT_EQ(body.family, BodyFamily::kBiped);
  EXPECT_EQ(count(body, LimbKind::kLeg), 2);
  EXPECT_EQ(count(body, LimbKind::kArm), 2);
}

TEST(Family, FlatWideLimbsWithoutNamesAreWings) {
  Toy toy;
  toy.add("J0", "", {0, 1, 0}, {-0.2F, 0.6F, -0.2F}, {0.2F, 1.3F, 0.2F});
  toy.add("J1", "J0", {0, 1.3F, 0}, {-0.15F, 1.3F, -0.15F}, {0.15F, 1.6F, 0.15F});
  // The surface is behind the bone, towards -z.
  toy.add_both("J2", "J3", "J0", {0.2F, 1.2F, 0.05F}, {0.2F, 1.18F, -0.35F}, {1, 1.22F, 0.08F});
  const SkeletonAnalysis body = toy.analysed();
  EXPECT_EQ(body.family, BodyFamily::kFlyer);
  EXPECT_EQ(count(body, LimbKind::kWing), 2);
  EXPECT_GT(body.forward.z, 0.9F);
}

// Bones of no name that move nothing, in the skin of a rig that has others.
TEST(Family, LimbsThatMoveNoSkinAreNoLimbs) {
  Joints joints = quadruped();
  add_pair(joints, "A.L", "A.R", "Spine", "Spine", {0.4F, 0.9F, 0});
  add_pair(joints, "B.L", "B.R", "A.L", "A.R", {0.5F, 0.5F, 0});
  add_pair(joints, "C.L", "C.R", "B.L", "B.R", {0.5F, 0.02F, 0});
  const SkeletonPtr skeleton = make_skeleton(joints);
  const CharacterPtr character =
      make_skinned(skeleton, rest_of(*skeleton), [&](int j) { return j < static_cast<int>(quadruped().size()); });
  EXPECT_EQ(analyse(*skeleton, {}, character.get()).feet.size(), 4U);
}

TEST(Family, AFishWithoutFinsIsAFish) {
  const Joints joints{{"Root", "", {0, 0.5F, 0}},
                      {"Face", "Root", {0, 0.5F, 0.6F}},
                      {"Spine1", "Root", {0, 0.5F, -0.3F}},
                      {"Spine2", "Spine1", {0, 0.5F, -0.6F}},
                      {"Spine3", "Spine2", {0, 0.5F, -0.9F}},
                      {"Tail", "Spine3", {0, 0.5F, -1.2F}}};
  EXPECT_EQ(analysed(joints).family, BodyFamily::kFish);
}

Joints winged(bool long_tail) {
  Joints joints = horizontal(0.4F);
  add_pair(joints, "Leg.L", "Leg.R", "Hips", "Hips", {0.15F, 0.9F, -0.4F});
  add_pair(joints, "Shin.L", "Shin.R", "Leg.L", "Leg.R", {0.15F, 0.5F, -0.3F});
  add_pair(joints, "Foot.L", "Foot.R", "Shin.L", "Shin.R", {0.15F, 0.05F, -0.4F});
  add_pair(joints, "Wing1.L", "Wing1.R", "Chest", "Chest", {0.2F, 1.1F, 0.4F});
  add_pair(joints, "Wing2.L", "Wing2.R", "Wing1.L", "Wing1.R", {0.9F, 1.2F, 0.4F});
  add_pair(joints, "Wing3.L", "Wing3.R", "Wing2.L", "Wing2.R", {1.6F, 1.1F, 0.3F});
  const float step = long_tail ? 0.5F : 0.1F;
  joints.push_back({"Tail1", "Hips", {0, 1, -0.5F}});
  joints.push_back({"Tail2", "Tail1", {0, 1, -0.5F - step}});
  joints.push_back({"Tail3", "Tail2", {0, 1, -0.5F - 2 * step}});
  joints.push_back({"Tail4", "Tail3", {0, 1, -0.5F - 3 * step}});
  return joints;
}

TEST(Family, AWyvernIsNoBird) {
  EXPECT_EQ(analysed(winged(true)).family, BodyFamily::kFlyer);
  EXPECT_EQ(analysed(winged(false)).family, BodyFamily::kBird);
}

TEST(Family, AToyWithoutLegJointsIsABiped) {
  Joints joints{{"Body", "", {0, 0.2F, 0}}, {"Head", "Body", {0, 0.8F, 0}}};
  add_pair(joints, "armLeft", "armRight", "Body", "Body", {0.3F, 0.7F, 0});
  EXPECT_EQ(analysed(joints).family, BodyFamily::kBiped);
}

// Hands as low as the feet of a toy with short legs, below an upright trunk.
TEST(Family, LowHandsBelowAnUprightTrunkAreHands) {
  Joints joints{{"Hips", "", {0, 0.4F, 0}}, {"Chest", "Hips", {0, 1, 0}}, {"Head", "Chest", {0, 1.4F, 0}}};
  add_pair(joints, "UpperLeg.L", "UpperLeg.R", "Hips", "Hips", {0.3F, 0.4F, 0});
  add_pair(joints, "LowerLeg.L", "LowerLeg.R", "UpperLeg.L", "UpperLeg.R", {0.3F, 0.2F, 0.05F});
  add_pair(joints, "Foot.L", "Foot.R", "LowerLeg.L", "LowerLeg.R", {0.3F, 0.0F, 0});
  add_pair(joints, "UpperArm.L", "UpperArm.R", "Chest", "Chest", {0.3F, 1, 0});
  add_pair(joints, "LowerArm.L", "LowerArm.R", "UpperArm.L", "UpperArm.R", {0.5F, 0.6F, 0});
  add_pair(joints, "Fist.L", "Fist.R", "LowerArm.L", "LowerArm.R", {0.6F, 0.15F, 0.1F});
  const SkeletonAnalysis body = analysed(joints);
  EXPECT_EQ(body.family, BodyFamily::kBiped);
  EXPECT_EQ(body.hands.size(), 2U);
}

// One leg is lifted in the pose: both stay legs.
TEST(Family, LimbsOfAPairHaveOneType) {
  Joints joints = quadruped();
  for (BodyJoint& joint : joints) {
    if (std::string(joint.name) == "FrontLowLeg.L") joint.position = {0.2F, 0.85F, 1.2F};
    if (std::string(joint.name) == "FrontFoot.L") joint.position = {0.2F, 0.8F, 1.6F};
  }
  const SkeletonAnalysis body = analysed(joints);
  EXPECT_EQ(count(body, LimbKind::kLeg), 4);
  EXPECT_EQ(body.family, BodyFamily::kQuadruped);
}

// A dog that sits: "hands" on the ground, the trunk steep.
TEST(Family, ADogThatSitsIsAQuadruped) {
  Joints joints{{"Hips", "", {0, 0.15F, -0.3F}},      {"Spine", "Hips", {0, 0.45F, -0.1F}},
                {"Chest", "Spine", {0, 0.8F, 0.05F}}, {"Neck", "Chest", {0, 1, 0.1F}},
                {"Head", "Neck", {0, 1.1F, 0.25F}},   {"Tail", "Hips", {0, 0.1F, -0.5F}},
                {"Tail1", "Tail", {0, 0.05F, -0.8F}}};
  add_pair(joints, "LeftUpLeg", "RightUpLeg", "Hips", "Hips", {0.12F, 0.15F, -0.3F});
  add_pair(joints, "LeftLeg", "RightLeg", "LeftUpLeg", "RightUpLeg", {0.18F, 0.3F, 0.05F});
  add_pair(joints, "LeftFoot", "RightFoot", "LeftLeg", "RightLeg", {0.18F, 0.02F, -0.2F});
  add_pair(joints, "LeftArm", "RightArm", "Chest", "Chest", {0.12F, 0.7F, 0.1F});
  add_pair(joints, "LeftForeArm", "RightForeArm", "LeftArm", "RightArm", {0.12F, 0.4F, 0.1F});
  add_pair(joints, "LeftHand", "RightHand", "LeftForeArm", "RightForeArm", {0.12F, 0.03F, 0.15F});
  const SkeletonAnalysis body = analysed(joints);
  EXPECT_EQ(body.family, BodyFamily::kQuadruped);
  EXPECT_LT(body.of(AnalysisField::kFamily).confidence, 0.99);
}

TEST(Family, LeftAndRightFeetAreTheSameJoint) {
  Joints joints = person_joints();
  // The right ankle is lifted: alone, its toe would be the foot.
  for (BodyJoint& joint : joints) {
    if (std::string(joint.name) == "RightFoot") joint.position.y = 0.5F;
    if (std::string(joint.name) == "RightLeg") joint.position = {-0.1F, 0.6F, 0.3F};
    if (std::string(joint.name) == "RightToe") joint.position.y = 0.05F;
  }
  const SkeletonPtr skeleton = make_skeleton(joints);
  const SkeletonAnalysis body = analyse(*skeleton);
  ASSERT_EQ(body.feet.size(), 2U);
  for (const int foot : body.feet)
    EXPECT_NE(skeleton->name(foot).find("Foot"), std::string::npos) << skeleton->name(foot);
}

TEST(CalibrationFrames, ATPoseBeforeATakeIsFound) {
  const SkeletonPtr skeleton = make_skeleton(person_joints());
  const auto n = static_cast<std::size_t>(skeleton->num_joints());
  const auto arm = static_cast<std::size_t>(skeleton->find("LeftArm"));
  Motion motion = make_motion(skeleton, "take", 30, 60, false);
  for (std::size_t f = 0; f < 60; ++f)
    motion.rotations[f * n + arm] = from_axis_angle(Vec3{0, 0, 1}, -1.3F + 0.01F * static_cast<float>(f));
  EXPECT_EQ(anatomy::count_calibration_frames(motion), 0);
  motion.rotations[arm] = Quat{};
  EXPECT_EQ(anatomy::count_calibration_frames(motion), 1);
  motion.rotations[n + arm] = Quat{};
  EXPECT_EQ(anatomy::count_calibration_frames(motion), 2);
  // A clip of a game that begins with a jump from an idle is left as it is.
  const auto other = static_cast<std::size_t>(skeleton->find("RightArm"));
  for (std::size_t f = 0; f < 60; ++f) motion.rotations[f * n + other] = from_axis_angle(Vec3{0, 0, 1}, 2.8F);
  EXPECT_EQ(anatomy::count_calibration_frames(motion), 0);
  for (std::size_t f = 0; f < 60; ++f) motion.rotations[f * n + other] = Quat{};
  // One jump later in the take does not hide it.
  for (std::size_t f = 12; f < 14; ++f) motion.rotations[f * n + arm] = from_axis_angle(Vec3{0, 0, 1}, -2.2F);
  EXPECT_EQ(anatomy::count_calibration_frames(motion), 2);
  // A body that is as fast later on is not posed.
  for (std::size_t f = 0; f < 60; ++f)
    motion.rotations[f * n + arm] = from_axis_angle(Vec3{0, 0, 1}, 0.6F * static_cast<float>(f));
  EXPECT_EQ(anatomy::count_calibration_frames(motion), 0);
}

}  // namespace
}  // namespace zoe
