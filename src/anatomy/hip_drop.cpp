// SPDX-License-Identifier: MIT
#include "zoe/anatomy/hip_drop.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/index.h"

namespace zoe::anatomy {
namespace {

// Never less than `values`, and smooth: the largest within the window, then averaged twice over
// half of it.
std::vector<float> envelope(const std::vector<float>& values, int half_window) {
  const int n = static_cast<int>(values.size());
  std::vector<float> out(values.size());
  for (int f = 0; f < n; ++f) {
    const auto begin = values.begin() + std::max(0, f - half_window),
               end = values.begin() + std::min(n, f + half_window + 1);
    out[idx(f)] = *std::max_element(begin, end);
  }
  for (int round = 0; round < 2; ++round) {
    const std::vector<float> from = out;
    const int half = half_window / 2;
    for (int f = 0; f < n; ++f) {
      double sum = 0;
      for (int k = f - half; k <= f + half; ++k) sum += from[idx(std::clamp(k, 0, n - 1))];
      out[idx(f)] = static_cast<float>(sum / (2 * half + 1));
    }
  }
  return out;
}

}  // namespace

float needed_drop(Vec3 hip, Vec3 goal, Vec3 up, float reach) {
  const Vec3 down = hip - goal;
  const float along = dot(down, up), aside2 = dot(down, down) - along * along;
  if (along < 0.5F * reach) return 0;
  return std::max(0.0F, along - std::sqrt(std::max(0.0F, reach * reach - aside2)));
}

void smooth_drops(std::vector<float>& drops, float most, double fps) {
  for (float& drop : drops) drop = std::min(drop, most);
  drops = envelope(drops, static_cast<int>(std::lround(0.15 * fps)));
}

void lower(Motion& motion, int joint, const std::vector<float>& drops, Vec3 up) {
  std::vector<Vec3> moves;
  for (const float drop : drops) moves.push_back(up * -drop);
  move_joint(motion, joint, moves);
}

void move_joint(Motion& motion, int joint, std::span<const Vec3> moves) {
  const std::size_t n = idx(motion.num_joints());
  std::vector<Affine> model(n);
  const int parent = motion.skeleton->parent(joint);
  for (int f = 0; f < motion.num_frames; ++f) {
    Vec3 move = moves[idx(f)];
    if (move == Vec3{}) continue;
    if (parent != kNoJoint) {
      compute_model_from_joint(*motion.skeleton, motion.frame(f), model);
      move = inverse(model[idx(parent)]).apply_vector(move);
    }
    motion.translations[idx(f) * n + idx(joint)] += move;
  }
}

}  // namespace zoe::anatomy
