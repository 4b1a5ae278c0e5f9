// SPDX-License-Identifier: MIT
#include "zoe/sprite/timing.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/motion/frame_span.h"
#include "zoe/sprite/timing_file.h"

#include "sprite/support.h"

namespace zoe::sprite {
namespace {

// From 0 to 1, slow at both ends.
double ease(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

struct Key {
  double time_s;
  Vec3 hand;
};

// A body whose two hands move through keys, easing between them; 60 frames per second.
Motion act(std::vector<Key> keys) {
  const SkeletonPtr skeleton =
      Skeleton::create({{.name = "hips", .rest_local = {.translation = {0, 1, 0}}},
                        {.name = "head", .parent = 0, .rest_local = {.translation = {0, 0.7F, 0}}},
                        {.name = "left", .parent = 0},
                        {.name = "right", .parent = 0},
                        {.name = "foot", .parent = 0, .rest_local = {.translation = {0, -1, 0}}}})
          .value();
  const int count = static_cast<int>(std::lround(keys.back().time_s * 60)) + 1;
  Motion motion = make_motion(skeleton, "act", 60, count, false);
  for (int i = 0; i < count; ++i) {
    const double time_s = i / 60.0;
    std::size_t k = 0;
    while (k + 2 < keys.size() && time_s > keys[k + 1].time_s) ++k;
    const double part = ease((time_s - keys[k].time_s) / (keys[k + 1].time_s - keys[k].time_s));
    const Vec3 hand = lerp(keys[k].hand, keys[k + 1].hand, static_cast<float>(part));
    const auto frame = frame_span(motion, i);
    frame.translations[2] = hand + Vec3{0.2F, 0, 0};
    frame.translations[3] = hand - Vec3{0.2F, 0.05F, 0};
  }
  return motion;
}

int total_ms(const std::vector<Exposure>& exposures) {
  int sum = 0;
  for (const Exposure& exposure : exposures) sum += exposure.duration_ms;
  return sum;
}

const Vec3 kRest{0, 0, 0.2F}, kBack{0, -0.1F, -0.5F}, kThrown{0, 0.3F, 0.9F};

// The fireball of fighting games: stand, wind up, throw and hold, stand. Four drawings tell it.
TEST(Timing, AFireballInFourDrawings) {
  const Motion motion =
      act({{0, kRest}, {0.4, kBack}, {0.55, kBack}, {0.65, kThrown}, {0.75, kThrown}, {1.05, kRest}, {1.3, kRest}});
  const std::vector<Exposure> drawn = time_drawings(motion, {.pace = Pace::kArcade, .num_drawings = 4}, false);
  ASSERT_EQ(drawn.size(), 4U);
  EXPECT_EQ(drawn[0].time_s, 0);
  EXPECT_GE(drawn[1].time_s, 0.4 - 1.5 / 60);  // Wound up …
  EXPECT_LE(drawn[1].time_s, 0.55 + 1.5 / 60);
  EXPECT_NEAR(drawn[2].time_s, 0.65, 1.5 / 60);  // … thrown …
  EXPECT_NEAR(drawn[3].time_s, 1.3, 1e-9);       // … and back.
  EXPECT_EQ(total_ms(drawn), 1300);
  // The throw is held; it is the longest. No drawing is shorter than two 24ths.
  EXPECT_GT(drawn[2].duration_ms, drawn[3].duration_ms * 2);
  for (const Exposure& exposure : drawn) EXPECT_GE(exposure.duration_ms, 70);
  EXPECT_GT(kept_extremes(motion, drawn), 0.98);
  // Four even drawings miss the extremes.
  EXPECT_LT(kept_extremes(motion, even_exposures(motion, 12, 4, false)), 0.95);
}

// Sixty frames of a slash with six drawings: the strike within one frame, the length exact.
TEST(Timing, ASlashInSixDrawings) {
  const Motion motion = act({{0, kRest},
                             {0.3, {0.4F, 0.6F, -0.3F}},
                             {0.4, {0.4F, 0.65F, -0.35F}},
                             {0.5, {-0.5F, -0.4F, 0.8F}},
                             {0.65, {-0.6F, -0.45F, 0.6F}},
                             {1.0, kRest}});
  const std::vector<Exposure> drawn = time_drawings(motion, {.pace = Pace::kSnappy, .num_drawings = 6}, false);
  ASSERT_EQ(drawn.size(), 6U);
  double nearest = 1;
  for (const Exposure& exposure : drawn) nearest = std::min(nearest, std::abs(exposure.time_s - 0.5));
  EXPECT_LE(nearest, 1.5 / 60);
  EXPECT_EQ(total_ms(drawn), 1000);
}

// Generated motions: nearly all extremes with at most 40 % of 24 drawings per second.
TEST(Timing, ArcadeKeepsTheExtremes) {
  for (const synth::Gait gait : {synth::Gait::kAttack, synth::Gait::kJump, synth::Gait::kWalk}) {
    const synth::Body body = synth::make_body(BodyFamily::kBiped, Random(3));
    const Motion motion = synth::make_clip(body, {.gait = gait, .seconds = 1.5}, Random(2)).value().motion;
    for (const Pace pace : {Pace::kArcade, Pace::kSnappy}) {
      const std::vector<Exposure> drawn = time_drawings(motion, {.pace = pace}, false);
      EXPECT_GE(kept_extremes(motion, drawn), 0.95) << to_string(gait);
      EXPECT_LE(static_cast<double>(drawn.size()), (pace == Pace::kArcade ? 0.4 : 0.6) * 24 * motion.duration_s());
      EXPECT_EQ(total_ms(drawn), std::lround(motion.duration_s() * 1000));
      for (std::size_t i = 1; i < drawn.size(); ++i) EXPECT_GT(drawn[i].time_s, drawn[i - 1].time_s);
    }
  }
}

TEST(Timing, PinsOnesAndThrees) {
  const Motion motion = act({{0, kRest}, {0.6, kBack}, {1.0, kThrown}, {1.5, kRest}});
  const auto drawn = time_drawings(motion, {.pace = Pace::kArcade, .num_drawings = 6, .pins_s = {0.31}}, false);
  EXPECT_TRUE(
      std::any_of(drawn.begin(), drawn.end(), [](const Exposure& e) { return std::abs(e.time_s - 0.31) < 0.01; }));
  for (const int on : {1, 3}) {
    for (const Exposure& exposure : time_drawings(motion, {.pace = Pace::kSnappy, .on = on}, false))
      EXPECT_GE(exposure.duration_ms, on * 1000 / 24 - 1);
  }
}

// A loop does not draw its first pose twice.
TEST(Timing, LoopsEndBeforeTheirFirstPose) {
  const Motion motion = act({{0, kRest}, {0.4, kBack}, {0.8, kThrown}, {1.2, kRest}});
  const std::vector<Exposure> drawn = time_drawings(motion, {.pace = Pace::kArcade, .num_drawings = 3}, true);
  ASSERT_EQ(drawn.size(), 3U);
  EXPECT_LT(drawn.back().time_s, 1.1);
  EXPECT_EQ(total_ms(drawn), 1200);
  EXPECT_TRUE(is_loop(motion));
}

TEST(TimingFile, ValuesComeBackAndMistakesAreNamed) {
  std::vector<NamedTiming> timings{{"walk", {}}, {"attack_1h", {.pace = Pace::kArcade}}};
  ASSERT_TRUE(
      parse_timings("[attack_1h]\ndrawings = 4\nhold = 2.0\npins_s = [0.25]\npace = \"snappy\"\n", "t.toml", timings));
  EXPECT_EQ(timings[1].timing.num_drawings, 4);
  EXPECT_EQ(timings[1].timing.pace, Pace::kSnappy);
  EXPECT_EQ(timings[1].timing.pins_s, std::vector<double>{0.25});
  EXPECT_EQ(timings[0].timing.num_drawings, 0);
  std::vector<NamedTiming> again{{"walk", {}}, {"attack_1h", {}}};
  ASSERT_TRUE(parse_timings(write_timings(timings), "t.toml", again));
  EXPECT_EQ(write_timings(again), write_timings(timings));
  const auto refused = [&](const char* text, const char* word) {
    const Result<void> read = parse_timings(text, "t.toml", timings);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().format().find(word), std::string::npos) << read.error().format();
  };
  refused("[wlak]\nfps = 3\n", "walk");
  refused("[walk]\nfps = 300\n", "1 to 60");
  refused("[walk]\npace = \"slow\"\n", "arcade");
  refused("[walk\n", "t.toml");
}

TEST(TimingFile, DamagedTexts) {
  Random random(5);
  const std::string good = "[walk]\npace = \"arcade\"\ndrawings = 4\nhold = 2.0\npins_s = [0.25, 1e3]\n";
  for (int i = 0; i < 2000; ++i) {
    std::string text = good.substr(0, static_cast<std::size_t>(random.uniform() * static_cast<float>(good.size() + 1)));
    for (char& c : text) {
      if (random.uniform() < 0.03F) c = static_cast<char>(static_cast<unsigned char>(random.uniform() * 256));
    }
    std::vector<NamedTiming> timings{{"walk", {}}};
    const bool failed = !parse_timings(text, "t.toml", timings);
    EXPECT_TRUE(!failed || timings[0].timing.pins_s.empty());
  }
}

}  // namespace
}  // namespace zoe::sprite
