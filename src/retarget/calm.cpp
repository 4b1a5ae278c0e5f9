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

std::vector<float> largest_steps(const Motion& motion) {
  const auto n = static_cast<std::size_t>(motion.num_joints()), frames = static_cast<std::size_t>(motion.num_frames);
  std::vector<float> steps(frames, 0), around(frames, 0);
  anatomy::ModelPose before, here;
  for (std::size_t f = 0; f < frames; ++f) {
    std::swap(before, here);
    anatomy::compute_model_pose(*motion.skeleton, motion.frame(static_cast<int>(f)), here);
    for (std::size_t j = 0; f > 0 && j < n; ++j) {
      steps[f] = std::max({steps[f], angle_between(motion.rotations[f * n + j], motion.rotations[(f - 1) * n + j]),
                           angle_between(here.rotations[j], before.rotations[j])});
    }
  }
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t k = f > 0 ? f - 1 : 0; k < std::min(frames, f + 2); ++k) around[f] = std::max(around[f], steps[k]);
  return around;
}

void calm_joints_below(Motion& motion, int top, const std::vector<float>& source_steps) {
  const auto n = static_cast<std::size_t>(motion.num_joints()), frames = static_cast<std::size_t>(motion.num_frames);
  std::vector<char> below(n, 0);
  std::vector<std::uint8_t> fast(frames);
  std::vector<Quat> turns(frames), before;
  for (std::size_t j = 0; j < n; ++j) {
    const int parent = motion.skeleton->parent(static_cast<int>(j));
    below[j] = parent != kNoJoint && (parent == top || below[static_cast<std::size_t>(parent)] != 0) ? 1 : 0;
    if (below[j] == 0) continue;
    for (std::size_t f = 0; f < frames; ++f) turns[f] = motion.rotations[f * n + j];
    bool any = false;
    for (int round = 0; round < kCalmRounds; ++round) {
      std::ranges::fill(fast, 0);
      bool found = false;
      for (std::size_t f = 1; f < frames; ++f) {
        if (angle_between(turns[f - 1], turns[f]) <= std::max(kMostStep, source_steps[f])) continue;
        fast[f - 1] = fast[f] = 1;
        found = true;
      }
      if (!found) break;
      any = true;
      before = turns;
      for (std::size_t f = 0; f < frames; ++f) {
        if (fast[f] == 0) continue;
        // At an end of the clip towards the only neighbour.
        const Quat &last = before[f > 0 ? f - 1 : f], &next = before[f + 1 < frames ? f + 1 : f];
        turns[f] = slerp(before[f], slerp(last, next, 0.5F), 0.5F);
      }
    }
    for (std::size_t f = 0; any && f < frames; ++f) motion.rotations[f * n + j] = normalized(turns[f]);
  }
}

}  // namespace zoe::retarget_detail
