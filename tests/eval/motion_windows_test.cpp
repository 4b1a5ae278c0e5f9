// SPDX-License-Identifier: MIT
#include "zoe/eval/motion_windows.h"

#include <algorithm>
#include <set>

#include "zoe/motion/edit.h"

#include "eval/body_parts.h"
#include "eval/made_clips.h"

namespace zoe::eval::test {
namespace {

struct Kind {
  BodyFamily family;
  synth::Gait gait;
};
constexpr Kind kKinds[] = {{BodyFamily::kBiped, synth::Gait::kWalk},
                           {BodyFamily::kQuadruped, synth::Gait::kTrot},
                           {BodyFamily::kHexapod, synth::Gait::kTripod},
                           {BodyFamily::kSnake, synth::Gait::kSlither},
                           {BodyFamily::kFish, synth::Gait::kSwim}};

double largest_difference(const MotionWindows& a, const MotionWindows& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i)
    most = std::max(most, static_cast<double>(std::abs(a.values[i] - b.values[i])));
  return most;
}

float column(const MotionWindows& windows, const std::string& name, std::size_t row = 0) {
  const auto& names = description_columns();
  const auto at = std::find(names.begin(), names.end(), name);
  EXPECT_NE(at, names.end()) << name;
  return windows.values[row * names.size() + static_cast<std::size_t>(at - names.begin())];
}

TEST(MotionWindows, ColumnsHaveDifferentNames) {
  const auto& names = description_columns();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(description_width(), static_cast<int>(names.size()));
}

TEST(MotionWindows, AreFiniteAndCoverTheClipForEveryFamily) {
  for (const Kind& kind : kKinds) {
    const MadeClip clip = make_clip(kind.family, kind.gait);
    const auto windows = describe_windows(clip.motion, clip.body);
    ASSERT_TRUE(windows.has_value()) << to_string(kind.family);
    ASSERT_EQ(windows->size(), 4U) << to_string(kind.family);  // 5 s: from 0 to 2.87 s by at most 1 s.
    EXPECT_EQ(windows->start_s.front(), 0);
    EXPECT_NEAR(windows->start_s.back() + windows->seconds, clip.motion.duration_s(), 0.05);
    EXPECT_EQ(windows->values.size(), windows->size() * static_cast<std::size_t>(description_width()));
    for (const float value : windows->values) ASSERT_TRUE(std::isfinite(value)) << to_string(kind.family);
  }
}

TEST(MotionWindows, IgnorePositionHeadingAndUnit) {
  for (const Kind& kind : kKinds) {
    const MadeClip clip = make_clip(kind.family, kind.gait);
    const auto here = describe_windows(clip.motion, clip.body);
    const auto there = describe_windows(moved(clip.motion, 2.1F, {40, 0, -7}), clip.body);
    ASSERT_TRUE(here && there);
    EXPECT_LT(largest_difference(*here, *there), 0.05) << to_string(kind.family);
    // A body of inches: the reference pose is scaled with it.
    SkeletonAnalysis inches = clip.body;
    for (Vec3& place : inches.reference_positions) place *= 39.37F;
    const auto scaled = describe_windows(moved(clip.motion, 0, {}, 39.37F), inches);
    ASSERT_TRUE(scaled.has_value());
    EXPECT_LT(largest_difference(*here, *scaled), 0.02) << to_string(kind.family);
  }
}

TEST(MotionWindows, IgnoreTheRateOfTheCapture) {
  for (const Kind& kind : kKinds) {
    const MadeClip clip = make_clip(kind.family, kind.gait);
    const auto here = describe_windows(clip.motion, clip.body);
    const auto faster = describe_windows(*resample(clip.motion, 120), clip.body);
    ASSERT_TRUE(here && faster);
    EXPECT_LT(largest_difference(*here, *faster), 1e-3) << to_string(kind.family);
  }
}

TEST(MotionWindows, KnowTheDirectionOfTime) {
  const MadeClip clip = make_clip(BodyFamily::kBiped, synth::Gait::kWalk);
  const auto ahead = describe_windows(clip.motion, clip.body), back = describe_windows(reverse(clip.motion), clip.body);
  ASSERT_TRUE(ahead && back);
  EXPECT_GT(column(*ahead, "root.ahead.mean"), 0.1F);
  EXPECT_NEAR(column(*back, "root.ahead.mean"), -column(*ahead, "root.ahead.mean"), 0.05F);
  EXPECT_NEAR(column(*back, "legs.orbit"), -column(*ahead, "legs.orbit"), 0.1F);
  EXPECT_GT(std::abs(column(*ahead, "legs.orbit")), 0.2F);
}

TEST(MotionWindows, KnowGaitsByTheirLegs) {
  const MadeClip walk = make_clip(BodyFamily::kBiped, synth::Gait::kWalk),
                 hop = make_clip(BodyFamily::kBiped, synth::Gait::kHop);
  const auto walking = describe_windows(walk.motion, walk.body), hopping = describe_windows(hop.motion, hop.body);
  ASSERT_TRUE(walking && hopping);
  EXPECT_LT(column(*walking, "legs.together"), -0.3F);
  EXPECT_GT(column(*hopping, "legs.together"), 0.5F);
  EXPECT_LT(column(*walking, "support.airborne"), 0.05F);
  EXPECT_GT(column(*hopping, "support.airborne"), 0.1F);
}

TEST(MotionWindows, OfShortClips) {
  const MadeClip clip = make_clip(BodyFamily::kBiped, synth::Gait::kWalk);
  const auto second = describe_windows(*trim(clip.motion, 0, 30), clip.body);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->size(), 1U);
  EXPECT_NEAR(second->seconds, 31 / 30.0, 1e-9);
  const auto shorter = describe_windows(*trim(clip.motion, 0, 8), clip.body);
  ASSERT_TRUE(shorter.has_value());
  EXPECT_EQ(shorter->size(), 0U);
}

TEST(BodyParts, LengthIsTheLongestChain) {
  const MadeClip clip = make_clip(BodyFamily::kBiped, synth::Gait::kWalk);
  const BodyParts parts = find_body_parts(*clip.motion.skeleton, clip.body);
  // Hand to foot of a person is longer than the person is tall.
  EXPECT_GT(parts.length, clip.body.height_m * 0.9);
  EXPECT_LT(parts.length, clip.body.height_m * 1.6);
  float sum = 0;
  for (const float weight : parts.weights) sum += weight;
  EXPECT_NEAR(sum, 1, 1e-4);
  EXPECT_TRUE(parts.has_feet);
  EXPECT_EQ(parts.legs.size(), 1U);
  const MadeClip snake = make_clip(BodyFamily::kSnake, synth::Gait::kSlither);
  const BodyParts long_one = find_body_parts(*snake.motion.skeleton, snake.body);
  EXPECT_FALSE(long_one.has_feet);
  EXPECT_GT(long_one.shares[0] + long_one.shares[3], 0.9F);  // Trunk and tail.
}

}  // namespace
}  // namespace zoe::eval::test
