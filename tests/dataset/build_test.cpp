// SPDX-License-Identifier: MIT
#include "zoe/dataset/build.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "zoe/features/frame_rows.h"
#include "zoe/io/read.h"
#include "zoe/motion/convert_space.h"
#include "zoe/motion/edit.h"

#include "dataset/figures.h"

namespace zoe::dataset {
namespace {

using features::BlockKind;
using test::build_options;

DatasetPtr built(const BuildOptions& options) {
  const auto report = build(options);
  EXPECT_TRUE(report) << report.error().format();
  return Dataset::open(options.output).value();
}

// By the long way: the file read, turned into metres, analysed on its own, and its rows computed.
TEST(Build, RowsAreThoseOfTheFeaturesModule) {
  const auto folder = test::walk_folder("ds_rows", 3);
  const DatasetPtr data = built(build_options(folder, test::temporary_dir("ds_rows_out")));
  ASSERT_EQ(data->groups().size(), 1U);
  ASSERT_EQ(data->clips().size(), 3U);
  const Group& group = data->groups()[0];
  for (std::size_t c = 0; c < 3; ++c) {
    const ClipRecord& clip = data->clips()[static_cast<std::size_t>(group.clips[c])];
    EXPECT_EQ(clip.metres_per_unit, 0.01);
    const io::Asset asset = io::read_asset(folder.parent_path() / clip.source).value();
    const Motion bones = without_end_sites(asset.clips[0]);
    const Motion motion = convert_space(bones, {.scale = 0.01}, convert_space(*bones.skeleton, {.scale = 0.01}));
    const SkeletonAnalysis analysis = analyse(*motion.skeleton, {&motion, 1});
    const auto layout =
        features::Layout::compile(features::Schema::preset("locomotion").value(), *motion.skeleton, analysis).value();
    const std::vector<float> rows = features::build_frame_rows(layout, {.motion = &motion}).value();
    ASSERT_EQ(group.rows[c].num_rows, features::num_rows(layout, motion));
    ASSERT_EQ(layout.frame_width(), group.layout.frame_width());
    for (std::size_t i = 0; i < rows.size(); ++i)
      ASSERT_EQ(rows[i], group.rows[c].rows[i]) << clip.source << " number " << i;
    // The figure's own speed, known by construction.
    const int number =
        clip.source.find("walk") != std::string::npos ? clip.source[clip.source.rfind("walk") + 4] - '0' : -1;
    EXPECT_NEAR(clip.mean_speed_m_s, 0.8 + 0.05 * number, 0.12);
  }
}

// A signal that is made of the clip itself: the height of its first joint, frame by frame.
TEST(Build, SignalsAreMadeOfEachClipAndItsMirrorImage) {
  const auto folder = test::walk_folder("ds_signals", 3);
  BuildOptions options = build_options(folder, test::temporary_dir("ds_signals_out"));
  options.mirror = true;
  options.schema.block(BlockKind::kInput)
      .channels.push_back(features::parse_channel("signal name=height width=1").value());
  const auto height_times = [](float scale) {
    return [scale](const Motion& motion) -> Result<std::vector<ClipSignal>> {
      ClipSignal signal{"height", {}};
      for (int f = 0; f < motion.num_frames; ++f) signal.values.push_back(scale * motion.frame(f).translations[0].y);
      return std::vector<ClipSignal>{std::move(signal)};
    };
  };
  for (const float scale : {1.0F, 2.0F}) {  // Another maker: no rows are reused.
    options.signals = {.make = height_times(scale), .key = scale == 1 ? "one" : "two"};
    EXPECT_EQ(build(options)->num_reused_files, 0);
    const DatasetPtr data = Dataset::open(options.output).value();
    ASSERT_EQ(data->clips().size(), 6U);
    const Group& group = data->groups()[0];
    const features::RowSource* source = nullptr;
    for (const auto& known : group.layout.row_sources())
      if (known.name == "height") source = &known;
    ASSERT_NE(source, nullptr);
    for (const features::ClipRows& rows : group.rows)
      EXPECT_NEAR(rows.rows[source->offset], scale * 0.95F, scale * 0.3F);
  }
  EXPECT_EQ(build(options)->num_reused_files, 3);
  options.signals = {.make =
                         [](const Motion&) {
                           return Result<std::vector<ClipSignal>>(Error{ErrorCode::kInvalid, "too dark", {}});
                         },
                     .key = "none"};
  const auto report = build(options);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->num_clips, 0);
  EXPECT_EQ(Dataset::open(options.output).value()->left_out()[0].reason.text, "too dark");
}

TEST(Build, FpsMirrorAndLabels) {
  const auto folder = test::walk_folder("ds_mirror", 6);
  BuildOptions options = build_options(folder, test::temporary_dir("ds_mirror_out"));
  options.mirror = true;
  options.schema.fps = 60;
  options.labels = {"walk1", "SUBJECT2", "run"};
  const DatasetPtr data = built(options);
  ASSERT_EQ(data->clips().size(), 12U);
  std::map<std::string, std::vector<const ClipRecord*>> by_source;
  for (const ClipRecord& clip : data->clips()) by_source[clip.source].push_back(&clip);
  for (const auto& [source, clips] : by_source) {
    ASSERT_EQ(clips.size(), 2U);
    EXPECT_EQ(clips[0]->split, clips[1]->split);
    EXPECT_NE(clips[0]->mirrored, clips[1]->mirrored);
    EXPECT_EQ(clips[0]->num_rows, clips[1]->num_rows);
    EXPECT_EQ(clips[0]->num_rows, clips[0]->source_frames);  // 60 fps in, 60 rows a second out.
    const bool second = source.find("subject2") != std::string::npos;
    EXPECT_EQ(clips[0]->actor, second ? "subject2" : "subject1");
    std::vector<std::string> labels;
    if (source.find("walk1_") != std::string::npos) labels.emplace_back("walk1");
    if (second) labels.emplace_back("SUBJECT2");
    EXPECT_EQ(clips[0]->labels, labels);
  }
  // A mirrored root goes to the other side: x and facing change their signs.
  const Group& group = data->groups()[0];
  const auto width = static_cast<std::size_t>(group.layout.frame_width());
  for (std::size_t c = 0; c + 1 < group.clips.size(); c += 2) {
    const float* a = group.rows[c].rows + static_cast<std::size_t>(group.rows[c].num_rows - 1) * width;
    const float* b = group.rows[c + 1].rows + static_cast<std::size_t>(group.rows[c].num_rows - 1) * width;
    EXPECT_NEAR(a[features::row::kX], -b[features::row::kX], 1e-3);
    EXPECT_NEAR(a[features::row::kZ], b[features::row::kZ], 1e-3);
    EXPECT_NEAR(a[features::row::kFacing], -b[features::row::kFacing], 1e-3);
  }
}

// Means and deviations by the textbook, over the windows that docs/dataset.md names.
TEST(Build, NormalisationIsOfTheTrainingSplit) {
  const auto folder = test::walk_folder("ds_norm", 12);
  BuildOptions options = build_options(folder, test::temporary_dir("ds_norm_out"));
  options.split.validation = 0.3;
  const DatasetPtr data = built(options);
  const Group& group = data->groups()[0];
  const std::size_t width = group.layout.size(BlockKind::kInput);
  std::vector<features::Sample> samples;
  int training = 0;
  for (std::size_t c = 0; c < group.clips.size(); ++c) {
    if (data->clips()[static_cast<std::size_t>(group.clips[c])].split != Split::kTrain) continue;
    ++training;
    const int last = group.rows[c].num_rows - group.layout.future_frames();
    for (int f = group.layout.past_frames(); f < last; f += 3) samples.push_back({static_cast<int>(c), f, 0});
  }
  ASSERT_GT(training, 2);
  ASSERT_LT(training, 12);
  EXPECT_EQ(group.normalisation_samples, static_cast<double>(samples.size()));
  std::vector<float> input(samples.size() * width);
  ASSERT_TRUE(data->gather(0, samples, input, {}));
  const features::BlockNormalisation& block = group.normalisation.block(BlockKind::kInput);
  for (std::size_t w = 0; w < width; ++w) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) sum += input[i * width + w];
    const double mean = sum / static_cast<double>(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) squares += std::pow(input[i * width + w] - mean, 2);
    const double deviation = std::sqrt(squares / static_cast<double>(samples.size()));
    ASSERT_NEAR(block.means[w], mean, 1e-5) << w;
    ASSERT_NEAR(block.spreads[w], deviation < 1e-3 ? 1.0 : deviation, 1e-5) << w;
  }
}

TEST(Build, ThreadsDoNotMatter) {
  const auto folder = test::walk_folder("ds_jobs", 10);
  BuildOptions options = build_options(folder, test::temporary_dir("ds_jobs_1"));
  options.mirror = true;
  options.num_jobs = 1;
  ASSERT_TRUE(build(options));
  const auto first = options.output;
  options.output = test::temporary_dir("ds_jobs_5");
  options.num_jobs = 5;
  ASSERT_TRUE(build(options));
  EXPECT_EQ(test::difference(first, options.output), "");
}

TEST(Build, SplitsDoNotMoveWhenClipsCome) {
  const auto folder = test::walk_folder("ds_split", 10);
  const BuildOptions options = build_options(folder, test::temporary_dir("ds_split_out"));
  std::map<std::string, Split> before;
  const DatasetPtr first = built(options);
  for (const ClipRecord& clip : first->clips()) before[clip.source] = clip.split;
  for (int i = 20; i < 25; ++i)
    test::write_walk(folder / ("more" + std::to_string(i) + ".bvh"), {.speed_m_s = 1 + 0.01 * i});
  const DatasetPtr data = built(options);
  EXPECT_EQ(data->clips().size(), 15U);
  for (const ClipRecord& clip : data->clips()) {
    if (!before.contains(clip.source)) continue;
    EXPECT_EQ(clip.split, before[clip.source]) << clip.source;
  }
}

TEST(Build, ActorsStayTogether) {
  const auto folder = test::temporary_dir("ds_actor");
  for (int i = 0; i < 24; ++i)
    test::write_walk(folder / ("walk" + std::to_string(i) + "_subject" + std::to_string(i % 8) + ".bvh"),
                     {.speed_m_s = 0.8 + 0.02 * i, .num_frames = 60});
  BuildOptions options = build_options(folder, test::temporary_dir("ds_actor_out"));
  options.split = {.by = SplitOptions::By::kActor, .validation = 0.3, .test = 0.3};
  std::map<std::string, std::set<Split>> splits;
  std::set<Split> all;
  const DatasetPtr data = built(options);
  for (const ClipRecord& clip : data->clips()) {
    splits[clip.actor].insert(clip.split);
    all.insert(clip.split);
  }
  EXPECT_EQ(splits.size(), 8U);
  for (const auto& [actor, found] : splits) EXPECT_EQ(found.size(), 1U) << actor;
  EXPECT_GT(all.size(), 1U);
}

TEST(Build, WrongSettingsAreRefused) {
  const auto folder = test::walk_folder("ds_wrong", 1);
  BuildOptions options = build_options(folder, test::temporary_dir("ds_wrong_out"));
  options.split.test = 0.95;
  EXPECT_EQ(build(options).error().code, ErrorCode::kUsage);
  options = build_options(folder / "nowhere", options.output);
  EXPECT_EQ(build(options).error().code, ErrorCode::kIo);
  options = build_options(test::temporary_dir("ds_empty"), options.output);
  EXPECT_NE(build(options).error().message.find("no motion file"), std::string::npos);
}

}  // namespace
}  // namespace zoe::dataset
