// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Joint names in the conventions people bring.
#include "zoe/anatomy/names.h"

#include <gtest/gtest.h>

namespace zoe::anatomy {
namespace {

TEST(Tokenise, SplitsAtCaseDigitsAndPunctuation) {
  EXPECT_EQ(tokenise("mixamorig:LeftForeArm"), (std::vector<std::string>{"mixamorig", "left", "fore", "arm"}));
  EXPECT_EQ(tokenise("DEF-thigh.L.001"), (std::vector<std::string>{"def", "thigh", "l", "001"}));
  EXPECT_EQ(tokenise("LHipJoint"), (std::vector<std::string>{"l", "hip", "joint"}));
  EXPECT_EQ(tokenise("Bip01LFinger0Nub"), (std::vector<std::string>{"bip", "01", "l", "finger", "0", "nub"}));
  EXPECT_TRUE(tokenise("::__").empty());
}

struct Case {
  const char* name;
  Role role;
  Side side;
};

class ReadName : public testing::TestWithParam<Case> {};

TEST_P(ReadName, FindsRoleAndSide) {
  const NameReading reading = read_name(GetParam().name);
  EXPECT_EQ(reading.role, GetParam().role) << GetParam().name;
  EXPECT_EQ(reading.side, GetParam().side) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Conventions, ReadName,
    testing::Values(
        Case{"mixamorig:LeftUpLeg", Role::kUpperLeg, Side::kLeft},
        Case{"mixamorig:RightHandIndex1", Role::kFinger, Side::kRight},
        Case{"Bip01 R Calf", Role::kLowerLeg, Side::kRight}, Case{"Bip01 Pelvis", Role::kHips, Side::kCenter},
        Case{"DEF-forearm.L.001", Role::kForearm, Side::kLeft}, Case{"J_Bip_R_UpperArm", Role::kUpperArm, Side::kRight},
        Case{"clavicle_l", Role::kShoulder, Side::kLeft}, Case{"ball_r", Role::kToe, Side::kRight},
        Case{"lowerarm_twist_01_l", Role::kHelper, Side::kLeft}, Case{"Lefthand", Role::kHand, Side::kLeft},
        Case{"LHipJoint", Role::kUpperLeg, Side::kLeft}, Case{"LowerBack", Role::kSpine, Side::kCenter},
        Case{"b_RightForeArm_07", Role::kForearm, Side::kRight},
        Case{"control-foot-roll.l", Role::kHelper, Side::kLeft}, Case{"handslot.r", Role::kHelper, Side::kRight},
        Case{"Skeleton_neck_joint_1", Role::kNeck, Side::kCenter},
        Case{"wing_feather_2_1_R", Role::kWing, Side::kRight}, Case{"Armature", Role::kUnknown, Side::kCenter},
        Case{"J12", Role::kUnknown, Side::kCenter}));

TEST(ReadName, PairsShareTheirStem) {
  for (const auto& [left, right] :
       {std::pair{"LeftFoot", "RightFoot"}, {"foot.L.001", "foot.R.001"}, {"thigh_l", "thigh_r"}}) {
    EXPECT_EQ(read_name(left).stem, read_name(right).stem);
  }
  EXPECT_NE(read_name("LeftToe1").stem, read_name("RightToe2").stem);
}

}  // namespace
}  // namespace zoe::anatomy
