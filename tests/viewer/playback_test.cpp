// SPDX-License-Identifier: MIT
// The viewer's time, without a window.
#include "playback.h"

#include <gtest/gtest.h>

namespace zoe::viewer {
namespace {

constexpr double kStep_s = 1.0 / 60;

// Steps as a scene does: what was pressed is forgotten after each.
class PlaybackTest : public testing::Test {
 protected:
  PlaybackTest() { playback.set_length(31, 30); }
  void step(int count = 1) {
    for (int i = 0; i < count; ++i) {
      playback.step(input, kStep_s);
      input.begin();
    }
  }
  void press(int key) {
    std::vector<scene::InputEvent> events;
    append_key(key, events);
    for (const auto& event : events) input.apply(event);
    step();
  }
  void give(Command command, float value) {
    std::vector<scene::InputEvent> events;
    append_command(command, value, events);
    for (const auto& event : events) input.apply(event);
    step();
  }
  Playback playback;
  scene::Input input;
};

TEST_F(PlaybackTest, TimePassesAtItsSpeedAndWrapsWithinTheRange) {
  step(30);
  EXPECT_NEAR(playback.time_s, 0.5, 1e-9);
  playback.speed = 2;
  step(18);  // 0.5 + 0.6 = 1.1, and the clip ends at 1.
  EXPECT_NEAR(playback.time_s, 0.1, 1e-9);
  playback.first = 15;  // From 0.5 s on: what is before it jumps there.
  step();
  EXPECT_NEAR(playback.time_s, 0.5, 1e-9);
}

TEST_F(PlaybackTest, WithoutLoopItStopsAtTheEndAndStartsAgain) {
  press('L');
  step(200);
  EXPECT_FALSE(playback.playing);
  EXPECT_EQ(playback.frame(), 30);
  press(' ');
  EXPECT_TRUE(playback.playing);
  EXPECT_LT(playback.frame(), 2);
}

TEST_F(PlaybackTest, ArrowsStepExactFramesAndRepeatWhenHeld) {
  press(' ');
  playback.show_frame(3);
  press(static_cast<int>(scene::Key::kRight));
  EXPECT_EQ(playback.frame(), 4);
  EXPECT_EQ(playback.time_s, 4 / 30.0);
  input.apply(scene::key_event(static_cast<int>(scene::Key::kRight), true));
  step(24);  // 0.4 s: only the press itself.
  EXPECT_EQ(playback.frame(), 5);
  step(30);  // Ten more in half a second.
  EXPECT_EQ(playback.frame(), 15);
}

TEST_F(PlaybackTest, ShiftCountsThoughItWasLetGoWithinTheStep) {
  press(' ');
  input.apply(scene::key_event(static_cast<int>(scene::Key::kShift), true));
  step();
  input.apply(scene::key_event(static_cast<int>(scene::Key::kRight), true));
  input.apply(scene::key_event(static_cast<int>(scene::Key::kRight), false));
  input.apply(scene::key_event(static_cast<int>(scene::Key::kShift), false));
  step();
  EXPECT_EQ(playback.frame(), 10);
  // Let go in the step in which the next arrow goes down: that one is without.
  input.apply(scene::key_event(static_cast<int>(scene::Key::kShift), true));
  step();
  input.apply(scene::key_event(static_cast<int>(scene::Key::kShift), false));
  input.apply(scene::key_event(static_cast<int>(scene::Key::kLeft), true));
  input.apply(scene::key_event(static_cast<int>(scene::Key::kLeft), false));
  step();
  EXPECT_EQ(playback.frame(), 9);
}

TEST_F(PlaybackTest, CommandsOfPanels) {
  give(Command::kSetFirst, 10);
  give(Command::kSetLast, 5);  // Never before the first.
  EXPECT_EQ(playback.first, 10);
  EXPECT_EQ(playback.last, 10);
  give(Command::kSetLast, 1e6F);
  EXPECT_EQ(playback.last, 30);
  give(Command::kSetSpeed, 0);
  EXPECT_GT(playback.speed, 0);
  // While the ruler is held time stands, though it plays.
  input.apply(scene::axis_event(axis_of(Command::kScrub), 20));
  input.apply({scene::InputEvent::Kind::kButton, static_cast<std::uint16_t>(Command::kScrub), 1, 0});
  step(10);
  EXPECT_EQ(playback.time_s, 20 / 30.0);
  EXPECT_TRUE(playback.playing);
}

TEST_F(PlaybackTest, OneFramePlaysForEver) {
  playback.set_length(1, 30);
  step(100);
  EXPECT_TRUE(playback.playing);
  EXPECT_EQ(playback.time_s, 0);
}

}  // namespace
}  // namespace zoe::viewer
