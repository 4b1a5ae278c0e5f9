// SPDX-License-Identifier: MIT
// Part of Zoetrope. A whole body with several goals at once: damped Gauss-Newton (Levenberg-Marquardt) over the
// rotations of all movable joints and the root's translation.
#pragma once

#include <cstdint>

#include "zoe/ik/ik_goal.h"
#include "zoe/ik/ik_pose.h"
#include "zoe/ik/joint_limit.h"

namespace zoe {

FullBodyIkState make_full_body_ik_state(const Skeleton& skeleton);

struct FullBodyIkJob {
  const Skeleton* skeleton = nullptr;
  std::span<const IkGoal> goals;
  std::span<const JointLimit> limits;         // [joints] or empty. They hold at the end, even against the goals.
  std::span<const std::uint8_t> movable;      // [joints], 0 for fixed joints; empty: all may turn.
  std::span<const Quat> reference_rotations;  // [joints] The pose to stay near; empty: the skeleton's rest pose.
  float reference_weight = 0.02F;  // Weight of a joint's angle from the reference, relative to the goals' weights.
  bool root_moves = true;          // Joint 0 may be translated.
  float root_weight = 0.1F;        // Weight of the root's displacement, against a metre of a goal.
  int max_iterations = 30;
  float tolerance = 1e-5F;  // Done when an iteration lowers the cost by less than this fraction.
  IkPose pose;              // In and out: rotations, and the translation of joint 0.
  FullBodyIkState* state = nullptr;
  double* cost = nullptr;  // Optional: half the sum of squared weighted errors at the end.

  // Why the job cannot run, or nullptr when it can.
  const char* validate() const noexcept;
  // Returns false, with nothing written, when validate() fails.
  bool run() const noexcept;
};

}  // namespace zoe
