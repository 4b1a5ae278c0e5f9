// SPDX-License-Identifier: MIT
// One clip of each kind of damage among good ones: each is mended or left out for the right reason,
// and the build goes on.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/motion/convert_space.h"

#include "dataset/figures.h"

namespace zoe::dataset {
namespace {

namespace fs = std::filesystem;
using test::Figure;

void write(const fs::path& path, const Motion& motion, double units = 100) {
  ASSERT_TRUE(io::write_bvh(path, motion, {.scale = units}));
}

// The folder, and the dataset built of it, once for all tests here.
struct Stage {
  fs::path folder = test::walk_folder("ds_bad", 8);
  DatasetPtr data;
  BuildReport report;

  Stage() {
    const Figure usual{.num_frames = 150};
    test::write_walk(folder / "one_frame.bvh", {.num_frames = 1});
    test::write_walk(folder / "short.bvh", {.num_frames = 12});
    test::write_walk(folder / "metres.bvh", {.speed_m_s = 1.21}, 1);
    test::write_walk(folder / "inches.bvh", {.speed_m_s = 1.22}, 39.3701);
    test::write_walk(folder / "giant.bvh", {.speed_m_s = 1.23}, 100 * 5000);
    test::write_walk(folder / "fingers.bvh", {.speed_m_s = 1.24, .fingers = true});
    test::write_walk(folder / "no_foot.bvh", {.speed_m_s = 1.25, .left_foot = false});
    fs::copy_file(folder / "walk1_subject2.bvh", folder / "zz_copy.bvh");
    std::ofstream(folder / "unreadable.bvh") << "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0";
    std::ofstream(folder / "no_numbers.npz") << "not a zip file";

    Motion frozen = test::walking(usual);
    for (std::size_t i = 0; i < frozen.rotations.size(); ++i) {
      frozen.rotations[i] = frozen.rotations[i % static_cast<std::size_t>(frozen.num_joints())];
      frozen.translations[i] = frozen.translations[i % static_cast<std::size_t>(frozen.num_joints())];
    }
    write(folder / "frozen.bvh", frozen);

    Motion posed = test::walking({.speed_m_s = 1.28});
    for (int j = 1; j < posed.num_joints(); ++j)
      posed.rotations[static_cast<std::size_t>(j)] = from_axis_angle(Vec3{0, 0, 1}, 0.7F);
    write(folder / "calibrated.bvh", posed);

    Motion jump = test::walking(usual);
    const auto n = static_cast<std::size_t>(jump.num_joints());
    for (std::size_t f = 60; f < 150; ++f) jump.translations[f * n] = jump.translations[f * n] + Vec3{3, 0, 0};
    write(folder / "teleport.bvh", jump);
    for (std::size_t f = 0; f < 150; ++f) jump.translations[f * n] = {f % 5 == 0 ? 9.0F : 0.0F, 0.95F, 0};
    write(folder / "flicker.bvh", jump);

    Motion zero = test::walking({.speed_m_s = 1.26});
    std::vector<JointDesc> joints(zero.skeleton->joints().begin(), zero.skeleton->joints().end());
    const int knee = zero.skeleton->find("LeftLeg");
    joints[static_cast<std::size_t>(knee)].rest_local.translation = {};
    for (std::size_t f = 0; f < 150; ++f) zero.translations[f * n + static_cast<std::size_t>(knee)] = {};
    zero.skeleton = Skeleton::create(joints).value();
    write(folder / "zero_bone.bvh", zero);

    test::write_walk(folder / "nan.bvh", {.speed_m_s = 1.27});
    std::string text = std::string(MappedFile::open(folder / "nan.bvh").value().text());
    const std::size_t row = text.rfind('\n', text.size() - 2) + 1;  // The last frame, its first number.
    text.replace(row, text.find(' ', row) - row, "nan");
    std::ofstream(folder / "nan.bvh") << text;

    const std::size_t numbers = text.find("Frame Time:");
    std::size_t at = text.find('\n', numbers) + 1;
    std::string nothing = text.substr(0, at);
    for (bool inside = false; at < text.size(); ++at) {
      const bool is_space = text[at] == ' ' || text[at] == '\n';
      if (is_space)
        nothing += text[at];
      else if (!inside)
        nothing += "nan";
      inside = !is_space;
    }
    std::ofstream(folder / "all_nan.bvh") << nothing;

    Motion boneless = test::walking({.speed_m_s = 1.29});
    std::vector<JointDesc> points(boneless.skeleton->joints().begin(), boneless.skeleton->joints().end());
    for (std::size_t j = 1; j < points.size(); ++j) points[j].rest_local.translation = {};
    for (std::size_t i = 0; i < boneless.translations.size(); ++i)
      if (i % points.size() != 0) boneless.translations[i] = {};
    boneless.skeleton = Skeleton::create(points).value();
    write(folder / "boneless.bvh", boneless);

    const auto options = test::build_options(folder, test::temporary_dir("ds_bad_out"));
    report = build(options).value();
    data = Dataset::open(options.output).value();
  }

  // "kept", or the reason; what was repaired after a plus.
  std::string fate(const std::string& name) const {
    std::string out;
    for (const LeftOut& item : data->left_out())
      if (item.source.ends_with("/" + name)) out += item.reason.code;
    for (const ClipRecord& clip : data->clips()) {
      if (!clip.source.ends_with("/" + name)) continue;
      out += "kept";
      for (const Note& note : clip.repairs) out += "+" + note.code;
    }
    return out;
  }
  const ClipRecord& clip(const std::string& name) const {
    for (const ClipRecord& found : data->clips())
      if (found.source.ends_with("/" + name)) return found;
    ADD_FAILURE() << name;
    return data->clips()[0];
  }
};
const Stage& stage() {
  static const Stage kStage;
  return kStage;
}

TEST(BadInput, EachHasItsReason) {
  const Stage& s = stage();
  EXPECT_EQ(s.fate("walk0_subject1.bvh"), "kept");
  EXPECT_EQ(s.fate("one_frame.bvh"), "one_frame");
  EXPECT_EQ(s.fate("short.bvh"), "short");
  EXPECT_EQ(s.fate("frozen.bvh"), "frozen");
  EXPECT_EQ(s.fate("teleport.bvh"), "kept+teleportskept+teleports");  // Two pieces.
  EXPECT_EQ(s.fate("flicker.bvh"), "teleports");
  EXPECT_EQ(s.fate("metres.bvh"), "kept+wrong_scale");
  EXPECT_EQ(s.fate("inches.bvh"), "kept+wrong_scale");
  EXPECT_EQ(s.fate("giant.bvh"), "wrong_scale");
  EXPECT_EQ(s.fate("fingers.bvh"), "kept+extra_joints");
  EXPECT_EQ(s.fate("no_foot.bvh"), "missing_joints");
  EXPECT_EQ(s.fate("zero_bone.bvh"), "kept+zero_length_bones");
  EXPECT_EQ(s.fate("nan.bvh"), "kept+not_finite");
  EXPECT_EQ(s.fate("all_nan.bvh"), "not_finite");
  EXPECT_EQ(s.fate("boneless.bvh"), "zero_length_bones");
  EXPECT_EQ(s.fate("calibrated.bvh"), "kept+calibration_pose");
  EXPECT_EQ(s.fate("zz_copy.bvh"), "duplicate");
  EXPECT_EQ(s.fate("unreadable.bvh"), "unreadable");
  EXPECT_EQ(s.fate("no_numbers.npz"), "unreadable");
  EXPECT_EQ(s.report.num_left_out, static_cast<int>(s.data->left_out().size()));
  for (const LeftOut& item : s.data->left_out()) EXPECT_GT(item.reason.text.size(), 10U) << item.source;
}

TEST(BadInput, ReasonsNameWhatIsWrong) {
  const auto text = [](const std::string& name) {
    for (const LeftOut& item : stage().data->left_out())
      if (item.source.ends_with("/" + name)) return item.reason.text;
    return std::string();
  };
  EXPECT_NE(text("no_foot.bvh").find("LeftFoot, LeftToeBase"), std::string::npos) << text("no_foot.bvh");
  EXPECT_NE(text("zz_copy.bvh").find("walk1_subject2.bvh"), std::string::npos);
  EXPECT_NE(text("short.bvh").find("0.18 s"), std::string::npos) << text("short.bvh");
}

// What was mended moves as the figure was made to: speeds and heights in metres.
TEST(BadInput, MendedClipsAreRight) {
  const Stage& s = stage();
  const Group& group = s.data->groups()[0];
  const auto width = static_cast<std::size_t>(group.layout.frame_width());
  const auto column = group.layout.find_column(features::BlockKind::kInput, "joint.position").value();
  for (const auto& [name, speed] : {std::pair{"metres.bvh", 1.21},
                                    {"inches.bvh", 1.22},
                                    {"fingers.bvh", 1.24},
                                    {"zero_bone.bvh", 1.26},
                                    {"nan.bvh", 1.27},
                                    {"calibrated.bvh", 1.28}}) {
    const ClipRecord& clip = s.clip(name);
    EXPECT_NEAR(clip.mean_speed_m_s, speed, 0.1) << name;
    for (std::size_t c = 0; c < group.clips.size(); ++c) {
      if (&s.data->clips()[static_cast<std::size_t>(group.clips[c])] != &clip) continue;
      for (std::size_t i = 0; i < width * static_cast<std::size_t>(group.rows[c].num_rows); ++i)
        ASSERT_TRUE(std::isfinite(group.rows[c].rows[i])) << name;
      const features::Sample sample{static_cast<int>(c), 20, 0};
      std::vector<float> input(group.layout.size(features::BlockKind::kInput));
      ASSERT_TRUE(s.data->gather(0, {&sample, 1}, input, {}));
      EXPECT_NEAR(input[static_cast<std::size_t>(column.begin) + 1], 0.95, 0.01) << name;  // Height of the hips.
    }
  }
  EXPECT_EQ(s.clip("teleport.bvh").source_frames, 60);
}

TEST(BadInput, LyingBodiesAreWarnedOf) {
  Motion motion = test::walking({});
  const SpaceChange z_up{.turn = SpaceChange::Turn::kYUpToZUp};
  motion = convert_space(motion, z_up, convert_space(*motion.skeleton, z_up));
  const fs::path folder = test::temporary_dir("ds_up");
  write(folder / "walk.bvh", motion);
  auto options = test::build_options(folder, test::temporary_dir("ds_up_out"));
  const auto warned = [](const BuildReport& report) {
    for (const Warning& warning : report.warnings)
      if (warning.message.find("--up z") != std::string::npos) return true;
    return false;
  };
  // Refused where the analysis sees it, else warned of.
  const auto lying = build(options);
  EXPECT_TRUE(lying ? warned(*lying) : lying.error().message.find("up is not") != std::string::npos);
  options.bvh_up = 'z';
  EXPECT_FALSE(warned(build(options).value()));
}

TEST(BadInput, SkeletonsInGroupsOfTheirOwn) {
  const fs::path folder = test::walk_folder("ds_each", 4);
  test::write_walk(folder / "fingers.bvh", {.fingers = true});
  auto options = test::build_options(folder, test::temporary_dir("ds_each_out"));
  options.skeletons = Skeletons::kEach;
  ASSERT_TRUE(build(options));
  const DatasetPtr data = Dataset::open(options.output).value();
  ASSERT_EQ(data->groups().size(), 2U);
  EXPECT_EQ(data->groups()[0].clips.size() + data->groups()[1].clips.size(), 5U);
  EXPECT_NE(data->groups()[0].layout.num_joints(), data->groups()[1].layout.num_joints());
}

// By default no body is left out for having other joints; only a damaged one is (no_foot above).
TEST(BadInput, MixedBodiesAreGroupsUnlessOneSideLacksAJoint) {
  const fs::path folder = test::walk_folder("ds_mixed", 4);
  test::write_walk(folder / "fingers.bvh", {.fingers = true});
  test::write_walk(folder / "no_foot.bvh", {.left_foot = false});
  Motion other = test::walking({.speed_m_s = 1.3});
  std::vector<JointDesc> joints(other.skeleton->joints().begin(), other.skeleton->joints().end());
  for (JointDesc& joint : joints) joint.name = "rig_" + joint.name;
  other.skeleton = Skeleton::create(joints).value();
  write(folder / "other_names.bvh", other);
  auto options = test::build_options(folder, test::temporary_dir("ds_mixed_out"));
  const BuildReport report = build(options).value();
  const DatasetPtr data = Dataset::open(options.output).value();
  ASSERT_EQ(data->groups().size(), 2U);
  EXPECT_EQ(std::max(data->groups()[0].clips.size(), data->groups()[1].clips.size()), 5U);
  ASSERT_EQ(data->left_out().size(), 1U);
  EXPECT_EQ(data->left_out()[0].reason.code, "missing_joints");
  EXPECT_TRUE(std::any_of(report.warnings.begin(), report.warnings.end(),
                          [](const Warning& w) { return w.message.find("2 skeletons") != std::string::npos; }));
  const std::string page(MappedFile::open(options.output / "report.html").value().text());
  EXPECT_NE(page.find("Skeletons (2)"), std::string::npos);
  EXPECT_NE(page.find("rig_Hips"), std::string::npos);

  options.skeletons = Skeletons::kMain;
  ASSERT_TRUE(build(options));
  EXPECT_EQ(Dataset::open(options.output).value()->left_out().size(), 2U);
}

// A small body that is fast in every frame flies; it does not jump.
TEST(BadInput, FastBodiesDoNotTeleport) {
  const fs::path folder = test::temporary_dir("ds_fast");
  test::write_walk(folder / "flies.bvh", {.speed_m_s = 6, .turn_rad_s = 0, .fps = 30, .size = 0.2});
  const auto options = test::build_options(folder, test::temporary_dir("ds_fast_out"));
  ASSERT_TRUE(build(options));
  const DatasetPtr data = Dataset::open(options.output).value();
  ASSERT_EQ(data->clips().size(), 1U);
  EXPECT_EQ(data->clips()[0].source_frames, 150);
}

}  // namespace
}  // namespace zoe::dataset
