// SPDX-License-Identifier: MIT
// Part of Zoetrope. How a network's numbers become motions, measured once and stored with its weights. A network that
// learnt to estimate data by squared errors gives the mean of what is possible, so joints swing less far than in real
// motions. How much less was measured on bodies of the training data; the factor is for what a joint does beyond its
// mean pose.
//
//   const MotionCalibration calibration = calibration_from_text("gain=1.4 fast_frames=2 rotation_weight=0.05").value();
//   apply_gain(calibration, 64, kept_groups, numbers);
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "zoe/core/result.h"

namespace zoe::generate {

constexpr int kKnownGroups = 4;  // Of a token's numbers: position, rotation, velocity, contact.

// Metadata of a network's file.
constexpr const char* kCalibrationKey = "zoe.calibration";

struct MotionCalibration {
  float gain = 1;             // Of slow deviations from the mean pose; 1: as sampled.
  float rotation_weight = 0;  // Of fitted_motion(); 0: to_motion().
  float fast_frames = 1.5F;   // Faster than a Gaussian of this deviation over time: jitter, which keeps its size.
};
std::string to_text(const MotionCalibration& calibration);
Result<MotionCalibration> calibration_from_text(std::string_view text);

// Rotations of all tokens and positions of all but the hips. numbers: [frames × tokens × kTokenWidth]. The mean pose is
// that of window_frames around a frame, or of a whole shorter motion. kept: [tokens × kKnownGroups] not 0: the group of
// the token stays as it is.
void apply_gain(const MotionCalibration& calibration, int window_frames, std::span<const char> kept,
                std::span<float> numbers);

}  // namespace zoe::generate
