// SPDX-License-Identifier: MIT
// Sentences about clips: they name who, what, where and how, and never claim what is not shown.
#include "synth/captions.h"

#include <set>

#include <gtest/gtest.h>

#include "synth/bodies.h"

namespace zoe::synth {
namespace {

// Captions need the request and the kind of ground alone.
Clip asked(Gait gait, Course course = Course::kStraight, Style style = Style::kNeutral) {
  Clip clip;
  clip.request = {.gait = gait, .style = style, .course = course};
  return clip;
}
// Sentences of many seeds.
std::vector<std::string> sentences(const Body& body, const Clip& clip) {
  std::vector<std::string> all;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (std::string& text : make_captions(body, clip, Random(seed))) all.push_back(std::move(text));
  }
  return all;
}
bool has_any(const std::string& text, const std::vector<const char*>& words) {
  for (const char* word : words) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

TEST(Captions, ThreeDifferentSentences) {
  test::each_body(2, [](const Body& body, const std::string& what) {
    for (const Gait gait : gaits_of(body.family)) {
      const std::vector<std::string> texts = make_captions(body, asked(gait), Random(3));
      EXPECT_EQ(texts.size(), 3U) << what;
      EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size()) << what;
      for (const std::string& text : texts) {
        EXPECT_EQ(text.find("  "), std::string::npos) << text;
        EXPECT_NE(text.back(), '.') << text;
        EXPECT_TRUE(text[0] >= 'a' && text[0] <= 'z') << text;
      }
    }
  });
}

TEST(Captions, NameTheGait) {
  const std::vector<std::pair<Gait, std::vector<const char*>>> words{
      {Gait::kIdle, {"stands", "waits", "idles"}},
      {Gait::kWalk, {"walk", "stroll", "steps"}},
      {Gait::kRun, {"run", "jog"}},
      {Gait::kHop, {"hop", "bounce"}},
      {Gait::kTrot, {"trot"}},
      {Gait::kPace, {"pace"}},
      {Gait::kCanter, {"canter", "lope"}},
      {Gait::kGallop, {"gallop"}},
      {Gait::kBound, {"bound"}},
      {Gait::kTripod, {"scuttle", "tripod", "hurries"}},
      {Gait::kRipple, {"ripp"}},
      {Gait::kWave, {"creep", "crawl"}},
      {Gait::kJump, {"jump", "leap"}},
      {Gait::kAttack, {"attack", "strike", "lashes"}},
      {Gait::kFly, {"fl"}},
      {Gait::kGlide, {"glide", "soar"}},
      {Gait::kHover, {"hover", "stays in the air"}},
      {Gait::kSlither, {"slither", "winds along"}},
      {Gait::kSidewind, {"sidewind", "winds sideways"}},
      {Gait::kSwim, {"swim", "cruise"}},
      {Gait::kDart, {"dart", "shoots"}},
  };
  ASSERT_EQ(words.size(), static_cast<std::size_t>(kNumGaits));
  const Body body = test::body_of(BodyFamily::kQuadruped, 0);
  for (const auto& [gait, any] : words) {
    for (const std::string& text : sentences(body, asked(gait))) EXPECT_TRUE(has_any(text, any)) << text;
  }
}

TEST(Captions, NameTheCourseOfWhatMoves) {
  const Body body = test::body_of(BodyFamily::kBiped, 0);
  const std::vector<std::pair<Course, std::vector<const char*>>> words{
      {Course::kTurnLeft, {"left"}},
      {Course::kTurnRight, {"right"}},
      {Course::kWeave, {"winding", "weaving"}},
      {Course::kStopAndGo, {"stops", "halts"}},
      {Course::kSpin, {"on the spot", "in place"}},
      {Course::kSidestep, {"side"}},
      {Course::kBackward, {"backward", "reverse"}},
      {Course::kWander, {"about", "here and there", "around"}},
  };
  for (const auto& [course, any] : words) {
    for (const std::string& text : sentences(body, asked(Gait::kWalk, course))) EXPECT_TRUE(has_any(text, any)) << text;
    // Who stands still goes nowhere.
    for (const std::string& text : sentences(body, asked(Gait::kIdle, course))) {
      EXPECT_FALSE(has_any(text, {"left", "right", "backward", "sideways"})) << text;
    }
  }
  for (const std::string& text : sentences(body, asked(Gait::kWalk, Course::kTurnLeft))) {
    EXPECT_EQ(text.find("right"), std::string::npos) << text;
  }
}

TEST(Captions, NameTheStyle) {
  const Body body = test::body_of(BodyFamily::kBiped, 0);
  const std::vector<std::pair<Style, std::vector<const char*>>> words{
      {Style::kTired, {"tired", "wear", "exhaust"}},
      {Style::kSneaky, {"sneak", "stealth"}},
      {Style::kProud, {"proud", "pride"}},
      {Style::kInjured, {"limp", "injured", "sparing"}},
      {Style::kHappy, {"happi", "good mood", "bounce"}},
      {Style::kAngry, {"angri", "furious", "aggressive"}},
      {Style::kOld, {"old", "frail", "age"}},
      {Style::kHeavy, {"heavi", "lumber", "weight"}},
  };
  for (const auto& [style, any] : words) {
    for (const std::string& text : sentences(body, asked(Gait::kWalk, Course::kStraight, style))) {
      EXPECT_TRUE(has_any(text, any)) << text;
    }
    for (const std::string& text : sentences(body, asked(Gait::kWalk))) EXPECT_FALSE(has_any(text, any)) << text;
  }
}

TEST(Captions, NameTheFamilyFirst) {
  const std::vector<std::pair<BodyFamily, std::vector<const char*>>> words{
      {BodyFamily::kBiped, {"person", "someone", "two-legged", "humanoid"}},
      {BodyFamily::kQuadruped, {"four", "quadruped"}},
      {BodyFamily::kHexapod, {"six", "insect", "hexapod"}},
      {BodyFamily::kOctopod, {"eight", "spider"}},
      {BodyFamily::kMillipede, {"many"}},
      {BodyFamily::kBird, {"bird", "winged"}},
      {BodyFamily::kFlyer, {"winged", "dragon"}},
      {BodyFamily::kSnake, {"snake", "legless"}},
      {BodyFamily::kFish, {"fish", "swimming"}},
  };
  for (const auto& [family, any] : words) {
    const Body body = test::body_of(family, 1);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<std::string> texts = make_captions(body, asked(Gait::kIdle), Random(seed));
      EXPECT_TRUE(has_any(texts[0], any) || texts[0].find("millipede") != std::string::npos) << texts[0];
    }
  }
}

TEST(Captions, OfFlatGroundClaimNoSlope) {
  const Body body = test::body_of(BodyFamily::kBiped, 0);
  for (const std::string& text : sentences(body, asked(Gait::kWalk))) {
    EXPECT_FALSE(has_any(text, {"slope", "stairs", "uphill", "downhill", "rough", "bump"})) << text;
  }
}

TEST(Captions, OfRealClipsNameTheirGround) {
  const Body body = test::body_of(BodyFamily::kBiped, 0);
  for (const auto& [kind, any] : std::vector<std::pair<TerrainKind, std::vector<const char*>>>{
           {TerrainKind::kRough, {"rough", "uneven", "bumpy"}},
           {TerrainKind::kSlope, {"slope", "hill"}},
           {TerrainKind::kStairs, {"stairs"}},
           {TerrainKind::kGaps, {"trench", "gap"}},
           {TerrainKind::kPlatforms, {"platform"}},
           {TerrainKind::kBeams, {"beam"}}}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Clip clip =
          make_clip(body, {.gait = Gait::kWalk, .terrain = kind, .seconds = 0.5, .fps = 10}, Random(seed)).value();
      for (const std::string& text : clip.captions) EXPECT_TRUE(has_any(text, any)) << text;
    }
  }
}

TEST(Captions, AreTheSameForTheSameSeed) {
  const Body body = test::body_of(BodyFamily::kBird, 0);
  EXPECT_EQ(make_captions(body, asked(Gait::kFly), Random(4)), make_captions(body, asked(Gait::kFly), Random(4)));
}

}  // namespace
}  // namespace zoe::synth
