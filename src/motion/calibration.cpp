// SPDX-License-Identifier: MIT
#include "zoe/motion/calibration.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "zoe/math/quat.h"
#include "zoe/motion/edit.h"

namespace zoe {
namespace {

constexpr float kRadPerDeg = std::numbers::pi_v<float> / 180;
constexpr float kStillRad = 0.2F * kRadPerDeg;  // Mean over joints, between two frames.
constexpr float kJumpRad = 4 * kRadPerDeg;
constexpr float kJumpFactor = 6;
constexpr double kLookedAt_s = 0.5;

float mean_turn_rad(const Motion& motion, int frame) {
  const PoseView before = motion.frame(frame - 1), after = motion.frame(frame);
  float sum = 0;
  for (std::size_t j = 0; j < after.rotations.size(); ++j)
    sum += angle_between(before.rotations[j], after.rotations[j]);
  return sum / static_cast<float>(after.rotations.size());
}

}  // namespace

int num_calibration_frames(const Motion& motion) {
  const int last = std::min(motion.num_frames - 3, static_cast<int>(kLookedAt_s * motion.fps) + 1);
  for (int f = 1; f <= last; ++f) {
    const float turn = mean_turn_rad(motion, f);
    if (turn < kStillRad) continue;
    // The median as well as the largest: captures have single bad frames.
    std::array<float, 5> after{};
    const auto end = after.begin() + std::min<std::ptrdiff_t>(std::ssize(after), motion.num_frames - 1 - f);
    for (auto it = after.begin(); it != end; ++it) {
      *it = mean_turn_rad(motion, f + 1 + static_cast<int>(it - after.begin()));
    }
    const auto middle = after.begin() + (end - after.begin()) / 2;
    std::nth_element(after.begin(), middle, end);
    const bool is_left_at_once =
        turn > kJumpRad && turn > kJumpFactor * *middle && turn > 2 * *std::max_element(after.begin(), end);
    return is_left_at_once ? f : 0;
  }
  return 0;
}

int drop_calibration_frames(Motion& motion) {
  const int frames = num_calibration_frames(motion);
  if (frames > 0) motion = trim(motion, frames, motion.num_frames - 1).value();
  return frames;
}

}  // namespace zoe
