// SPDX-License-Identifier: MIT
// Part of Zoetrope. Feet in contact stay where they stand: the locks of networks and of motion matching.
#pragma once

#include "zoe/character/pose.h"
#include "zoe/control/body.h"
#include "zoe/control/lock_options.h"
#include "zoe/ik/foot_lock_job.h"

namespace zoe::control {

struct HoldFeet {
  const Body* body = nullptr;
  std::span<const Leg> legs;        // Those of the body.
  std::span<const float> contacts;  // [contact joints of the body] 0 to 1.
  LockOptions options;
  float dt_s = 0;
  const PlacedGround* ground = nullptr;  // Null: flat at zero.
  // Hips are lowered by at most this much for a foot that is held too far away. Soft locks on flat ground use less.
  float hard_hip_drop_m = FootLockJob{}.max_hip_drop_m;
  float soften = FootLockJob{}.soften;

  bool is_soft() const noexcept { return options.soft_s > 0; }
  // Holds the feet of the pose, whose space is that of `state`.
  void run(FootLockState& state, Pose& pose) const noexcept;
};

}  // namespace zoe::control
