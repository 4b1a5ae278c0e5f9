// SPDX-License-Identifier: MIT
#include "zoe/anatomy/calibration_frames.h"

#include <algorithm>
#include <cmath>

namespace zoe::anatomy {
namespace {

constexpr int kMostFrames = 3;
// Radians, mean over the joints: single joints of captures spin.
constexpr float kJump = 0.05F;
constexpr float kTimesLarger = 4.0F;

// Mean rotation of the joints relative to their parents, from the frame before to this one, radians.
float step_at(const Motion& motion, int frame) {
  const PoseView before = motion.frame(frame - 1), here = motion.frame(frame);
  float sum = 0;
  for (std::size_t j = 0; j < here.rotations.size(); ++j) sum += angle_between(before.rotations[j], here.rotations[j]);
  return sum / std::max(1.0F, static_cast<float>(here.rotations.size()));
}

}  // namespace

int count_calibration_frames(const Motion& motion) {
  const int next = std::max(4, static_cast<int>(std::lround(motion.fps)));
  for (int count = 1; count <= kMostFrames && count + 4 < motion.num_frames; ++count) {
    const float jump = step_at(motion, count);
    if (jump < kJump) continue;
    float usual = 0;
    for (int f = count + 1; f < std::min(motion.num_frames, count + 1 + next); ++f)
      usual = std::max(usual, step_at(motion, f));
    return jump > kTimesLarger * usual ? count : 0;
  }
  return 0;
}

}  // namespace zoe::anatomy
