// SPDX-License-Identifier: MIT
// Reads the shared BVH files and compares with poses computed elsewhere.
#include <fstream>
#include <map>
#include <sstream>

#include "zoe/motion/motion.h"

#include "io/bvh_support.h"
#include "support/data.h"

namespace zoe::test {
namespace {

struct ReferenceRow {
  int frame = 0, joint = 0, parent = 0;
  std::string name;
  Vec3 position;
  Quat rotation;
};

std::map<std::string, std::vector<ReferenceRow>> read_reference(const std::filesystem::path& file) {
  std::map<std::string, std::vector<ReferenceRow>> result;
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);  // Column names.
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string clip, field;
    const auto next = [&]() -> std::string& {
      std::getline(fields, field, '\t');
      return field;
    };
    std::getline(fields, clip, '\t');
    ReferenceRow row;
    row.frame = std::stoi(next());
    row.joint = std::stoi(next());
    row.name = next();
    row.parent = std::stoi(next());
    for (std::size_t i = 0; i < 3; ++i) row.position[i] = std::stof(next());
    row.rotation.x = std::stof(next());
    row.rotation.y = std::stof(next());
    row.rotation.z = std::stof(next());
    row.rotation.w = std::stof(next());
    result[clip].push_back(row);
  }
  return result;
}

// Three files are Z up: their bodies stand along z in the rest pose and in the clip, and the reader says so.
void expect_no_complaint(const io::Asset& asset, std::string_view file) {
  const bool z_up = file.ends_with("meta_fair1_dab.bvh") || file.ends_with("pybvh_standard_skeleton.bvh") ||
                    file.ends_with("pybvh_test1_mixed_orders.bvh");
  ASSERT_EQ(asset.warnings.size(), z_up ? 1U : 0U)
      << (asset.warnings.empty() ? "no warning" : asset.warnings[0].format());
  if (!z_up) return;
  EXPECT_NE(asset.warnings[0].message.find("--bvh-up z"), std::string::npos);
}

TEST(BvhConformance, EveryReferenceTransformAgrees) {
  ZOE_NEED_DATA(data);
  const auto reference = read_reference(data / "conformance/bvh/fk_reference.tsv");
  std::size_t num_rows = 0;
  double worst_position = 0, worst_rotation = 0;
  for (const auto& [clip, rows] : reference) {
    SCOPED_TRACE(clip);
    const auto asset = io::read_bvh(data / clip);
    ASSERT_TRUE(asset) << asset.error().format();
    ASSERT_EQ(asset->clips.size(), 1U);
    const Motion& motion = asset->clips[0];
    ASSERT_TRUE(validate(motion));
    EXPECT_TRUE(is_continuous(motion));
    expect_no_complaint(*asset, clip);
    for (const ReferenceRow& row : rows) {
      const std::vector<Affine> pose = model_pose(motion, row.frame);
      const auto j = static_cast<std::size_t>(row.joint);
      ASSERT_LT(j, pose.size());
      EXPECT_EQ(motion.skeleton->name(row.joint), row.name);
      EXPECT_EQ(motion.skeleton->parent(row.joint), row.parent);
      // The table has 5 decimals of a unit and 6 of a quaternion: its own rounding comes on top.
      const float span = span_of(pose);
      const float position_error = distance(pose[j].t, row.position);
      EXPECT_LE(position_error, 1e-4F * span + 1e-5F) << row.name << " frame " << row.frame;
      const float rotation_error = angle_between(rotation_of(pose[j]), normalized(row.rotation));
      EXPECT_LE(rotation_error, 1e-4F) << row.name << " frame " << row.frame;
      worst_position = std::max<double>(worst_position, position_error / span);
      worst_rotation = std::max<double>(worst_rotation, rotation_error);
      ++num_rows;
    }
  }
  EXPECT_EQ(num_rows, 1532U);
  RecordProperty("worst_position_of_span", std::to_string(worst_position));
  RecordProperty("worst_rotation_rad", std::to_string(worst_rotation));
}

TEST(BvhConformance, ShortRowIsRefusedWithItsLine) {
  ZOE_NEED_DATA(data);
  const auto asset = io::read_bvh(data / "conformance/bvh/synthetic/s11_short_row_fail.bvh");
  ASSERT_FALSE(asset);
  EXPECT_EQ(asset.error().code, ErrorCode::kSyntax);
  EXPECT_EQ(asset.error().where.line, 44);
  EXPECT_NE(asset.error().message.find("10 numbers"), std::string::npos) << asset.error().format();
}

TEST(BvhConformance, ZeroFramesGiveARestPoseOnly) {
  ZOE_NEED_DATA(data);
  const auto asset = io::read_bvh(data / "conformance/bvh/synthetic/s09_zero_frames_rest_only.bvh");
  ASSERT_TRUE(asset) << asset.error().format();
  EXPECT_TRUE(asset->clips.empty());
  EXPECT_EQ(asset->character->skeleton->num_joints(), 8);
  EXPECT_EQ(asset->character->skeleton->rest_local(0).translation, (Vec3{1, 90, -2}));
}

constexpr FolderCount kBvhFolders[] = {
    {"biped/bandai_namco/dataset1", 72},
    {"biped/bandai_namco/dataset2", 25},
    {"biped/cmu", 36},
    {"biped/cmu/acrobatics", 15},
    {"biped/cmu/locomotion", 98},
    {"biped/cmu/styles", 29},
    {"biped/cmu/terrain", 6},
    {"biped/lafan1", 6},
    {"characters/geno_genoview", 2},
    {"conformance/bvh", 12},
    {"conformance/bvh/synthetic", 11},
    {"quadruped/dog_mann_bvh", 21},
};

TEST(BvhConformance, EveryOtherSharedFileLoadsWithoutComplaint) {
  ZOE_NEED_DATA(data);
  const auto files = files_below(data, ".bvh");
  EXPECT_EQ(missing_files(data, files, kBvhFolders), "");
  for (const auto& file : files) {
    if (file.stem() == "s11_short_row_fail") continue;
    SCOPED_TRACE(file.string());
    const auto asset = io::read_bvh(file);
    ASSERT_TRUE(asset) << asset.error().format();
    expect_no_complaint(*asset, file.string());
    for (const Motion& clip : asset->clips) {
      EXPECT_TRUE(validate(clip));
      EXPECT_TRUE(is_continuous(clip));
      EXPECT_EQ(clip.fps, std::round(clip.fps * 1000) / 1000) << "not a usual rate: " << clip.fps;
    }
  }
}

TEST(BvhConformance, UnitGuesses) {
  ZOE_NEED_DATA(data);
  const auto guess = [&](const char* file) { return io::read_bvh(data / file)->source; };
  EXPECT_EQ(guess("biped/lafan1/walk4_subject1.bvh").metres_per_unit, 0.01);
  EXPECT_FALSE(guess("biped/lafan1/walk4_subject1.bvh").unit_known);
  EXPECT_NEAR(guess("biped/cmu/16_15.bvh").metres_per_unit, 0.056, 0.001);
}

}  // namespace
}  // namespace zoe::test
