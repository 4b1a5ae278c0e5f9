// SPDX-License-Identifier: MIT
// Names of joints in every convention, word by word; and what families can do.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "synth/bodies.h"
#include "synth/plan.h"

namespace zoe::synth {
namespace {

TEST(JointNames, EachConventionInItsWords) {
  struct Row {
    Tag tag;
    const char *plain, *mixamo, *bip01, *unreal, *blender;
  };
  const Tag left{.part = Part::kThigh, .side = Side::kLeft}, right{.part = Part::kForearm, .side = Side::kRight};
  const Tag front{.part = Part::kFoot, .side = Side::kLeft, .row = 0, .num_rows = 2},
      hind{.part = Part::kFoot, .side = Side::kRight, .row = 1, .num_rows = 2};
  const Tag fifth{.part = Part::kTibia, .side = Side::kLeft, .row = 4, .num_rows = 12};
  const Tag spine{.part = Part::kSpine, .index = 1}, upper{.part = Part::kSpine, .index = 3};
  const Tag finger{.part = Part::kIndex, .side = Side::kLeft, .index = 2};
  for (const Row& row : {
           Row{{.part = Part::kHips}, "Hips", "mixamorig:Hips", "Bip01 Pelvis", "pelvis", "hips"},
           Row{{.part = Part::kRoot}, "Root", "mixamorig:Root", "Bip01", "root", "root"},
           Row{left, "LeftUpperLeg", "mixamorig:LeftUpLeg", "Bip01 L Thigh", "thigh_l", "thigh.L"},
           Row{right, "RightForeArm", "mixamorig:RightForeArm", "Bip01 R Forearm", "lowerarm_r", "forearm.R"},
           Row{front, "LeftFrontFoot", "mixamorig:LeftFrontFoot", "Bip01 L FrontFoot", "front_foot_l", "front_foot.L"},
           Row{hind, "RightHindFoot", "mixamorig:RightHindFoot", "Bip01 R HindFoot", "hind_foot_r", "hind_foot.R"},
           Row{fifth, "Left5LegTibia", "mixamorig:Left5LegTibia", "Bip01 L 5LegTibia", "05_leg_tibia_l",
               "05_leg_tibia.L"},
           Row{spine, "Spine1", "mixamorig:Spine", "Bip01 Spine", "spine_01", "spine"},
           Row{upper, "Spine3", "mixamorig:Spine2", "Bip01 Spine2", "spine_03", "spine.002"},
           Row{finger, "LeftIndex2", "mixamorig:LeftHandIndex2", "Bip01 L Finger12", "index_02_l", "f_index.L.001"},
       }) {
    EXPECT_EQ(name_of(Names::kPlain, row.tag), row.plain);
    EXPECT_EQ(name_of(Names::kMixamo, row.tag), row.mixamo);
    EXPECT_EQ(name_of(Names::kBip01, row.tag), row.bip01);
    EXPECT_EQ(name_of(Names::kUnreal, row.tag), row.unreal);
    EXPECT_EQ(name_of(Names::kBlender, row.tag), row.blender);
  }
}

TEST(JointNames, NumberedOnesTellNothing) {
  const Body body = test::body_of(BodyFamily::kBiped, 1, false, Names::kNumbered);
  for (int j = 0; j < body.skeleton->num_joints(); ++j) {
    if (body.skeleton->kind(j) == JointKind::kEndSite) continue;
    EXPECT_EQ(body.skeleton->name(j), "joint_" + std::to_string(j));
  }
}

TEST(JointNames, SidesAreNamedInEveryConvention) {
  for (const BodyFamily family : families()) {
    for (int names = 0; names + 1 < kNumNames; ++names) {
      const Body body = test::body_of(family, 2, false, static_cast<Names>(names));
      for (std::size_t i = 0; i + 1 < body.legs.size(); i += 2) {
        std::string left = body.skeleton->name(body.legs[i].upper), right = body.skeleton->name(body.legs[i + 1].upper);
        EXPECT_NE(left, right);
        // They differ in the word for the side alone.
        for (const auto& [l, r] :
             {std::pair<std::string, std::string>{"Left", "Right"}, {" L ", " R "}, {"_l", "_r"}, {".L", ".R"}}) {
          if (const auto at = left.rfind(l); at != std::string::npos && right.find(r) != std::string::npos) {
            left.replace(at, l.size(), r);
            break;
          }
        }
        EXPECT_EQ(left, right) << to_string(family);
      }
    }
  }
}

template <typename T>
std::set<std::string> words(int count) {
  std::set<std::string> out;
  for (int i = 0; i < count; ++i) out.insert(to_string(static_cast<T>(i)));
  return out;
}

TEST(Catalogue, EveryWordIsItsOwn) {
  EXPECT_EQ(words<Gait>(kNumGaits).size(), static_cast<std::size_t>(kNumGaits));
  EXPECT_EQ(words<Style>(kNumStyles).size(), static_cast<std::size_t>(kNumStyles));
  EXPECT_EQ(words<Course>(kNumCourses).size(), static_cast<std::size_t>(kNumCourses));
  EXPECT_EQ(words<Names>(kNumNames).size(), static_cast<std::size_t>(kNumNames));
  EXPECT_STREQ(to_string(Gait::kDart), "dart");
  EXPECT_STREQ(to_string(Style::kHeavy), "heavy");
  EXPECT_STREQ(to_string(Course::kWander), "wander");
}

TEST(Catalogue, EveryGaitHasAFamilyAndEveryFamilyStandsAndStrikes) {
  std::set<Gait> seen;
  for (const BodyFamily family : families()) {
    const auto gaits = gaits_of(family);
    EXPECT_EQ(std::set<Gait>(gaits.begin(), gaits.end()).size(), gaits.size()) << to_string(family);
    seen.insert(gaits.begin(), gaits.end());
    for (const Gait gait : {Gait::kIdle, Gait::kAttack}) {
      EXPECT_NE(std::find(gaits.begin(), gaits.end(), gait), gaits.end()) << to_string(family);
    }
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kNumGaits));
  EXPECT_TRUE(gaits_of(BodyFamily::kOther).empty());
}

TEST(Catalogue, StraightIsAlwaysPossibleAndTheStillGoNowhere) {
  for (const BodyFamily family : families()) {
    for (const Gait gait : gaits_of(family)) {
      const auto courses = courses_of(family, gait);
      ASSERT_FALSE(courses.empty());
      EXPECT_EQ(courses[0], Course::kStraight);
      EXPECT_EQ(std::set<Course>(courses.begin(), courses.end()).size(), courses.size());
      if (gait == Gait::kIdle || gait == Gait::kJump || gait == Gait::kAttack || gait == Gait::kHover) {
        EXPECT_EQ(courses.size(), 1U) << to_string(family) << " " << to_string(gait);
      }
      const bool wanders = std::find(courses.begin(), courses.end(), Course::kWander) != courses.end();
      EXPECT_TRUE(!wanders || family == BodyFamily::kBiped || family == BodyFamily::kQuadruped);
    }
  }
}

TEST(Catalogue, GroundThatABodyCanUse) {
  for (const BodyFamily family : families()) {
    for (const Gait gait : gaits_of(family)) {
      EXPECT_TRUE(can_use(family, gait, TerrainKind::kFlat));
      // Whoever can climb stairs can walk on rough ground and slopes.
      if (can_use(family, gait, TerrainKind::kStairs)) {
        EXPECT_TRUE(can_use(family, gait, TerrainKind::kRough)) << to_string(gait);
        EXPECT_TRUE(can_use(family, gait, TerrainKind::kSlope)) << to_string(gait);
      }
    }
  }
  EXPECT_TRUE(can_use(BodyFamily::kBiped, Gait::kWalk, TerrainKind::kStairs));
  EXPECT_FALSE(can_use(BodyFamily::kQuadruped, Gait::kGallop, TerrainKind::kStairs));
  EXPECT_TRUE(can_use(BodyFamily::kQuadruped, Gait::kGallop, TerrainKind::kSlope));
  EXPECT_FALSE(can_use(BodyFamily::kFish, Gait::kSwim, TerrainKind::kRough));
  EXPECT_FALSE(can_use(BodyFamily::kSnake, Gait::kSlither, TerrainKind::kStairs));
}

}  // namespace
}  // namespace zoe::synth
