// SPDX-License-Identifier: MIT
// The size of generated motions: slow swings grow around the mean pose, jitter and known numbers stay.
#include "zoe/generate/motion_calibration.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "zoe/features/body_tokens.h"
#include "zoe/generate/body_model.h"

namespace zoe::generate {
namespace {

constexpr std::size_t kTokens = 2, kRow = kTokens * features::kTokenWidth;

// Every number is 3 + slow + fast: a swing of three whole periods over the frames, and one of 2.5 frames.
double slow_at(int f, int frames) { return 0.2 * std::cos(2 * std::numbers::pi * 3 * (f + 0.5) / frames); }
double fast_at(int f) { return 0.05 * std::cos(2 * std::numbers::pi * (f + 0.5) / 2.5); }
std::vector<float> swings(int frames) {
  std::vector<float> numbers;
  for (int f = 0; f < frames; ++f)
    numbers.insert(numbers.end(), kRow, static_cast<float>(3 + slow_at(f, frames) + fast_at(f)));
  return numbers;
}

TEST(MotionCalibration, SlowSwingsGrowAndTheRestStays) {
  constexpr int kFrames = 60;
  const std::vector<float> before = swings(kFrames);
  std::vector<float> numbers = before;
  std::vector<char> kept(kTokens * kKnownGroups, 0);
  kept[kKnownGroups + 1] = 1;  // Rotations of the second token.
  apply_gain({.gain = 2, .fast_frames = 1.5F}, 64, kept, numbers);
  // What a Gaussian of 1.5 frames leaves of each swing.
  const auto left = [](double frames_per_period) {
    return std::exp(-0.5 * std::pow(2 * std::numbers::pi / frames_per_period * 1.5, 2));
  };
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t token = i % kRow / features::kTokenWidth, column = i % features::kTokenWidth;
    const int f = static_cast<int>(i / kRow);
    const bool scaled = (token == 0 && column >= 3 && column < 9) || (token == 1 && column < 3);
    const double more = left(20) * slow_at(f, kFrames) + left(2.5) * fast_at(f);
    ASSERT_NEAR(numbers[i], double{before[i]} + (scaled ? more : 0.0), 2e-3) << f << ' ' << i % kRow;
  }
}

// The mean pose of a long motion is that of the window around a frame: a body that turns slowly is not thrown about.
TEST(MotionCalibration, SlowDriftsOfLongMotionsKeepTheirSize) {
  constexpr int kFrames = 640;
  std::vector<float> numbers;
  for (int f = 0; f < kFrames; ++f) numbers.insert(numbers.end(), kRow, 0.01F * static_cast<float>(f));
  const std::vector<float> before = numbers;
  apply_gain({.gain = 2}, 64, std::vector<char>(kTokens * kKnownGroups, 0), numbers);
  for (int f = 40; f < kFrames - 40; ++f)
    ASSERT_NEAR(numbers[static_cast<std::size_t>(f) * kRow + 4], before[static_cast<std::size_t>(f) * kRow + 4], 0.02)
        << f;
}

TEST(MotionCalibration, AGainOfOneKeepsTheBits) {
  const std::vector<float> before = swings(30);
  std::vector<float> numbers = before;
  apply_gain({}, 64, std::vector<char>(kTokens * kKnownGroups, 0), numbers);
  EXPECT_EQ(numbers, before);
}

TEST(MotionCalibration, TextsComeBackAndDamageIsRefused) {
  const MotionCalibration calibration = calibration_from_text("gain=1.5 rotation_weight=0.05 fast_frames=2").value();
  EXPECT_EQ(calibration.gain, 1.5F);
  EXPECT_EQ(calibration.fast_frames, 2.0F);
  EXPECT_EQ(calibration_from_text(to_text(calibration)).value().fast_frames, 2.0F);
  EXPECT_EQ(calibration_from_text(to_text(calibration)).value().rotation_weight, 0.05F);
  EXPECT_EQ(calibration_from_text(to_text({})).value().gain, 1);
  EXPECT_EQ(calibration_from_text("gain=1.25").value().fast_frames, MotionCalibration{}.fast_frames);
  for (const char* text : {"", "gain", "gain=", "gain=0", "gain=-1", "gain=nan", "gain=99", "gain=1.5x", "loud=2",
                           "fast_frames=2", "gain=1 fast_frames=0", "gain=1  fast_frames=2"})
    EXPECT_FALSE(calibration_from_text(text)) << text;
}

}  // namespace
}  // namespace zoe::generate
