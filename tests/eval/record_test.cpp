// SPDX-License-Identifier: MIT
// What a recording holds: frames, times, contacts, and the same bits every time.
#include "zoe/eval/record.h"

#include <gtest/gtest.h>

#include "eval/motions.h"

namespace zoe::eval {
namespace {

using test::ObedientController;

// Desires one velocity and one facing for ever, and counts how often it is asked.
struct Constant final : control::IntentSource {
  Constant(Vec3 velocity, std::optional<float> facing) : velocity_mps(velocity), facing_rad(facing) {}
  control::Intent next(const PlanarRoot& root, double dt_s) override {
    ++calls;
    time_s += dt_s;
    last_root = root;
    return control::Intent::move(velocity_mps, facing_rad);
  }
  Vec3 velocity_mps;
  std::optional<float> facing_rad;
  int calls = 0;
  double time_s = 0;
  PlanarRoot last_root;
};

TEST(Record, HasOneEntryAFrameInEveryArray) {
  const ObedientController controller(control::test::toy_skeleton());
  for (const double fps : {30.0, 60.0, 50.0}) {
    Constant source({0, 0, 1}, 0.25F);
    const Recording run = record(controller, source, {.seconds = 2.5, .fps = fps});
    const auto frames = static_cast<std::size_t>(std::lround(2.5 * fps));
    EXPECT_EQ(source.calls, static_cast<int>(frames));
    EXPECT_NEAR(source.time_s, 2.5, 1e-9);
    EXPECT_EQ(run.motion.num_frames, static_cast<int>(frames));
    EXPECT_EQ(run.motion.fps, fps);
    EXPECT_EQ(run.motion.name, "obedient");
    EXPECT_TRUE(validate(run.motion));
    for (const std::size_t size : {run.roots.size(), run.wanted_mps.size(), run.wanted_facing_rad.size(),
                                   run.tick_us.size(), run.contacts.size()}) {
      EXPECT_EQ(size, frames);
    }
    for (std::size_t f = 0; f < frames; ++f) {
      EXPECT_EQ(run.wanted_mps[f].z, 1);
      EXPECT_EQ(run.wanted_facing_rad[f], 0.25F);
      EXPECT_EQ(run.contacts[f], 1);
      EXPECT_GE(run.tick_us[f], 0);
    }
  }
}

TEST(Record, PosesAreInTheWorldAndBeginAtThePlace) {
  const ObedientController controller(control::test::toy_skeleton());
  const PlanarRoot place{{3, 0, -2}, 1};
  Constant source({1.5F, 0, 0}, 1.0F);
  const Recording run = record(controller, source, {.seconds = 4, .fps = 60, .place = place});
  for (std::size_t f = 0; f < run.roots.size(); ++f) {
    const Vec3 hips = run.motion.translations[2 * f];
    EXPECT_NEAR(hips.x, run.roots[f].position.x, 1e-4);
    EXPECT_NEAR(hips.y, 1, 1e-4);
    EXPECT_NEAR(hips.z, -2, 1e-4);
    EXPECT_NEAR(run.roots[f].facing_rad, 1, 1e-4);
  }
  // At 1.5 m/s for four seconds, less what the first frame shows.
  EXPECT_NEAR(run.roots.back().position.x, 3 + 1.5 * 4, 0.06);
  EXPECT_NEAR(source.last_root.position.x, run.roots[run.roots.size() - 2].position.x, 1e-6);
}

TEST(Record, IsTheSameEveryTimeAndKnowsWhatDiffers) {
  const control::test::ToyController controller;
  const auto hash_of = [&](float speed_mps) {
    Constant source({speed_mps, 0, 0}, {});
    return record(controller, source, {.seconds = 1, .fps = 60}).hash;
  };
  EXPECT_EQ(hash_of(1), hash_of(1));
  EXPECT_NE(hash_of(1), hash_of(1.001F));
}

TEST(Record, KeepsAtLeastTwoFrames) {
  const ObedientController controller(control::test::toy_skeleton());
  Constant source({}, {});
  EXPECT_EQ(record(controller, source, {.seconds = 0, .fps = 60}).motion.num_frames, 2);
}

TEST(Record, DistanceIsAlongThePathAndTheMedianIgnoresOneSlowTick) {
  Recording run;
  EXPECT_EQ(run.distance_m(), 0);
  EXPECT_EQ(run.median_tick_us(), 0);
  run.roots = {{{0, 0, 0}, 0}, {{3, 0, 4}, 0}, {{3, 0, 0}, 0}, {{0, 0, 0}, 0}};
  EXPECT_DOUBLE_EQ(run.distance_m(), 12);
  run.tick_us = {5, 900, 3, 4, 2};
  EXPECT_EQ(run.median_tick_us(), 4);
}

TEST(Record, CountsRecoveriesAndStuckTime) {
  control::test::ToyController stone;
  stone.walls = true;
  Constant source({0, 0, 1.3F}, {});
  const Recording stuck = record(stone, source, {.seconds = 8, .fps = 60});
  EXPECT_GT(stuck.stuck_s, 2);
  EXPECT_LE(stuck.stuck_s, 8);
  EXPECT_EQ(stuck.num_recoveries, 0);
  const control::test::ToyController fine;
  EXPECT_EQ(record(fine, source, {.seconds = 8, .fps = 60}).stuck_s, 0);
  control::test::ToyController broken;
  broken.poison_at_step = 30;
  const Recording once = record(broken, source, {.seconds = 2, .fps = 60});
  EXPECT_EQ(once.num_recoveries, 1);
  EXPECT_GT(once.longest_sound_s, 0.9);
  EXPECT_TRUE(once.gets_going());
}

// A model that is restarted in every step.
TEST(Record, KnowsAModelThatNeverGetsGoing) {
  Recording recording;
  recording.motion = make_motion(control::test::ToyController().skeleton(), "toy", 30, 301, false);
  EXPECT_TRUE(recording.gets_going());
  recording.num_recoveries = 300;
  recording.longest_sound_s = 1.0 / 30;
  EXPECT_FALSE(recording.gets_going());
  recording.longest_sound_s = 1.5;
  EXPECT_TRUE(recording.gets_going());
}

}  // namespace
}  // namespace zoe::eval
