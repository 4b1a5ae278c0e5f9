// SPDX-License-Identifier: MIT
// Part of Zoetrope. Smooths the displayed pose: an alpha-beta filter on the rotation of every joint. Networks jitter
// from step to step. Each joint keeps its angular velocity and follows the prediction by a fraction. The filtered pose
// is never fed back into the network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/core/prefetch.h"
#include "zoe/core/state_archive.h"
#include "zoe/math/quat.h"

namespace zoe::control {

class PoseFilter {
 public:
  // has_position: apply_to_body() is used as well, whose position is part of the state.
  explicit PoseFilter(std::size_t num_joints, bool has_position = false)
      : rotations_(num_joints), steps_(num_joints), position_(has_position ? 1 : 0) {}

  // The next pose passes unchanged.
  void restart() { started_ = false; }
  // rotations: [joints], the predicted ones in, the displayed ones out. follow: 0 to 1; 1 changes nothing. Calls are
  // one step apart.
  void apply(float follow, std::span<Quat> rotations) noexcept;
  // The same with another fraction for joints that are not of a leg, and for the position of the hips in the root's
  // space. is_leg: [joints].
  void apply_to_body(float follow, float body_follow, std::span<const std::uint8_t> is_leg, std::span<Quat> rotations,
                     Vec3& hips_in_root) noexcept;

  void prefetch() const noexcept {
    zoe::prefetch(rotations_);
    zoe::prefetch(steps_);
  }
  void describe(StateArchive& archive) {
    archive.flag(started_);
    archive.bits(std::span(rotations_));
    archive.bits(std::span(steps_));
    archive.bits(std::span(position_));
  }

 private:
  // True for the first pose, which passes unchanged.
  bool starts_at(std::span<const Quat> rotations) noexcept;
  void follow_joint(float follow, float follow_speed, std::size_t joint, Quat& rotation) noexcept;
  // Four joints at a time, with the same bits. False, and nothing changed, where one of them turns far.
  bool follow_four(float follow, float follow_speed, std::size_t joint, Quat* rotations) noexcept;

  std::vector<Quat> rotations_;  // Last displayed.
  std::vector<Vec3> steps_;      // Rotation of each joint in a step: a rotation vector in the parent's axes.
  struct Position {
    Vec3 at, step;  // Last displayed, and its change in a step.
  };
  std::vector<Position> position_;  // One, or none.
  bool started_ = false;
};

}  // namespace zoe::control
