// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a network trembles from step to step is taken out of the pose that is shown: every joint turns on
// as it turned, and follows what was predicted by a share (an alpha-beta filter). Never fed back into the network.
#pragma once

#include <span>
#include <vector>

#include "zoe/math/quat.h"

namespace zoe::control {

class PoseFilter {
 public:
  explicit PoseFilter(std::size_t num_joints) : rotations_(num_joints), steps_(num_joints) {}

  void restart() { started_ = false; }
  // rotations: [joints] as predicted; out as shown. follow: 0 to 1, 1 changes nothing. Steps are of equal length.
  void apply(float follow, std::span<Quat> rotations) noexcept;
  // How fast each joint turns: what the future depends on beside the pose shown.
  std::span<const Vec3> steps() const { return steps_; }

 private:
  std::vector<Quat> rotations_;  // As shown last.
  std::vector<Vec3> steps_;      // Rotation vector of a step, in the parent's axes.
  bool started_ = false;
};

}  // namespace zoe::control
