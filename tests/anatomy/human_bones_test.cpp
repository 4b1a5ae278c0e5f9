// SPDX-License-Identifier: MIT
// Standard names of bones on rigs of several authors; the expected joints were read off the files by hand.
#include "zoe/anatomy/human_bones.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/io/read.h"
#include "zoe/io/vrm.h"

#include "support/data.h"

namespace zoe {
namespace {

using Expected = std::map<std::string, std::string>;

void expect_bones(const std::filesystem::path& file, const Expected& expected) {
  SCOPED_TRACE(file.string());
  const auto asset = io::read_asset(file);
  ASSERT_TRUE(asset) << asset.error().format();
  const Skeleton& skeleton = *asset->character->skeleton;
  const SkeletonAnalysis analysis = analyse(skeleton, asset->clips, asset->character.get());
  Expected found;
  std::set<int> joints;
  for (const HumanBone& bone : anatomy::human_bones(skeleton, analysis)) {
    found[bone.name] = skeleton.name(bone.joint);
    EXPECT_TRUE(joints.insert(bone.joint).second) << bone.name;
  }
  for (const auto& [bone, joint] : expected) EXPECT_EQ(found[bone], joint) << bone;
  for (const std::string_view name : io::required_human_bones()) EXPECT_TRUE(found.contains(std::string(name))) << name;
}

TEST(HumanBones, OfSeveralRigs) {
  ZOE_NEED_DATA(data);
  expect_bones(data / "characters/quaternius/Animated_Human.fbx", {{"hips", "Hips"},
                                                                   {"spine", "Spine"},
                                                                   {"chest", "Spine1"},
                                                                   {"upperChest", "Spine2"},
                                                                   {"neck", "Neck"},
                                                                   {"head", "Head"},
                                                                   {"leftShoulder", "LeftShoulder"},
                                                                   {"leftUpperArm", "LeftArm"},
                                                                   {"rightLowerArm", "RightForeArm"},
                                                                   {"rightHand", "RightHand"},
                                                                   {"leftIndexProximal", "LeftHandIndex1"},
                                                                   {"leftIndexDistal", "LeftHandIndex3"},
                                                                   {"leftUpperLeg", "LeftUpLeg"},
                                                                   {"rightLowerLeg", "RightLeg"},
                                                                   {"rightToes", "RightToeBase"}});
  expect_bones(data / "characters/mesh2motion/rig-human.glb", {{"hips", "pelvis"},
                                                               {"upperChest", "spine_03"},
                                                               {"neck", "neck_01"},
                                                               {"rightShoulder", "clavicle_r"},
                                                               {"leftLowerArm", "lowerarm_l"},
                                                               {"leftMiddleIntermediate", "middle_02_l"},
                                                               {"leftThumbMetacarpal", "thumb_01_l"},
                                                               {"rightUpperLeg", "thigh_r"},
                                                               {"leftToes", "ball_l"}});
  expect_bones(data / "characters/kaykit/Knight.glb", {{"hips", "hips"},
                                                       {"spine", "spine"},
                                                       {"chest", "chest"},
                                                       {"leftUpperArm", "upperarm.l"},
                                                       {"leftLowerArm", "lowerarm.l"},
                                                       {"rightFoot", "foot.r"}});
  expect_bones(data / "biped/lafan1/walk4_subject1.bvh",
               {{"spine", "Spine"}, {"neck", "Neck"}, {"leftFoot", "LeftFoot"}, {"rightToes", "RightToe"}});
}

TEST(HumanBones, OnlyOfPeople) {
  ZOE_NEED_DATA(data);
  const auto fox = io::read_asset(data / "characters/khronos/Fox.glb");
  ASSERT_TRUE(fox);
  const Skeleton& skeleton = *fox->character->skeleton;
  EXPECT_TRUE(anatomy::human_bones(skeleton, analyse(skeleton, fox->clips, fox->character.get())).empty());
  const SkeletonAnalysis nothing;
  EXPECT_TRUE(anatomy::human_bones(skeleton, nothing).empty());
}

}  // namespace
}  // namespace zoe
