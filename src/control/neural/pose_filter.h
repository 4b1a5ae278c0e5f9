// SPDX-License-Identifier: MIT
// Part of Zoetrope. Smooths the displayed pose: an alpha-beta filter on the rotation of every joint. Networks jitter
// from step to step. Each joint keeps its angular velocity and follows the prediction by a fraction. The filtered pose
// is never fed back into the network.
#pragma once

#include <span>
#include <vector>

#include "zoe/core/prefetch.h"
#include "zoe/core/state_archive.h"
#include "zoe/math/quat.h"

namespace zoe::control {

class PoseFilter {
 public:
  explicit PoseFilter(std::size_t num_joints) : rotations_(num_joints), steps_(num_joints) {}

  // The next pose passes unchanged.
  void restart() { started_ = false; }
  // rotations: [joints], the predicted ones in, the displayed ones out. follow: 0 to 1; 1 changes nothing. Calls are
  // one step apart.
  void apply(float follow, std::span<Quat> rotations) noexcept;

  void prefetch() const noexcept {
    zoe::prefetch(rotations_);
    zoe::prefetch(steps_);
  }
  void describe(StateArchive& archive) {
    archive.flag(started_);
    archive.bits(std::span(rotations_));
    archive.bits(std::span(steps_));
  }

 private:
  void follow_joint(float follow, float follow_speed, std::size_t joint, Quat& rotation) noexcept;
  // Four joints at a time, with the same bits. False, and nothing changed, where one of them turns far.
  bool follow_four(float follow, float follow_speed, std::size_t joint, Quat* rotations) noexcept;

  std::vector<Quat> rotations_;  // Last displayed.
  std::vector<Vec3> steps_;      // Rotation of each joint in a step: a rotation vector in the parent's axes.
  bool started_ = false;
};

}  // namespace zoe::control
