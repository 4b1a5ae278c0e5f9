// SPDX-License-Identifier: MIT
#include "control/neural/phase_track.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace zoe::control {
namespace {

// A layout of one moment: phase (sin, cos) at columns 0 and 1, amplitude and frequency behind.
TEST(PhaseTrack, TurnsByItsRhythmAndFallsSilentWithoutLoss) {
  PhaseTrack track({.times = {0, 0, 1}, .num_channels = 1, .phase = 0, .rhythm = 2});
  const auto turns = [&] { return std::atan2(track.now()[0], track.now()[1]) / (2 * std::numbers::pi_v<float>); };
  const auto advance = [&](std::array<float, 4> y, float stability) { track.advance(y, 0.05F, stability); };
  // Out of silence the prediction counts alone, whatever the stability.
  advance({0, 3, 2, 1}, 0);
  EXPECT_NEAR(turns(), 0, 1e-6F);
  EXPECT_NEAR(track.now()[1], 2, 1e-6F);  // Its length is the amplitude's, not that of the vector.
  // 2 Hz for 0.05 s, and nothing known of the phase: a tenth of a turn. Signs of the rhythm do not
  // matter.
  advance({0, 0, -2, -2}, 0.5F);
  EXPECT_NEAR(turns(), 0.1F, 1e-6F);
  // Half of the way from 0.2 to a quarter turn.
  advance({5, 0, 2, 2}, 0.5F);
  EXPECT_NEAR(turns(), 0.225F, 1e-6F);
  // The shorter way round: from 0.225 + 0.0 to -0.25 it is back by 0.475.
  advance({-1, 0, 2, 0}, 0.5F);
  EXPECT_NEAR(turns(), 0.225F - 0.2375F, 1e-6F);
  // No amplitude, no weight in the gate; then it is there again at once.
  advance({1, 0, 0, 1}, 0.5F);
  EXPECT_EQ(track.now()[0], 0);
  EXPECT_EQ(track.now()[1], 0);
  advance({1, 0, 1, 1}, 0.5F);
  EXPECT_NEAR(turns(), 0.25F, 1e-6F);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  advance({nan, 1, nan, nan}, 0.5F);
  advance({1e38F, 1e38F, 1e38F, 1e38F}, 0.5F);
  EXPECT_TRUE(std::isfinite(track.now()[0]) && std::isfinite(track.now()[1]));
}

}  // namespace
}  // namespace zoe::control
