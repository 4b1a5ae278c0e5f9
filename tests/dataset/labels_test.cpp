// SPDX-License-Identifier: MIT
// Labels from files beside clips, from paths and from motions, as columns of the rows.
#include <fstream>

#include <gtest/gtest.h>

#include "zoe/dataset/sampler.h"

#include "dataset/figures.h"

namespace zoe::dataset {
namespace {

namespace fs = std::filesystem;

BuildOptions labelled(const fs::path& folder, const std::string& output) {
  BuildOptions options = test::build_options(folder, test::temporary_dir(output));
  options.schema.styles = {"tired", "proud"};
  options.schema.actions = {"idle", "walk", "turn_left", "turn_right", "run"};
  for (const char* channel : {"style", "action"})
    options.schema.block(features::BlockKind::kInput).channels.push_back(features::parse_channel(channel).value());
  return options;
}

// Values of a label in each row of a clip; empty where there is no such clip.
std::vector<float> column(const Dataset& data, const std::string& source, bool mirrored, int part,
                          const std::string& kind, int label) {
  const Group& group = data.groups()[0];
  const auto begin = group.layout.find_column(features::BlockKind::kInput, kind).value().begin;
  std::vector<float> out, input(group.layout.size(features::BlockKind::kInput));
  for (std::size_t c = 0; c < group.clips.size(); ++c) {
    const ClipRecord& clip = data.clips()[static_cast<std::size_t>(group.clips[c])];
    if (!clip.source.ends_with(source) || clip.mirrored != mirrored || clip.part != part) continue;
    for (int row = 0; row < group.rows[c].num_rows; ++row) {
      const features::Sample sample{static_cast<int>(c), row, 0};
      EXPECT_TRUE(data.gather(0, {&sample, 1}, input, {}));
      out.push_back(input[static_cast<std::size_t>(begin + label)]);
    }
  }
  return out;
}

const ClipRecord& record(const Dataset& data, const std::string& source) {
  for (const ClipRecord& clip : data.clips())
    if (clip.source.ends_with(source)) return clip;
  ADD_FAILURE() << source;
  return data.clips()[0];
}

// 110 frames at 60 a second, 55 rows at 30: labels change at 0.5 and 1.2 s, rows 15 and 36.
TEST(Labels, OfAFileAreColumnsOfEachRowAndOfItsMirrorImage) {
  const fs::path folder = test::walk_folder("ds_labels", 3);
  std::ofstream(folder / "walk0_subject1.labels.csv")
      << "start_s,end_s,label\n0,0.5,idle\n0.2,1,tired\n0.5,1.2,turn_left\n1.2,1.8166,walk\n";
  BuildOptions options = labelled(folder, "ds_labels_out");
  options.mirror = true;
  const BuildReport report = build(options).value();
  EXPECT_EQ(report.num_clips, 6);
  const DatasetPtr data = Dataset::open(options.output).value();
  for (const bool mirrored : {false, true}) {
    const auto at = [&](const char* kind, int label) {
      return column(*data, "walk0_subject1.bvh", mirrored, 0, kind, label);
    };
    const auto idle = at("action", 0), walk = at("action", 1), left = at("action", 2), right = at("action", 3),
               tired = at("style", 0);
    ASSERT_EQ(idle.size(), 55U);
    for (std::size_t row = 0; row < idle.size(); ++row) {
      const bool turns = row >= 15 && row < 36;
      EXPECT_EQ(idle[row], row < 15 ? 1 : 0) << row;
      EXPECT_EQ(left[row], turns && !mirrored ? 1 : 0) << row;
      EXPECT_EQ(right[row], turns && mirrored ? 1 : 0) << row;
      EXPECT_EQ(walk[row], row >= 36 ? 1 : 0) << row;
      EXPECT_EQ(tired[row], row >= 6 && row < 30 ? 1 : 0) << row;
    }
  }
  // The others have no "walk" by their path: the word is walk1.
  EXPECT_TRUE(record(*data, "walk1_subject2.bvh").labels.empty());
  const ClipRecord& clip = record(*data, "walk0_subject1.bvh");
  ASSERT_EQ(clip.labels.size(), 4U);
  EXPECT_EQ(clip.labels[0], "idle");
  EXPECT_NEAR(clip.label_shares[0], 30 / 110.0, 1e-6);
  EXPECT_EQ(clip.label_rows[0], (std::vector<int>{0, 15}));
  EXPECT_EQ(clip.label_rows[1], (std::vector<int>{6, 30}));
}

TEST(Labels, AreBalancedFrameByFrame) {
  const fs::path folder = test::walk_folder("ds_label_balance", 3);
  std::ofstream(folder / "walk0_subject1.labels.csv") << "0,0.3,idle\n0.3,1.8166,walk\n";
  std::ofstream(folder / "walk1_subject2.labels.csv") << "0,1,walk\n";
  const BuildOptions options = labelled(folder, "ds_label_balance_out");
  ASSERT_TRUE(build(options));
  const DatasetPtr data = Dataset::open(options.output).value();
  SamplerOptions by_label{.split = {}, .balance = SamplerOptions::Balance::kLabel};
  by_label.whole_windows = false;
  const Sampler sampler = Sampler::create(*data, by_label).value();
  ASSERT_EQ(sampler.num_classes(), 3);  // idle, walk, and rows without either.
  std::uint64_t idle = 0, walk = 0, none = 0;
  for (std::uint64_t i = 0; i < sampler.size(); ++i) {
    const features::Sample sample = sampler.at(0, i);
    const Group& group = data->groups()[0];
    const std::string source =
        data->clips()[static_cast<std::size_t>(group.clips[static_cast<std::size_t>(sample.clip)])].source;
    const bool first = source.ends_with("walk0_subject1.bvh"), second = source.ends_with("walk1_subject2.bvh");
    idle += first && sample.frame < 9;
    walk += (first && sample.frame >= 9) || (second && sample.frame < 30);
    none += (second && sample.frame >= 30) || (!first && !second);
  }
  EXPECT_EQ(idle, sampler.size() / 3);  // 9 rows as often as the 76 that walk.
  EXPECT_EQ(walk, sampler.size() / 3);
  EXPECT_EQ(none, sampler.size() / 3);
}

TEST(Labels, PiecesOfACutClipHaveTheirPart) {
  const fs::path folder = test::walk_folder("ds_label_cut", 2);
  Motion jump = test::walking({.num_frames = 150});
  const auto n = static_cast<std::size_t>(jump.num_joints());
  for (std::size_t f = 60; f < 150; ++f) jump.translations[f * n] = jump.translations[f * n] + Vec3{3, 0, 0};
  ASSERT_TRUE(io::write_bvh(folder / "jump.bvh", jump, {.scale = 100}));
  std::ofstream(folder / "jump.labels.csv") << "0,1.5,walk\n1.5,2,idle\n";
  const BuildOptions options = labelled(folder, "ds_label_cut_out");
  ASSERT_TRUE(build(options));
  const DatasetPtr data = Dataset::open(options.output).value();
  const auto first = column(*data, "jump.bvh", false, 0, "action", 1),
             walk = column(*data, "jump.bvh", false, 1, "action", 1),
             idle = column(*data, "jump.bvh", false, 1, "action", 0);
  ASSERT_EQ(first.size(), 30U);
  ASSERT_EQ(walk.size(), 45U);  // From 1 s on.
  for (const float value : first) EXPECT_EQ(value, 1);
  for (std::size_t row = 0; row < walk.size(); ++row) {
    EXPECT_EQ(walk[row], row < 15 ? 1 : 0) << row;
    EXPECT_EQ(idle[row], row >= 15 && row < 30 ? 1 : 0) << row;
  }
}

TEST(Labels, BadFilesAreToldByLineAndStrayOnesWarnedOf) {
  const fs::path folder = test::walk_folder("ds_label_bad", 2);
  std::ofstream(folder / "walk0_subject1.labels.csv") << "0,0.5,idle\n0.4,1,walk\n";
  std::ofstream(folder / "wlak1.labels.csv") << "0,0.5,idle\n";
  const BuildOptions options = labelled(folder, "ds_label_bad_out");
  const BuildReport report = build(options).value();
  const DatasetPtr data = Dataset::open(options.output).value();
  ASSERT_EQ(data->left_out().size(), 1U);
  const Note& reason = data->left_out()[0].reason;
  EXPECT_EQ(reason.code, "labels");
  EXPECT_NE(reason.text.find("walk0_subject1.labels.csv:2"), std::string::npos) << reason.text;
  EXPECT_NE(reason.text.find("overlaps 'idle' of line 1"), std::string::npos) << reason.text;
  bool warned = false;
  for (const Warning& warning : report.warnings) warned = warned || warning.where.file.ends_with("wlak1.labels.csv");
  EXPECT_TRUE(warned);
}

TEST(Labels, ChangedFilesAreBuiltAnew) {
  const fs::path folder = test::walk_folder("ds_label_again", 3);
  const BuildOptions options = labelled(folder, "ds_label_again_out");
  ASSERT_TRUE(build(options));
  EXPECT_EQ(build(options)->num_reused_files, 3);
  std::ofstream(folder / "walk2_subject1.labels.csv") << "0,1,idle\n";
  EXPECT_EQ(build(options)->num_reused_files, 2);
  EXPECT_EQ(record(*Dataset::open(options.output).value(), "walk2_subject1.bvh").labels,
            std::vector<std::string>{"idle"});
  EXPECT_EQ(build(options)->num_reused_files, 3);
}

// Stands for three seconds, then travels for three; "walk" in the path is overruled by what it
// shows, and that by a file.
TEST(Labels, OfWhatTheMotionShows) {
  const fs::path folder = test::temporary_dir("ds_label_find") / "clips";
  fs::create_directories(folder);
  Motion motion = test::walking({.num_frames = 361});
  const auto n = static_cast<std::size_t>(motion.num_joints());
  const Motion walk = test::walking({.turn_rad_s = 0, .num_frames = 181});
  for (std::size_t f = 0; f < 361; ++f)
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t from = (f < 180 ? 0 : f - 180) * n + j;
      motion.rotations[f * n + j] = walk.rotations[from];
      motion.translations[f * n + j] = walk.translations[from];
    }
  ASSERT_TRUE(io::write_bvh(folder / "a_walk.bvh", motion, {.scale = 100}));
  BuildOptions options = labelled(folder, "ds_label_find_out");
  options.find_actions = true;
  ASSERT_TRUE(build(options));
  const auto at = [&](int label, std::size_t row) {
    return column(*Dataset::open(options.output).value(), "a_walk.bvh", false, 0, "action", label).at(row);
  };
  EXPECT_EQ(at(0, 30), 1);  // 1 s.
  EXPECT_EQ(at(1, 30), 0);
  EXPECT_EQ(at(0, 150), 0);               // 5 s.
  EXPECT_EQ(at(1, 150) + at(4, 150), 1);  // The figure's feet slide: which gait is not the point.
  std::ofstream(folder / "a_walk.labels.csv") << "0,6,turn_left\n";
  ASSERT_TRUE(build(options));
  EXPECT_EQ(at(0, 30), 0);
  EXPECT_EQ(at(2, 30), 1);
  options.schema.actions = {"juggle"};
  const auto none = build(options);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("idle, walk, run"), std::string::npos);
}

}  // namespace
}  // namespace zoe::dataset
