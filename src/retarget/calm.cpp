// SPDX-License-Identifier: MIT
#include "retarget/calm.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "zoe/anatomy/model_pose.h"

namespace zoe::retarget_detail {
namespace {

// Ankles of sprinters and kickers reach 20 to 30 rad/s; feet in the model, with their legs, twice that. At low rates,
// 46 degrees per frame.
constexpr float kMostSpeed = 60, kMostStep = 0.8F;  // Radians per second; radians.
constexpr int kCalmRounds = 40;

}  // namespace

bool calm_joint(Motion& motion, int joint) {
  const auto n = static_cast<std::size_t>(motion.num_joints()), frames = static_cast<std::size_t>(motion.num_frames);
  const float most = std::min(kMostStep, kMostSpeed / static_cast<float>(motion.fps));
  std::vector<Quat> turns, above, before;  // [frames] in the model.
  const int parent = motion.skeleton->parent(joint);
  for (int f = 0; f < motion.num_frames; ++f) {
    const PoseView pose = motion.frame(f);
    turns.push_back(anatomy::model_rotation(*motion.skeleton, pose, joint));
    above.push_back(parent == kNoJoint ? Quat{} : anatomy::model_rotation(*motion.skeleton, pose, parent));
  }
  std::vector<std::uint8_t> fast(frames), changed(frames, 0);
  for (int round = 0; round < kCalmRounds; ++round) {
    std::ranges::fill(fast, 0);
    bool found = false;
    for (std::size_t f = 1; f < frames; ++f) {
      // Where its parent jumps as well the whole body jumps: a T-pose at the start, a cut.
      if (angle_between(turns[f - 1], turns[f]) <= most || angle_between(above[f - 1], above[f]) > 0.5F * most)
        continue;
      fast[f - 1] = fast[f] = 1;
      found = true;
    }
    if (!found) break;
    before = turns;
    for (std::size_t f = 1; f + 1 < frames; ++f) {
      if (fast[f] == 0) continue;
      turns[f] = slerp(before[f], slerp(before[f - 1], before[f + 1], 0.5F), 0.5F);
      changed[f] = 1;
    }
  }
  bool any = false;
  for (std::size_t f = 0; f < frames; ++f) {
    if (changed[f] == 0) continue;
    any = true;
    motion.rotations[f * n + static_cast<std::size_t>(joint)] = normalized(conjugate(above[f]) * turns[f]);
  }
  return any;
}

}  // namespace zoe::retarget_detail
