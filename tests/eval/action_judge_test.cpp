// SPDX-License-Identifier: MIT
#include "zoe/eval/action_judge.h"

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/eval/motion_windows.h"

#include "made_clips.h"

namespace zoe::eval {
namespace {

constexpr int kIdle = 0, kWalk = 1, kRun = 2;

JudgedClip made(BodyFamily family, synth::Gait gait, int action, std::uint64_t seed) {
  const test::MadeClip clip = test::make_clip(family, gait, seed);
  return {describe_windows(clip.motion, clip.body).value().values, {action}, to_string(family) + std::to_string(seed)};
}

std::vector<JudgedClip> gaits(std::uint64_t first_seed, int count) {
  std::vector<JudgedClip> clips;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
    const BodyFamily family = i % 2 == 0 ? BodyFamily::kBiped : BodyFamily::kQuadruped;
    clips.push_back(made(family, synth::Gait::kIdle, kIdle, seed));
    clips.push_back(made(family, synth::Gait::kWalk, kWalk, seed));
    clips.push_back(made(family, family == BodyFamily::kBiped ? synth::Gait::kRun : synth::Gait::kGallop, kRun, seed));
  }
  return clips;
}

TEST(ActionJudge, NamesGaitsOfBodiesThatItNeverSaw) {
  const Result<ActionJudge> judge = ActionJudge::train(gaits(10, 6));
  ASSERT_TRUE(judge.has_value()) << judge.error().message;
  const std::vector<JudgedClip> others = gaits(500, 4);
  const JudgeScore own = score(*judge, others);
  EXPECT_EQ(own.clips, 12);
  EXPECT_GE(own.accuracy, 0.9);
  EXPECT_GE(own.top_three, own.accuracy);
  EXPECT_NEAR(own.largest, 1.0 / 3, 1e-9);
  // A walk that was requested as a run is no hit.
  EXPECT_FALSE(judge->agrees(others[1].windows, std::vector<int>{kRun}));
  EXPECT_TRUE(judge->agrees(others[1].windows, std::vector<int>{kRun, kWalk}));
  double sum = 0;
  for (const double value : judge->probabilities(others[0].windows)) sum += value;
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(ActionJudge, ShuffledLabelsAreWorthAGuess) {
  std::vector<JudgedClip> clips = gaits(10, 6);
  Random random(3);
  std::vector<std::vector<int>> labels;
  for (const JudgedClip& clip : clips) labels.push_back(clip.actions);
  random.shuffle(labels);
  for (std::size_t i = 0; i < clips.size(); ++i) clips[i].actions = labels[i];
  EXPECT_LT(score(ActionJudge::train(clips).value(), gaits(500, 4)).accuracy, 0.75);
}

TEST(ActionJudge, LeavesBodiesOutTogether) {
  const Result<JudgeScore> own = cross_validate(gaits(10, 6), 3);
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->clips, 18);
  EXPECT_GE(own->accuracy, 0.8);
  std::vector<JudgedClip> one = gaits(10, 1);
  for (JudgedClip& clip : one) clip.body = "one";
  EXPECT_FALSE(cross_validate(one).has_value());
}

TEST(ActionJudge, RefusesTooLittle) {
  EXPECT_FALSE(ActionJudge::train({}).has_value());
  std::vector<JudgedClip> walks;
  for (std::uint64_t seed = 1; seed < 6; ++seed)
    walks.push_back(made(BodyFamily::kBiped, synth::Gait::kWalk, kWalk, seed));
  EXPECT_FALSE(ActionJudge::train(walks).has_value()) << "one action only";
  const ActionJudge judge = ActionJudge::train(gaits(10, 4)).value();
  EXPECT_FALSE(judge.knows(std::vector<int>{40}));
  EXPECT_EQ(score(judge, std::vector<JudgedClip>{{walks[0].windows, {40}, "x"}}).clips, 0);
}

}  // namespace
}  // namespace zoe::eval
