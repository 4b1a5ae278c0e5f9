// SPDX-License-Identifier: MIT
// Motions of several skeletons as tokens in one batch, and labels of a dataset's samples.
#include "zoe/train/joint_source.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/dataset/sampler.h"
#include "zoe/train/dataset_source.h"
#include "zoe/train/run.h"

#include "dataset/figures.h"
#include "train/buckets.h"

namespace zoe::train {
namespace {

// Walks of a figure, and of one with fingers: two skeletons.
const std::filesystem::path& folder() {
  static const std::filesystem::path kFolder = [] {
    const std::filesystem::path clips = zoe::test::walk_folder("joint_source", 4);
    for (int i = 0; i < 4; ++i)
      zoe::test::write_walk(clips / ("hand" + std::to_string(i) + "_subject3.bvh"),
                            {.speed_m_s = 0.7 + 0.1 * i, .num_frames = 120 + 20 * i, .fingers = true});
    auto options = zoe::test::build_options(clips, zoe::test::temporary_dir("joint_source_out"));
    options.split = {.validation = 0.3, .test = 0};
    options.skeletons = dataset::Skeletons::kEach;
    options.schema.pose_joints = {"all"};
    EXPECT_TRUE(dataset::build(options));
    return options.output;
  }();
  return kFolder;
}

TEST(JointSource, HasAllSkeletonsAndTheDatasetsNumbers) {
  Warnings warnings;
  const auto source = open_joint_source(folder(), {8, 20}, warnings).value();
  EXPECT_TRUE(warnings.empty());
  const auto data = dataset::Dataset::open(folder()).value();
  ASSERT_EQ(data->groups().size(), 2U);
  std::set<int> joints;
  for (std::size_t i = 0; i < source->num_samples(Split::kTraining); ++i) {
    const Extent extent = source->extent(Split::kTraining, i);
    EXPECT_GE(extent.frames, 8);
    EXPECT_LE(extent.frames, 20);
    joints.insert(extent.joints);
  }
  EXPECT_EQ(joints.size(), 2U);
  // Padding is zero, the mask says where, and numbers do not depend on the padding.
  const std::size_t samples[] = {0, source->num_samples(Split::kTraining) - 1};
  const auto width = static_cast<std::size_t>(source->fields()[0].width);
  const Extent padded{24, *joints.rbegin() + 3};
  std::vector<float> x(2 * static_cast<std::size_t>(padded.tokens()) * width), mask(x.size() / width);
  const std::span<float> outputs[] = {x, mask};
  ASSERT_TRUE(source->read_padded(Split::kTraining, samples, padded, outputs));
  for (std::size_t i = 0; i < 2; ++i) {
    const Extent own = source->extent(Split::kTraining, samples[i]);
    std::vector<float> alone(static_cast<std::size_t>(own.tokens()) * width), ones(alone.size() / width);
    const std::span<float> into[] = {alone, ones};
    ASSERT_TRUE(source->read_padded(Split::kTraining, std::span(samples).subspan(i, 1), own, into));
    double sum = 0;
    for (int frame = 0; frame < padded.frames; ++frame) {
      for (int joint = 0; joint < padded.joints; ++joint) {
        const std::size_t token =
            i * static_cast<std::size_t>(padded.tokens()) + static_cast<std::size_t>(frame * padded.joints + joint);
        const bool present = frame < own.frames && joint < own.joints;
        ASSERT_EQ(mask[token], present ? 1.0F : 0.0F);
        for (std::size_t c = 0; c < width; ++c) {
          const float expected =
              present ? alone[static_cast<std::size_t>(frame * own.joints + joint) * width + c] : 0.0F;
          ASSERT_EQ(x[token * width + c], expected);
          sum += std::abs(expected);
        }
      }
    }
    EXPECT_GT(sum, 1);
  }
}

TEST(JointSource, TrainsOnBothSkeletonsTogether) {
  RunRequest request;
  request.model = "tokens";
  request.data = folder().string();
  request.folder = zoe::test::temporary_dir("joint_source_run") / "run";
  request.quiet = true;
  request.open_ragged_source = open_joint_source;
  request.overrides = {"model.width=8",      "model.heads=2",      "model.blocks=1",       "train.steps=6",
                       "train.tokens=2000",  "train.threads=1",    "data.min_frames=8",    "data.max_frames=20",
                       "data.joint_sizes=1", "data.frame_sizes=1", "model.graph_frames=4", "model.graph_joints=4"};
  const Result<RunSummary> summary = run(request);
  ASSERT_TRUE(summary) << summary.error().format();
  EXPECT_EQ(summary->step, 6);
  request.open_ragged_source = nullptr;
  request.folder += "_none";
  EXPECT_FALSE(run(request));
}

TEST(JointSource, SaysWhatIsNotThere) {
  Warnings warnings;
  EXPECT_FALSE(open_joint_source(zoe::test::temporary_dir("joint_source_none"), {}, warnings));
  const auto too_long = open_joint_source(folder(), {100000, 100000}, warnings);
  ASSERT_FALSE(too_long);
  EXPECT_NE(too_long.error().message.find("data.min_frames"), std::string::npos);
}

TEST(JointSource, WindowsHaveTheLabelsOfTheirClips) {
  Warnings warnings;
  const auto source = open_joint_source(folder(), {8, 20}, warnings).value();
  const SampleLabels skeletons = source->labels("skeleton").value(), actors = source->labels("actor").value();
  ASSERT_EQ(skeletons.of_sample.size(), source->num_samples(Split::kTraining));
  EXPECT_EQ(skeletons.names.size(), 2U);
  EXPECT_GE(actors.names.size(), 2U);
  std::map<int, std::set<int>> joints;  // One number of joints in a skeleton.
  for (std::size_t i = 0; i < skeletons.of_sample.size(); ++i)
    joints[skeletons.of_sample[i]].insert(source->extent(Split::kTraining, i).joints);
  for (const auto& [skeleton, numbers] : joints) EXPECT_EQ(numbers.size(), 1U);
  EXPECT_FALSE(source->labels("happy|angry"));
}

TEST(DatasetLabels, AreActorsAndClips) {
  Warnings warnings;
  const auto source = open_dataset_source(folder(), warnings).value();
  const SampleLabels actors = source->labels("actor").value(), clips = source->labels("clip").value();
  EXPECT_EQ(actors.of_sample.size(), source->num_samples(Split::kTraining));
  EXPECT_GE(clips.names.size(), actors.names.size());
  EXPECT_FALSE(source->labels("happy|angry"));
  EXPECT_FALSE(source->metadata().at("columns.x").empty());
}

}  // namespace
}  // namespace zoe::train
