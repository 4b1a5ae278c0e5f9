// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. How good retargeted motions of the shared data must be;
// tools/dev/measure_retarget.py measures all clips and docs/anatomy.md has the table.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "zoe/retarget/metrics.h"

#include "retarget/support.h"
#include "support/data.h"

namespace zoe {
namespace {

struct Case {
  const char* folder;
  std::vector<const char*> clips;
  const char* character;
  double round_trip_deg = 2;
  bool ground = true;
};

// Clips of one skeleton take the reference pose that shows it standing best, unless their own shows
// it as well, as the command line does for a folder.
std::vector<RetargetFile> load(const std::filesystem::path& folder, const std::vector<const char*>& names) {
  std::vector<RetargetFile> files;
  for (const char* name : names) files.emplace_back(folder / name);
  const auto is_same = [](const RetargetFile& a, const RetargetFile& b) {
    return a.skeleton->topology_hash() == b.skeleton->topology_hash() &&
           distance(a.skeleton->rest_local(5).translation, b.skeleton->rest_local(5).translation) < 1e-3F;
  };
  std::vector<std::size_t> best(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    best[i] = i;
    for (std::size_t k = 0; k < files.size(); ++k)
      if (is_same(files[i], files[k]) && reference_quality(files[k].body) > reference_quality(files[best[i]].body))
        best[i] = k;
  }
  const std::vector<RetargetFile> as_read = files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (reference_quality(files[i].body) < reference_quality(as_read[best[i]].body))
      files[i].calibrate_like(as_read[best[i]]);
  }
  return files;
}

void check(const std::filesystem::path& data, const Case& one) {
  const RetargetFile character(data / one.character);
  for (const RetargetFile& file : load(data / one.folder, one.clips)) {
    const Motion& clip = file.asset.clips.at(0);
    SCOPED_TRACE(clip.name + " onto " + one.character);
    const Result<Motion> there = retarget_file(clip, file, character, one.ground);
    ASSERT_TRUE(there) << there.error().format();
    ASSERT_TRUE(validate(*there));
    const RetargetMetrics metrics = measure_retarget(clip, file.body, *there, character.body);
    EXPECT_GE(metrics.num_legs, 2);
    EXPECT_GT(metrics.contact_share, 0);
    EXPECT_LE(metrics.slide, 1.2 * metrics.source_slide);
    EXPECT_LE(metrics.mean_foot_error, 0.05);
    EXPECT_LE(metrics.mean_hand_error, 0.05);
    EXPECT_EQ(metrics.num_flips, 0) << character.skeleton->name(metrics.step_joint) << " in frame "
                                    << metrics.step_frame;
    const Result<Motion> back = retarget_file(*there, character, file, one.ground);
    ASSERT_TRUE(back) << back.error().format();
    const RoundTrip trip = measure_round_trip(clip, *back, file.body, *character.skeleton, character.body);
    EXPECT_LE(trip.mean_deg, one.round_trip_deg);
    EXPECT_GE(trip.num_joints, 15);
  }
}

TEST(RetargetBars, BandaiNamcoOntoGeno) {
  ZOE_NEED_DATA(data);
  check(data, {"biped/bandai_namco/dataset1",
               {"dataset-1_walk_normal_001.bvh", "dataset-1_walk-back_tired_001.bvh", "dataset-1_run_childish_001.bvh",
                "dataset-1_dash_normal_001.bvh", "dataset-1_kick_normal_001.bvh", "dataset-1_bow_old_001.bvh",
                "dataset-1_dance-short_normal_001.bvh", "dataset-1_guide_normal_001.bvh"},
               "characters/geno_genoview/Geno.fbx"});
}

TEST(RetargetBars, CmuOntoKnight) {
  ZOE_NEED_DATA(data);
  check(data, {"biped/cmu",
               {"16_15.bvh", "16_47.bvh", "16_11.bvh", "locomotion/35_02.bvh", "locomotion/35_16.bvh",
                "locomotion/69_01.bvh"},
               "characters/kaykit/Knight.glb"});
}

// A body whose hips are a leg apart: turns on the spot, stairs, jumps, steps aside.
TEST(RetargetBars, CmuTurnsStairsAndJumpsOntoKnight) {
  ZOE_NEED_DATA(data);
  check(data, {"biped/cmu",
               {"locomotion/69_17.bvh", "locomotion/69_19.bvh", "terrain/36_05.bvh", "16_55.bvh", "16_41.bvh",
                "styles/136_07.bvh", "locomotion/127_06.bvh", "locomotion/143_17.bvh", "locomotion/141_18.bvh",
                "locomotion/141_14.bvh"},
               "characters/kaykit/Knight.glb"});
}

// Captures whose feet and thighs jump and turn upside down: cartwheels, a forward roll, leaps. What
// the ground changes does not come back: a body that is lifted out of it is as high on the way
// back.
TEST(RetargetBars, CmuAcrobaticsOntoKnight) {
  ZOE_NEED_DATA(data);
  Case acrobatics{"biped/cmu",
                  {"acrobatics/90_01.bvh", "acrobatics/90_02.bvh", "acrobatics/90_03.bvh", "acrobatics/90_04.bvh",
                   "acrobatics/90_08.bvh", "acrobatics/90_09.bvh", "acrobatics/90_11.bvh", "locomotion/141_04.bvh",
                   "locomotion/141_06.bvh", "locomotion/141_09.bvh", "locomotion/141_15.bvh", "locomotion/141_20.bvh"},
                  "characters/kaykit/Knight.glb"};
  acrobatics.ground = false;
  check(data, acrobatics);
  acrobatics.ground = true;
  acrobatics.round_trip_deg = 4;
  check(data, acrobatics);
}

TEST(RetargetBars, LafanOntoRobot) {
  ZOE_NEED_DATA(data);
  check(data,
        {"biped/lafan1",
         {"obstacles3_subject3.bvh", "multipleActions1_subject1.bvh", "dance1_subject2.bvh", "walk4_subject1.bvh"},
         "characters/robot_expressive/RobotExpressive.glb"});
  // Hands on the floor: the robot's long arms stop there, and do not come back unchanged.
  Case push{"biped/lafan1", {"push1_subject2.bvh"}, "characters/robot_expressive/RobotExpressive.glb"};
  push.round_trip_deg = 2.2;
  check(data, push);
  push.ground = false;
  push.round_trip_deg = 2;
  check(data, push);
}

TEST(RetargetBars, DogOntoWolfAndFox) {
  ZOE_NEED_DATA(data);
  const std::vector<const char*> clips{"D1_001_KAN01_001.bvh", "D1_007_KAN01_001.bvh", "D1_008_KAN01_001.bvh",
                                       "D1_053_KAN01_001.bvh", "D1_ex04_KAN02_001.bvh"};
  std::vector<const char*> more = clips;
  for (const char* hard : {"D1_010_KAN01_001.bvh", "D1_047_KAN01_001.bvh", "D1_025_KAN01_001.bvh",
                           "D1_003_KAN01_001.bvh", "D1_031_KAN01_001.bvh"})
    more.push_back(hard);
  check(data, {"quadruped/dog_mann_bvh", more, "quadruped/dog_ai4animationpy/Wolf.glb"});
  check(data, {"quadruped/dog_mann_bvh", more, "creatures/mesh2motion/rig-fox.glb"});
}

}  // namespace
}  // namespace zoe
