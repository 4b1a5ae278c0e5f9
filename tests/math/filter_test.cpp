// SPDX-License-Identifier: MIT
#include "zoe/math/filter.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace zoe {
namespace {

std::vector<float> wave(double hz, double sample_hz, std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(std::sin(2 * std::numbers::pi * hz * static_cast<double>(i) / sample_hz));
  }
  return values;
}

TEST(LowPass, KeepsSlowStopsFastAndHalvesAtTheCutoffWithoutLag) {
  // Gain of the two passes together: 1 / (1 + (tan(pi f / s) / tan(pi c / s))^4).
  for (const double hz : {1.0, 6.0, 20.0}) {
    const std::vector<float> before = wave(hz, 120, 1200);
    std::vector<float> after = before;
    low_pass_zero_phase(after, 6, 120);
    const double ratio = std::tan(std::numbers::pi * hz / 120) / std::tan(std::numbers::pi * 6 / 120);
    const double gain = 1 / (1 + std::pow(ratio, 4));
    for (std::size_t i = 300; i < 900; ++i) ASSERT_NEAR(after[i], gain * before[i], 1e-3) << hz << " Hz, sample " << i;
  }
}

TEST(LowPass, LeavesConstantsAndLinesAlone) {
  std::vector<float> values;
  for (int i = 0; i < 100; ++i) values.push_back(3 + 0.1F * static_cast<float>(i));
  const std::vector<float> before = values;
  low_pass_zero_phase(values, 5, 60);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_NEAR(values[i], before[i], 2e-3F) << i;
}

TEST(LowPass, StrideTouchesOnlyItsTrack) {
  std::vector<float> track = wave(20, 120, 60), mixed(180, 7.0F);
  for (std::size_t i = 0; i < 60; ++i) mixed[3 * i + 1] = track[i];
  low_pass_zero_phase(track, 6, 120);
  low_pass_zero_phase(std::span(mixed).subspan(1), 6, 120, 3);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(mixed[3 * i + 1], track[i]);
    EXPECT_EQ(mixed[3 * i], 7.0F);
  }
}

TEST(LowPass, NonsenseCutoffsChangeNothing) {
  std::vector<float> values = wave(20, 120, 60);
  const std::vector<float> before = values;
  low_pass_zero_phase(values, 0, 120);
  low_pass_zero_phase(values, 60, 120);
  low_pass_zero_phase(values, NAN, 120);
  EXPECT_EQ(values, before);
}

TEST(OneEuroFilter, IsCalmAtRestAndQuickInMotion) {
  OneEuroFilter calm({.min_cutoff_hz = 1, .speed_coefficient = 0}), quick({.min_cutoff_hz = 1, .speed_coefficient = 1});
  EXPECT_EQ(calm.filter(0, 0.01F), 0);
  EXPECT_EQ(quick.filter(0, 0.01F), 0);
  float calm_value = 0, quick_value = 0;
  for (int i = 1; i <= 100; ++i) {  // A fast ramp.
    calm_value = calm.filter(0.1F * static_cast<float>(i), 0.01F);
    quick_value = quick.filter(0.1F * static_cast<float>(i), 0.01F);
  }
  EXPECT_LT(std::abs(quick_value - 10), 0.3 * std::abs(calm_value - 10));
  // At rest, with noise, the output moves far less than the input.
  OneEuroFilter filter({.min_cutoff_hz = 0.5F, .speed_coefficient = 0.01F});
  float largest = 0;
  for (int i = 0; i < 200; ++i) largest = std::max(largest, std::abs(filter.filter(i % 2 == 0 ? 0.1F : -0.1F, 0.01F)));
  EXPECT_LE(largest, 0.1F);
  EXPECT_LT(std::abs(filter.filter(0.1F, 0.01F)), 0.02F);
  filter.reset();
  EXPECT_EQ(filter.filter(3, 0.01F), 3);
}

}  // namespace
}  // namespace zoe
