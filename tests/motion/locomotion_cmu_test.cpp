// SPDX-License-Identifier: MIT
// Roots and contacts of real captures against what their labels say.
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "zoe/io/bvh.h"
#include "zoe/motion/calibration.h"
#include "zoe/motion/contacts.h"
#include "zoe/motion/edit.h"
#include "zoe/motion/root.h"

#include "support/data.h"

namespace zoe {
namespace {

struct Clip {
  Motion motion;
  RootTrajectory root;
  Contacts contacts;  // Of left and right ankle, left and right toe base.

  Clip(const std::filesystem::path& data, const char* file) {
    // Metres, without the T-pose that the converter put first.
    const auto asset = io::read_bvh(data / "biped" / "cmu" / file, {.metres_per_unit = 0.056444});
    const Motion& whole = asset.value().clips.at(0);
    EXPECT_EQ(num_calibration_frames(whole), 1) << file;
    motion = trim(whole, 1, whole.num_frames - 1).value();
    const auto joint = [&](const char* name) { return motion.skeleton->find(name); };
    const RootJoints body{joint("Hips"), joint("LeftUpLeg"), joint("RightUpLeg"), joint("LeftArm"), joint("RightArm")};
    root = extract_root(motion, body, {.ends = RootOptions::Ends::kReflect}).value();
    const std::array feet{joint("LeftFoot"), joint("RightFoot"), joint("LeftToeBase"), joint("RightToeBase")};
    contacts = find_contacts(motion, feet).value();
  }
  float turn_rad() const { return root.roots.back().facing_rad - root.roots.front().facing_rad; }
  // Mean of the velocity along the facing, m/s.
  float forward_speed() const {
    float sum = 0;
    for (std::size_t f = 0; f < root.roots.size(); ++f) {
      sum += dot(root.velocities[f], rotate(rotation_of(root.roots[f]), Vec3{0, 0, 1}));
    }
    return sum / static_cast<float>(root.roots.size());
  }
  // Share of frames in which ankle or toe of that many feet touch.
  float share_of_feet(int count) const {
    int frames = 0;
    for (int f = 0; f < contacts.num_frames; ++f) {
      const int feet = (contacts.at(f, 0) || contacts.at(f, 2)) + (contacts.at(f, 1) || contacts.at(f, 3));
      frames += feet == count;
    }
    return static_cast<float>(frames) / static_cast<float>(contacts.num_frames);
  }
};

// The data set's own table has the mean speed; walkers and runners look where they go.
TEST(LocomotionCmu, ForwardSpeedIsTheTablesSpeed) {
  ZOE_NEED_DATA(data);
  struct Row {
    const char* file;
    float speed_m_s;
  };
  for (const Row& row : {Row{"16_15.bvh", 1.10F}, Row{"16_47.bvh", 1.31F}, Row{"16_21.bvh", 1.71F},
                         Row{"16_35.bvh", 2.80F}, Row{"38_03.bvh", 1.86F}}) {
    EXPECT_NEAR(Clip(data, row.file).forward_speed(), row.speed_m_s, 0.05F * row.speed_m_s) << row.file;
  }
}

TEST(LocomotionCmu, LabelledTurns) {
  ZOE_NEED_DATA(data);
  const float quarter = std::numbers::pi_v<float> / 2;
  EXPECT_NEAR(Clip(data, "16_17.bvh").turn_rad(), quarter, 0.3F);   // "walk, 90-degree left turn"
  EXPECT_NEAR(Clip(data, "16_19.bvh").turn_rad(), -quarter, 0.3F);  // "walk, 90-degree right turn"
  EXPECT_NEAR(Clip(data, "16_15.bvh").turn_rad(), 0, 0.15F);        // "walk"
  EXPECT_GT(std::abs(Clip(data, "38_03.bvh").turn_rad()), 5.0F);    // "run around in a circle"
}

// A walk always has a foot on the ground and at times both; a run flies between steps; a jumper stands on both feet or
// on none. The default thresholds were chosen on other clips (16_15 among them), not on these.
TEST(LocomotionCmu, ContactsOfGaits) {
  ZOE_NEED_DATA(data);
  for (const char* file : {"16_13.bvh", "16_31.bvh", "16_58.bvh"}) {
    const Clip walk(data, file);
    EXPECT_LT(walk.share_of_feet(0), 0.02F) << file;
    EXPECT_GT(walk.share_of_feet(2), 0.08F) << file;
    EXPECT_LT(walk.share_of_feet(2), 0.35F) << file;
  }
  // Flight, told without feet: the share of frames in which the centre of mass (segments weighed as in anthropometric
  // tables, smoothed over 0.1 s) falls by 7 m/s² or more.
  struct Run {
    const char* file;
    float ballistic_share;
  };
  for (const Run& row : {Run{"16_37.bvh", 0.29F}, Run{"16_39.bvh", 0.22F}, Run{"16_49.bvh", 0.20F}}) {
    const Clip run(data, row.file);
    EXPECT_NEAR(run.share_of_feet(0), row.ballistic_share, 0.08F) << row.file;
    EXPECT_GT(run.share_of_feet(1), 0.35F) << row.file;
    EXPECT_LT(run.share_of_feet(2), 0.05F) << row.file;
  }
  for (const char* file : {"16_02.bvh", "16_05.bvh"}) {
    const Clip jump(data, file);
    EXPECT_GT(jump.share_of_feet(0), 0.08F) << file;
    EXPECT_LT(jump.share_of_feet(1), 0.05F) << file;
  }
}

}  // namespace
}  // namespace zoe
