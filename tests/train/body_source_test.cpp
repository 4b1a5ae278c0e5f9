// SPDX-License-Identifier: MIT
// Motions of several skeletons with their bodies, as the model `anytop` reads them.
#include "zoe/train/body_source.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "zoe/dataset/dataset.h"
#include "zoe/features/body_tokens.h"
#include "zoe/nn/graph_file.h"
#include "zoe/nn/network.h"
#include "zoe/train/run.h"

#include "dataset/figures.h"
#include "train/body_clips.h"

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

// The clips of the first skeleton group, as the source holds them.
BodyClips first_body() {
  const auto data = dataset::Dataset::open(body_folder()).value();
  const dataset::Group& group = data->groups()[0];
  BodyClips body{features::body_tokens(group.layout, group.skeleton, analyse(*group.skeleton)).value(), {}};
  std::vector<float> frames(group.layout.size(features::BlockKind::kOutput));
  const features::Sample moment{0, 1, 0};
  EXPECT_TRUE(data->gather(0, {&moment, 1}, {}, frames));
  features::to_canonical(body.body, frames);
  const int count = group.layout.steps(features::BlockKind::kOutput);
  body.clips.push_back({.clip = 0, .values = frames, .frames = count});
  return body;
}

// Without alterations the numbers are computed anew from bones and rotations, and are those that the features have.
TEST(BodyVariants, AreConsistentWithTheFeatures) {
  const BodyClips original = first_body();
  Random random(1);
  const BodyClips same = altered(original, 30, {.bone_spread = 0, .split_chance = 0, .rename_chance = 0}, random);
  ASSERT_EQ(same.body.num_tokens(), original.body.num_tokens());
  for (std::size_t i = 0; i < original.body.body.size(); ++i)
    EXPECT_NEAR(same.body.body[i], original.body.body[i], 1e-4F) << i;
  const auto& was = original.clips[0].values;
  const auto& is = same.clips[0].values;
  float worst[2] = {0, 0}, fastest = 0;
  for (std::size_t i = 0; i < was.size(); ++i) {
    const std::size_t column = i % features::kTokenWidth;
    worst[column < 9 ? 0 : 1] = std::max(worst[column < 9 ? 0 : 1], std::abs(is[i] - was[i]));
    if (column >= 9) fastest = std::max(fastest, std::abs(was[i]));
  }
  EXPECT_LT(worst[0], 1e-3F);
  EXPECT_LT(worst[1], 0.05F * fastest);  // The features' velocities are of the clip's own frames, before resampling.
}

TEST(BodyVariants, SplitAndRescaleBones) {
  const BodyClips original = first_body();
  Random random(3);
  const BodyClips split = altered(original, 30, {.bone_spread = 0, .split_chance = 1, .rename_chance = 1}, random);
  const auto before = static_cast<std::size_t>(original.body.num_tokens()),
             after = static_cast<std::size_t>(split.body.num_tokens());
  ASSERT_GT(after, before);
  EXPECT_NE(split.body.names, original.body.names);
  // New joints are halfway between their neighbours, at rest and in every frame.
  const auto place = [&](std::size_t frame, std::size_t token, std::size_t axis) {
    return split.clips[0].values[(frame * after + token) * features::kTokenWidth + axis] +
           split.body.body[token * features::kBodyWidth + axis];
  };
  for (std::size_t t = before; t < after; ++t) {
    const auto child =
        static_cast<std::size_t>(std::find(split.body.parents.begin(), split.body.parents.end(), static_cast<int>(t)) -
                                 split.body.parents.begin());
    ASSERT_LT(child, before);
    const auto parent = static_cast<std::size_t>(split.body.parents[t]);
    for (const std::size_t frame : {0U, 7U, 20U}) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(place(frame, t, axis), 0.5F * (place(frame, child, axis) + place(frame, parent, axis)), 2e-3F);
    }
  }
  const BodyClips longer = altered(original, 30, {.bone_spread = 0.2, .split_chance = 0, .rename_chance = 0}, random);
  EXPECT_NE(longer.body.body, original.body.body);
  float lowest = 1e9F;
  for (std::size_t t = 0; t < before; ++t) lowest = std::min(lowest, longer.body.body[t * features::kBodyWidth + 1]);
  EXPECT_NEAR(lowest, 0, 1e-5);
  for (const float value : longer.clips[0].values) ASSERT_TRUE(std::isfinite(value));
}

TEST(BodyVariants, AreMoreBodiesOfTheSource) {
  Warnings warnings;
  const auto source = open_body_source(body_folder(), {.min_frames = 8, .max_frames = 24, .variants = 2}, warnings);
  ASSERT_TRUE(source) << source.error().format();
  const auto plain = open_body_source(body_folder(), {.min_frames = 8, .max_frames = 24}, warnings).value();
  EXPECT_GT((*source)->num_samples(Split::kTraining), plain->num_samples(Split::kTraining));
  EXPECT_EQ((*source)->num_samples(Split::kValidation), plain->num_samples(Split::kValidation));
  EXPECT_NE((*source)->identity(), plain->identity());
  // Figures on two legs only.
  EXPECT_TRUE(open_body_source(body_folder(), {.min_frames = 8, .max_frames = 24, .bodies = "bipeds"}, warnings));
  const auto none = open_body_source(body_folder(), {.min_frames = 8, .max_frames = 24, .bodies = "flying"}, warnings);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("flying"), std::string::npos);
}

TEST(BodyClip, LoopsWhereTheEndIsTheBeginning) {
  const BodyClips original = first_body();
  const std::size_t row = static_cast<std::size_t>(original.body.num_tokens()) * features::kTokenWidth;
  BodyClip clip = original.clips[0];
  const std::vector<float> last(clip.values.end() - static_cast<std::ptrdiff_t>(row), clip.values.end());
  EXPECT_TRUE(close_loop(original.body, last, clip));
  EXPECT_EQ(clip.values, original.clips[0].values);
  // A step of a frame away: the last frames go there, earlier ones stay.
  const std::vector<float> before(clip.values.end() - static_cast<std::ptrdiff_t>(2 * row),
                                  clip.values.end() - static_cast<std::ptrdiff_t>(row));
  ASSERT_TRUE(close_loop(original.body, before, clip));
  for (std::size_t i = 0; i < row; ++i) {
    if (i % features::kTokenWidth < 9) {
      ASSERT_NEAR(clip.values[clip.values.size() - row + i], before[i], 1e-5F);
    }
  }
  EXPECT_TRUE(std::equal(clip.values.begin(), clip.values.end() - static_cast<std::ptrdiff_t>(6 * row),
                         original.clips[0].values.begin()));
  clip = original.clips[0];
  const std::vector<float> other(clip.values.begin() + static_cast<std::ptrdiff_t>(5 * row),
                                 clip.values.begin() + static_cast<std::ptrdiff_t>(6 * row));
  clip.frames = 12;
  clip.values.resize(12 * row);
  EXPECT_FALSE(close_loop(original.body, other, clip));
}

// A figure that walks on the spot: its standing feet slide back by 1.5 scales per second.
TEST(BodyClip, CyclesOnTheSpotTravel) {
  BodyClips body = first_body();
  BodyClip& clip = body.clips[0];
  const std::size_t row = static_cast<std::size_t>(body.body.num_tokens()) * features::kTokenWidth;
  constexpr std::size_t kFoot = 3 * features::kTokenWidth;
  for (std::size_t f = 0; f < static_cast<std::size_t>(clip.frames); ++f) {
    float* frame = &clip.values[f * row];
    for (std::size_t i = 9; i < row; i += features::kTokenWidth) frame[i] = frame[i + 2] = frame[i + 3] = 0;
    frame[kFoot + 11] = -1.5F;
    frame[kFoot + 12] = 1;
  }
  const BodyClip still = clip;
  make_travel(body.body, clip);
  EXPECT_EQ(clip.values, still.values);  // No loop.
  clip.loops = true;
  make_travel(body.body, clip);
  EXPECT_NEAR(clip.values[11], 1.5F, 1e-5F);
  EXPECT_NEAR(clip.values[kFoot + 11], 0, 1e-5F);
  EXPECT_NEAR(clip.values[9], 0, 1e-5F);
  const BodyClip travels = clip;
  make_travel(body.body, clip);
  EXPECT_EQ(clip.values, travels.values);
}

TEST(BodyClip, FlightsComeDownAndSlowDown) {
  BodyClips body = first_body();
  BodyClip& clip = body.clips[0];
  const std::size_t tokens = static_cast<std::size_t>(body.body.num_tokens()), row = tokens * features::kTokenWidth;
  const BodyClip walk = clip;
  lower_flight(body.body, clip);
  slow_down(body.body, clip);
  EXPECT_EQ(clip.values, walk.values);  // On the ground, and slow.
  for (std::size_t i = 0; i < clip.values.size(); i += features::kTokenWidth) {
    clip.values[i + 1] += 7;
    clip.values[i + 11] += 90;
    clip.values[i + 12] = 0;
  }
  lower_flight(body.body, clip);
  slow_down(body.body, clip);
  float lowest = 1e9F;
  double speed = 0;
  for (std::size_t i = 0; i * features::kTokenWidth < clip.values.size(); ++i)
    lowest = std::min(
        lowest, clip.values[i * features::kTokenWidth + 1] + body.body.body[i % tokens * features::kBodyWidth + 1]);
  for (std::size_t f = 0; f < static_cast<std::size_t>(clip.frames); ++f)
    speed += std::hypot(double{clip.values[f * row + 9]}, double{clip.values[f * row + 11]}) / clip.frames;
  EXPECT_NEAR(lowest, 0.5F, 1e-4F);
  EXPECT_NEAR(speed, 10, 0.01);
  // Joints against the hips as before.
  for (std::size_t t = 1; t < tokens; ++t)
    EXPECT_NEAR(clip.values[t * features::kTokenWidth + 11] - clip.values[11],
                walk.values[t * features::kTokenWidth + 11] - walk.values[11], 1e-3F);
}

// A short clip is also seen at full length: its last pose stays, without velocity. Spreads are those of most numbers.
TEST(BodySource, ShortClipsKeepTheirLastPose) {
  Warnings warnings;
  const auto source = open_body_source(body_folder(), {8, 400}, warnings).value();
  std::size_t sample = source->num_samples(Split::kTraining);
  bool has_short = false;
  for (std::size_t i = 0; i < source->num_samples(Split::kTraining); ++i) {
    if (source->extent(Split::kTraining, i).frames == 400) sample = i;
    has_short = has_short || source->extent(Split::kTraining, i).frames < 400;
  }
  ASSERT_LT(sample, source->num_samples(Split::kTraining));
  EXPECT_TRUE(has_short);
  const Extent padded = source->extent(Split::kTraining, sample);
  std::vector<std::vector<float>> arrays;
  std::vector<std::span<float>> outputs;
  for (const Field& field : source->fields())
    arrays.emplace_back(static_cast<std::size_t>(field.num_rows(padded) * field.width));
  for (std::vector<float>& array : arrays) outputs.emplace_back(array);
  ASSERT_TRUE(source->read_padded(Split::kTraining, {&sample, 1}, padded, outputs));
  const std::size_t row = static_cast<std::size_t>(padded.joints * features::kTokenWidth);
  const float *last = &arrays[0][399 * row], *before = &arrays[0][398 * row];
  float still = 0, moves = 0;
  for (std::size_t i = 0; i < row; ++i) {
    const std::size_t column = i % features::kTokenWidth;
    EXPECT_EQ(last[i], before[i]);
    if (column < 9 || column == 12) continue;
    still += std::abs(last[i]);
    moves += std::abs(arrays[0][10 * row + i]);
  }
  EXPECT_EQ(still, 0);
  EXPECT_GT(moves, 0);
  const std::vector<FieldStatistics> statistics = source->statistics();
  ASSERT_EQ(statistics.size(), source->fields().size());
  for (const float spread : statistics[0].spread) EXPECT_GT(spread, 0);
  EXPECT_NE(statistics[0].spread[11], 1);
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
  // Distilled: a student of the same sizes, whose file states its sampler.
  request.overrides.push_back("model.teacher=" + request.folder.string());
  request.overrides.push_back("train.seconds=0.01");  // Over after the first look at the clock.
  request.overrides.push_back("train.steps=100000");
  const std::filesystem::path teacher = request.folder;
  request.folder = teacher.parent_path() / "student";
  const auto distilled = run(request);
  ASSERT_TRUE(distilled) << distilled.error().format();
  EXPECT_EQ(distilled->step, 2);
  const auto graph = nn::read_graph(request.folder / "model.safetensors");
  ASSERT_TRUE(graph) << graph.error().format();
  EXPECT_EQ(graph->metadata.at("zoe.sampler"), "sampler=ddim steps=4");
  EXPECT_EQ(graph->metadata.at("zoe.means"), nn::read_graph(teacher / "model.safetensors")->metadata.at("zoe.means"));
  request.overrides.push_back("model.width=32");  // Another size than the teacher's.
  request.folder = teacher.parent_path() / "other";
  EXPECT_FALSE(run(request));
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
