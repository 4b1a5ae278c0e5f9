// SPDX-License-Identifier: MIT
#include "zoe/anatomy/calibration_frames.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace zoe::anatomy {
namespace {

constexpr int kMostFrames = 3;
// Radians, mean over the joints: single joints of captures spin.
constexpr float kJump = 0.05F;
constexpr float kTimesLarger = 4.0F;
constexpr float kUsual = 0.9F;  // Quantile of the steps that follow. Captures also jump later.
constexpr float kAway = 0.5F;   // Of the jump: the take does not come back to the pose at once.

// Mean rotation of the joints relative to their parents between two frames, radians.
float apart(const Motion& motion, int a, int b) {
  const PoseView before = motion.frame(a), here = motion.frame(b);
  float sum = 0;
  for (std::size_t j = 0; j < here.rotations.size(); ++j) sum += angle_between(before.rotations[j], here.rotations[j]);
  return sum / std::max(1.0F, static_cast<float>(here.rotations.size()));
}

// Whether the joints below the root are about as the file's own rest pose, which captures are calibrated in. Clips of
// games also begin with a jump, from an idle. A chest that opens is no body.
bool rests(const Motion& motion, int frame) {
  constexpr std::size_t kFewestJoints = 8;
  constexpr float kNear = 0.1F;  // Radians, mean.
  const PoseView pose = motion.frame(frame);
  if (pose.rotations.size() < kFewestJoints) return false;
  float sum = 0;
  for (std::size_t j = 1; j < pose.rotations.size(); ++j)
    sum += angle_between(pose.rotations[j], motion.skeleton->rest_local(static_cast<int>(j)).rotation);
  return sum < kNear * static_cast<float>(pose.rotations.size() - 1);
}

}  // namespace

int count_calibration_frames(const Motion& motion) {
  const int next = std::max(4, static_cast<int>(std::lround(motion.fps)));
  for (int count = 1; count <= kMostFrames && count + 4 < motion.num_frames; ++count) {
    const float jump = apart(motion, count - 1, count);
    if (jump < kJump) continue;
    std::vector<float> steps;
    float nearest = jump;
    for (int f = count + 1; f < std::min(motion.num_frames, count + 1 + next); ++f) {
      steps.push_back(apart(motion, f - 1, f));
      nearest = std::min(nearest, apart(motion, count - 1, f));
    }
    const auto usual = steps.begin() + static_cast<std::ptrdiff_t>(kUsual * static_cast<float>(steps.size() - 1));
    std::ranges::nth_element(steps, usual);
    return jump > kTimesLarger * *usual && nearest > kAway * jump && rests(motion, count - 1) ? count : 0;
  }
  return 0;
}

}  // namespace zoe::anatomy
