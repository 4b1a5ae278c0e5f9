// SPDX-License-Identifier: MIT
// Thousands of draws: every one is valid, every choice is kept, everything that may come does.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/synth/draw.h"

#include "support/allocation.h"
#include "synth/bodies.h"

namespace zoe::synth {
namespace {

// Short and coarse: what is drawn matters here, not how it looks.
DrawOptions brief() {
  DrawOptions options;
  options.mesh = false;
  options.seconds = 0.1;
  options.fps = 10;
  return options;
}

TEST(DrawMany, ADrawIsAlwaysPossibleAndValid) {
  DrawOptions options = brief();
  options.terrains = {};
  std::map<Gait, int> gaits;
  std::set<std::pair<BodyFamily, Gait>> pairs;
  std::set<Course> courses;
  std::set<TerrainKind> grounds;
  const std::uint64_t count = zoe::test::kSanitized ? 200 : 1500;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto drawn = draw_clip(options, 99, i);
    ASSERT_TRUE(drawn) << i;
    const ClipRequest& request = drawn->clip.request;
    ASSERT_TRUE(validate(drawn->clip.motion)) << i;
    EXPECT_EQ(drawn->body.family, families()[i % families().size()]);
    const auto known = gaits_of(drawn->body.family);
    EXPECT_NE(std::find(known.begin(), known.end(), request.gait), known.end()) << i;
    const auto possible = courses_of(drawn->body.family, request.gait);
    EXPECT_NE(std::find(possible.begin(), possible.end(), request.course), possible.end()) << i;
    EXPECT_TRUE(can_use(drawn->body.family, request.gait, request.terrain)) << i;
    EXPECT_NE(request.course, Course::kWander) << "only where it is asked for";
    EXPECT_NE(drawn->names, Names::kNumbered);
    EXPECT_GE(drawn->clip.captions.size(), 1U) << i;
    EXPECT_GE(drawn->clip.speed_m_s, 0);
    ++gaits[request.gait];
    pairs.emplace(drawn->body.family, request.gait);
    courses.insert(request.course);
    grounds.insert(request.terrain);
  }
  if (zoe::test::kSanitized) return;
  std::size_t possible = 0;
  for (const BodyFamily family : families()) possible += gaits_of(family).size();
  EXPECT_EQ(pairs.size(), possible);
  EXPECT_EQ(gaits.size(), static_cast<std::size_t>(kNumGaits));
  EXPECT_EQ(courses.size(), static_cast<std::size_t>(kNumCourses - 1));
  EXPECT_EQ(grounds.size(), static_cast<std::size_t>(kNumTerrainKinds));
}

TEST(DrawMany, EveryListIsKept) {
  DrawOptions options = brief();
  options.families = {BodyFamily::kBiped, BodyFamily::kQuadruped};
  options.gaits = {Gait::kWalk, Gait::kTrot};
  options.styles = {Style::kOld, Style::kHappy};
  options.courses = {Course::kTurnLeft, Course::kWander};
  options.terrains = {TerrainKind::kSlope};
  options.names = {Names::kMixamo, Names::kNumbered};
  std::set<Course> courses;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const DrawnClip drawn = draw_clip(options, 3, i).value();
    const ClipRequest& request = drawn.clip.request;
    EXPECT_EQ(drawn.body.family, i % 2 == 0 ? BodyFamily::kBiped : BodyFamily::kQuadruped);
    EXPECT_TRUE(request.gait == Gait::kWalk ||
                (request.gait == Gait::kTrot && drawn.body.family == BodyFamily::kQuadruped));
    EXPECT_TRUE(request.style == Style::kOld || request.style == Style::kHappy);
    EXPECT_EQ(request.terrain, TerrainKind::kSlope);
    EXPECT_TRUE(drawn.names == Names::kMixamo || drawn.names == Names::kNumbered);
    courses.insert(request.course);
  }
  EXPECT_EQ(courses, (std::set<Course>{Course::kTurnLeft, Course::kWander}));
}

// Families without any of the gaits are passed over.
TEST(DrawMany, OnlyFamiliesThatHaveTheGaitTakeTurns) {
  DrawOptions options = brief();
  options.gaits = {Gait::kFly, Gait::kSwim};
  std::set<BodyFamily> seen;
  for (std::uint64_t i = 0; i < 30; ++i) seen.insert(draw_clip(options, 1, i).value().body.family);
  EXPECT_EQ(seen, (std::set<BodyFamily>{BodyFamily::kBird, BodyFamily::kFlyer, BodyFamily::kFish}));
}

TEST(DrawMany, AClipDoesNotDependOnHowLongOthersAre) {
  DrawOptions options = brief();
  const DrawnClip brief_clip = draw_clip(options, 8, 17).value();
  options.seconds = 1;
  const DrawnClip long_clip = draw_clip(options, 8, 17).value();
  EXPECT_EQ(brief_clip.body.skeleton->topology_hash(), long_clip.body.skeleton->topology_hash());
  EXPECT_EQ(brief_clip.clip.request.gait, long_clip.clip.request.gait);
  EXPECT_EQ(brief_clip.clip.request.style, long_clip.clip.request.style);
}

TEST(DrawMany, CheckNamesTheFault) {
  const auto message = [](const std::function<void(DrawOptions&)>& spoil) {
    DrawOptions options = brief();
    spoil(options);
    const auto checked = check(options);
    EXPECT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::kUsage);
    EXPECT_FALSE(draw_clip(options, 1, 1));
    return checked.error().message;
  };
  EXPECT_EQ(message([](DrawOptions& o) { o.families = {BodyFamily::kOther}; }),
            "none of the families has any of the gaits");
  EXPECT_EQ(message([](DrawOptions& o) { o.families = {BodyFamily::kFish}, o.gaits = {Gait::kTrot}; }),
            "none of the families has any of the gaits");
  EXPECT_EQ(message([](DrawOptions& o) { o.fps = 0; }), "fps must be above 0 and at most 1000");
  EXPECT_EQ(message([](DrawOptions& o) { o.fps = 1000.5; }), "fps must be above 0 and at most 1000");
  EXPECT_EQ(message([](DrawOptions& o) { o.seconds = 0; }), "seconds must be above 0 and give at most 100,000 frames");
  EXPECT_EQ(message([](DrawOptions& o) { o.seconds = 10001; }),
            "seconds must be above 0 and give at most 100,000 frames");
  EXPECT_TRUE(check(brief()));
}

}  // namespace
}  // namespace zoe::synth
