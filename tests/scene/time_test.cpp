// SPDX-License-Identifier: MIT
#include "zoe/scene/time.h"

#include <gtest/gtest.h>

namespace zoe::scene {
namespace {

int total(StepClock& clock, double frame_s, int frames) {
  int steps = 0;
  for (int i = 0; i < frames; ++i) steps += clock.advance(frame_s);
  return steps;
}

TEST(StepClock, StepsFollowTimeWhateverTheFrames) {
  for (const double fps : {10.0, 24.0, 30.0, 59.94, 60.0, 75.0, 144.0, 1000.0}) {
    StepClock clock(1.0 / 60, 100);
    const int frames = static_cast<int>(10 * fps);
    const double expected = frames / fps * 60;
    EXPECT_NEAR(total(clock, 1 / fps, frames), expected, 1.001) << fps;
  }
  StepClock clock(1.0 / 60, 8);
  for (int i = 0; i < 6000; ++i) ASSERT_EQ(clock.advance(1.0 / 60), 1) << "sixty frames of a sixtieth are sixty steps";
}

TEST(StepClock, AlphaIsTheShareOfTheNextStep) {
  StepClock clock(0.1, 8);
  EXPECT_EQ(clock.advance(0.025), 0);
  EXPECT_FLOAT_EQ(clock.alpha(), 0.25F);
  EXPECT_EQ(clock.advance(0.1), 1);
  EXPECT_NEAR(clock.alpha(), 0.25F, 1e-6F);
}

TEST(StepClock, ScaleChangesHowOftenNotHowLong) {
  StepClock clock(0.1, 100);
  clock.set_scale(0.5);
  EXPECT_EQ(clock.advance(1.0), 5);
  clock.set_scale(3);
  EXPECT_EQ(clock.advance(1.0), 30);
  clock.set_scale(0);
  EXPECT_EQ(clock.advance(100.0), 0);
}

TEST(StepClock, PauseHoldsAndSingleStepsPass) {
  StepClock clock(0.1, 8);
  clock.set_paused(true);
  EXPECT_EQ(clock.advance(5.0), 0);
  clock.request_single_step();
  EXPECT_EQ(clock.advance(0.016), 1);
  EXPECT_EQ(clock.advance(0.016), 0);
  clock.set_paused(false);
  EXPECT_EQ(clock.advance(0.1), 1) << "the pause is not caught up with";
}

TEST(StepClock, TooMuchIsDroppedAndCounted) {
  StepClock clock(0.1, 8);
  EXPECT_EQ(clock.advance(2.05), 8);
  EXPECT_EQ(clock.num_dropped(), 12u);
  EXPECT_NEAR(clock.alpha(), 0.5F, 1e-5F);
  EXPECT_EQ(clock.advance(0.05), 1);
  EXPECT_EQ(clock.advance(-1), 0) << "time never goes back";
  EXPECT_EQ(clock.advance(1e300), 8);
}

}  // namespace
}  // namespace zoe::scene
