// SPDX-License-Identifier: MIT
// The learned tracker: what torch computes is what the runtime computes, and a policy learns to follow.
#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/features/tracks.h"
#include "zoe/motion/bone_rows.h"
#include "zoe/train/tracker_source.h"

#include "support/data.h"
#include "train/model_fixture.h"
#include "train/tracker/bone_world.h"
#include "train/turn.h"

namespace zoe::train {
namespace {

SmallModel small_tracker(std::vector<std::string> settings = {}) {
  return make_small(*find_model("tracker").value(), at::kFloat, 1, settings);
}

TEST(Tracker, ItsViewIsThatOfTheRuntime) {
  const SmallModel small = small_tracker();
  const Batch batch = small.batch(0, 32);
  const at::Tensor view =
      view_bones(SimulatedBones::from_row(batch[0].select(1, 0)), SimulatedBones::from_row(batch[1].select(1, 0)));
  EXPECT_LT((view - batch[3].flatten(1)).abs().max().item<float>(), 1e-5F);
}

// The change of velocities between two rows leads from one to the other.
TEST(Tracker, OneTickIsThatOfTheRows) {
  const SmallModel small = small_tracker();
  const Batch batch = small.batch(0, 32);
  const SimulatedBones next =
      advance(SimulatedBones::from_row(batch[0].select(1, 0)), batch[4].flatten(1), kTrackerFrameS);
  const SimulatedBones there = SimulatedBones::from_row(batch[0].select(1, 1));
  EXPECT_LT((next.position - there.position).abs().max().item<float>(), 1e-5F);
  EXPECT_LT((next.axes - there.axes).abs().max().item<float>(), 1e-5F);
  EXPECT_LT((next.velocity - there.velocity).abs().max().item<float>(), 1e-5F);
  EXPECT_LT((next.spin - there.spin).abs().max().item<float>(), 1e-5F);
}

// The loss of the policy in a world that was learned first.
TEST(Tracker, ThePolicyFollowsBetter) {
  SmallModel small = small_tracker({"model.hidden=32,32", "model.world_hidden=48,48"});
  Settings settings;
  settings.rate = 3e-3;
  Turn world(*small.model, 0, TurnSetting{}, settings, at::kCPU),
      policy(*small.model, 1, TurnSetting{}, settings, at::kCPU);
  Collective alone;
  Warnings warnings;
  const auto steps_of = [&](Turn& turn, int steps) {
    for (int step = 0; step < steps; ++step) {
      const Batch batch = small.batch(static_cast<std::size_t>(step % 4) * 64, 64);
      turn.step({.batch = batch, .bucket = 0, .rates = {3e-3, 0}, .record = false, .seed = [] {}}, alone, warnings)
          .value();
    }
  };
  const auto loss = [&] {
    const c10::NoGradGuard no_gradients;
    small.model->training = false;
    const double value = small.model->turn_loss(1, small.batch(0, 128)).values[1].second.item<double>();
    small.model->training = true;
    return value;
  };
  steps_of(world, 200);
  const double before = loss();
  steps_of(policy, 100);
  EXPECT_LT(loss(), before) << "rotations nearer to the target's";
}

// Rollouts in a folder: windows within tracks, and refusals.
TEST(TrackerSource, ReadsWindowsWithinTracks) {
  const std::filesystem::path folder = test::temporary_dir("rollouts");
  constexpr int kBones = 2, kSteps = 5, kFrames = 20;
  std::vector<BoneMotion> bones(kBones);
  std::vector<float> body, offset(kFrames * 3, 0.5F);
  for (int frame = 0; frame < kFrames; ++frame) {
    bones[0].position_m.x = frame;
    std::vector<float> row(kBones * kBoneRowWidth);
    write_bone_row(bones, row);
    body.insert(body.end(), row.begin(), row.end());
  }
  std::vector<features::TrackField> fields{
      {"body", kBones * kBoneRowWidth, body}, {"target", kBones * kBoneRowWidth, body}, {"offset", 3, offset}};
  ASSERT_TRUE(features::write_tracks(folder, fields, std::vector<std::int32_t>{12, 3, 5}, kSteps));
  const auto source = open_tracker_source(folder).value();
  ASSERT_EQ(source->num_samples(Split::kTraining), 7U);  // Of the first track: a window and a row behind it.
  std::vector<std::vector<float>> values;
  std::vector<std::span<float>> outputs;
  for (const Field& field : source->fields()) values.emplace_back(field.size());
  for (std::vector<float>& one : values) outputs.emplace_back(one);
  const std::size_t last[] = {6};
  ASSERT_TRUE(source->read(Split::kTraining, last, outputs));
  EXPECT_EQ(values[0][0], 6);
  EXPECT_EQ(values[1][4 * kBones * kBoneRowWidth], 10);
  EXPECT_EQ(source->statistics().size(), source->fields().size());
  fields[1].name = "aim";
  ASSERT_TRUE(features::write_tracks(folder, fields, std::vector<std::int32_t>{20}, kSteps));
  const auto refused = open_tracker_source(folder);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("no field 'target'"), std::string::npos) << refused.error().message;
  fields[1].name = "target";
  ASSERT_TRUE(features::write_tracks(folder, fields, std::vector<std::int32_t>{5, 5, 5, 5}, kSteps));
  EXPECT_FALSE(open_tracker_source(folder)) << "no track is longer than a window";
}

}  // namespace
}  // namespace zoe::train
