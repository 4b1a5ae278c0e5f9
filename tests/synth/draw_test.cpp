// SPDX-License-Identifier: MIT
// Drawing from a seed: repeatable, varied, and refused where it makes no sense.
#include "zoe/synth/draw.h"

#include <set>

#include <gtest/gtest.h>

namespace zoe::synth {
namespace {

TEST(Draw, SameNumberSameClip) {
  DrawOptions options;
  options.mesh = false;
  options.terrains = {};
  for (std::uint64_t i = 0; i < 12; ++i) {
    const auto a = draw_clip(options, 4, i), b = draw_clip(options, 4, i);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->clip.motion.rotations, b->clip.motion.rotations);
    EXPECT_EQ(a->clip.captions, b->clip.captions);
    const auto other = draw_clip(options, 5, i);
    ASSERT_TRUE(other);
    EXPECT_NE(a->clip.motion.rotations, other->clip.motion.rotations);
  }
}

TEST(Draw, FamiliesTakeTurnsAndListsAreKept) {
  DrawOptions options;
  options.mesh = false;
  options.seconds = 0.5;
  options.styles = {Style::kTired};
  options.names = {Names::kBip01};
  std::set<BodyFamily> seen;
  for (std::uint64_t i = 0; i < families().size(); ++i) {
    const auto drawn = draw_clip(options, 1, i);
    ASSERT_TRUE(drawn);
    seen.insert(drawn->body.family);
    EXPECT_EQ(drawn->clip.request.style, Style::kTired);
    EXPECT_EQ(drawn->names, Names::kBip01);
  }
  EXPECT_EQ(seen.size(), families().size());
}

TEST(Draw, OneBodyForAllClips) {
  DrawOptions options;
  options.mesh = false;
  options.seconds = 0.5;
  options.families = {BodyFamily::kQuadruped};
  const auto skeleton_of = [&](std::uint64_t index) { return draw_clip(options, 36, index).value().body.skeleton; };
  EXPECT_NE(skeleton_of(0)->num_joints(), skeleton_of(1)->num_joints());
  options.one_body = true;
  for (std::uint64_t i = 1; i < 4; ++i) {
    EXPECT_EQ(skeleton_of(i)->num_joints(), skeleton_of(0)->num_joints());
    EXPECT_EQ(skeleton_of(i)->rest_local(3).translation, skeleton_of(0)->rest_local(3).translation);
  }
}

TEST(Draw, AFreeChoiceHasEveryStyleAndHalfOfItNone) {
  DrawOptions options;
  options.mesh = false;
  options.seconds = 0.1;
  options.families = {BodyFamily::kFish};
  std::set<Style> seen;
  int neutral = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto drawn = draw_clip(options, 1, i);
    ASSERT_TRUE(drawn);
    seen.insert(drawn->clip.request.style);
    neutral += drawn->clip.request.style == Style::kNeutral ? 1 : 0;
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kNumStyles));
  EXPECT_GT(neutral, 80);
  EXPECT_LT(neutral, 140);
}

TEST(Draw, CaptionsDifferAndNameTheTurn) {
  DrawOptions options;
  options.mesh = false;
  options.seconds = 0.5;
  options.gaits = {Gait::kWalk};
  options.courses = {Course::kTurnLeft};
  const auto drawn = draw_clip(options, 1, 0);
  ASSERT_TRUE(drawn);
  const auto& captions = drawn->clip.captions;
  ASSERT_EQ(captions.size(), 3U);
  EXPECT_EQ(std::set<std::string>(captions.begin(), captions.end()).size(), 3U);
  for (const std::string& caption : captions) EXPECT_NE(caption.find("left"), std::string::npos) << caption;
}

TEST(Draw, RefusesGaitsThatNoFamilyHas) {
  DrawOptions options;
  options.families = {BodyFamily::kBiped};
  options.gaits = {Gait::kGallop};
  EXPECT_FALSE(check(options));
  EXPECT_FALSE(draw_clip(options, 1, 0));
  options.gaits = {};
  options.fps = 0;
  EXPECT_FALSE(check(options));
}

}  // namespace
}  // namespace zoe::synth
