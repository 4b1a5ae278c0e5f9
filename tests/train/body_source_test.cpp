// SPDX-License-Identifier: MIT
// Motions of several skeletons with their bodies, as the model `anytop` reads them.
#include "zoe/train/body_source.h"

#include <set>

#include <gtest/gtest.h>

#include "zoe/dataset/dataset.h"
#include "zoe/features/body_tokens.h"
#include "zoe/nn/network.h"
#include "zoe/train/run.h"

#include "dataset/figures.h"

namespace zoe::train {
namespace {

// Walks of a figure, and of one with fingers: two skeletons.
const std::filesystem::path& body_folder() {
  static const std::filesystem::path kFolder = [] {
    const std::filesystem::path clips = zoe::test::walk_folder("body_source", 4);
    zoe::test::write_walk(clips / "hand_subject3.bvh", {.speed_m_s = 0.9, .num_frames = 140, .fingers = true});
    auto options = zoe::test::build_options(clips, zoe::test::temporary_dir("body_source_out"));
    options.split = {.validation = 0, .test = 0};
    options.skeletons = dataset::Skeletons::kEach;
    options.schema = features::Schema::preset("anytop").value();
    EXPECT_TRUE(dataset::build(options));
    return options.output;
  }();
  return kFolder;
}

TEST(BodySource, HasBodiesActionsAndMotionsRelativeToTheRestPose) {
  Warnings warnings;
  const auto source = open_body_source(body_folder(), {8, 24}, warnings).value();
  EXPECT_TRUE(warnings.empty());
  const auto data = dataset::Dataset::open(body_folder()).value();
  ASSERT_EQ(data->groups().size(), 2U);
  std::multiset<int> joints;
  for (std::size_t i = 0; i < source->num_samples(Split::kTraining); ++i)
    joints.insert(source->extent(Split::kTraining, i).joints);
  ASSERT_EQ((std::set<int>(joints.begin(), joints.end()).size()), 2U);
  // The skeleton with one clip repeats its windows.
  const auto fewer = std::min(joints.count(*joints.begin()), joints.count(*joints.rbegin()));
  EXPECT_GE(3 * fewer, joints.size() - fewer);
  const Extent padded{24, *joints.rbegin() + 2};
  std::vector<std::vector<float>> arrays;
  std::vector<std::span<float>> outputs;
  for (const Field& field : source->fields())
    arrays.emplace_back(static_cast<std::size_t>(field.num_rows(padded) * field.width));
  for (std::vector<float>& array : arrays) outputs.emplace_back(array);
  const std::size_t sample = 0;
  ASSERT_TRUE(source->read_padded(Split::kTraining, {&sample, 1}, padded, outputs));
  // The same numbers from the dataset, by hand: the first window begins at row 1.
  const Extent own = source->extent(Split::kTraining, sample);
  const dataset::Group& group = data->groups()[0];
  const auto body = features::body_tokens(group.layout, group.skeleton, analyse(*group.skeleton)).value();
  ASSERT_EQ(body.num_tokens(), own.joints);
  std::vector<float> frames(group.layout.size(features::BlockKind::kOutput));
  const features::Sample moment{0, 1, 0};
  ASSERT_TRUE(data->gather(0, {&moment, 1}, {}, frames));
  features::to_canonical(body, frames);
  const auto row = static_cast<std::size_t>(own.joints * features::kTokenWidth);
  for (std::size_t f = 0; f < static_cast<std::size_t>(own.frames); ++f) {
    for (std::size_t c = 0; c < row; ++c)
      ASSERT_EQ(arrays[0][f * static_cast<std::size_t>(padded.joints * features::kTokenWidth) + c],
                frames[f * row + c]);
  }
  EXPECT_EQ(arrays[1][0], 1.0F);
  EXPECT_EQ(arrays[1][static_cast<std::size_t>(own.joints)], 0.0F);  // Padding.
  // Pairs: relation + classes * distance.
  const auto joint = static_cast<std::size_t>(own.joints);
  for (std::size_t a = 0; a < joint; ++a) {
    for (std::size_t b = 0; b < joint; ++b) {
      const int pair = static_cast<int>(arrays[4][a * static_cast<std::size_t>(source->fields()[4].width) + b]);
      EXPECT_EQ(static_cast<float>(pair % features::kRelationClasses), body.relations[2 * (a * joint + b)]);
      EXPECT_EQ(static_cast<float>(pair / features::kRelationClasses), body.relations[2 * (a * joint + b) + 1]);
    }
  }
  EXPECT_EQ(arrays[5][1], 1.0F);  // "walk", by the files' names.
}

// A few steps of training write a network for any number of joints and frames.
TEST(BodySource, TrainsANetworkForAnySkeleton) {
  RunRequest request;
  request.model = "anytop";
  request.data = body_folder().string();
  request.folder = zoe::test::temporary_dir("anytop_run") / "run";
  request.quiet = true;
  request.open_ragged_source = open_body_source;
  request.overrides = {"model.width=16",    "model.heads=2",          "model.blocks=2",          "train.steps=4",
                       "train.tokens=2000", "train.threads=1",        "data.min_frames=8",       "data.max_frames=20",
                       "train.log_every=2", "train.validate_every=4", "train.checkpoint_every=4"};
  const auto summary = run(request);
  ASSERT_TRUE(summary) << summary.error().format();
  const auto network = nn::load_network(request.folder / "model.safetensors");
  ASSERT_TRUE(network) << network.error().format();
  EXPECT_TRUE(nn::make_state(**network, 1, {{"frames", 7}, {"joints", 5}}));
  EXPECT_TRUE(nn::make_state(**network, 1, {{"frames", 31}, {"joints", 70}}));
}

TEST(BodySource, SaysWhichSchemaItNeeds) {
  const std::filesystem::path clips = zoe::test::walk_folder("body_source_other", 2);
  const auto options = zoe::test::build_options(clips, zoe::test::temporary_dir("body_source_other_out"));
  ASSERT_TRUE(dataset::build(options));
  Warnings warnings;
  const auto refused = open_body_source(options.output, {}, warnings);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("anytop"), std::string::npos);
  EXPECT_FALSE(open_body_source(clips, {}, warnings));
}

}  // namespace
}  // namespace zoe::train
