// SPDX-License-Identifier: MIT
// Part of Zoetrope. How controllers hold feet in contact: the settings of FootLockJob that a controller's file has.
#pragma once

namespace zoe::control {

// Files of earlier versions have these; new trainings have gentle_locks().
struct LockOptions {
  float lock_s = 0.05F, release_s = 0.15F, tear_m = 0.25F, soft_s = 0;  // Of FootLockJob.
  // A foot that is given back is lifted by this fraction of the distance that it has to go.
  float step_lift = 0;
};

// With soft locks on flat ground hips are lowered by this much at most for a foot that is held too far away: more looks
// like a squat.
inline constexpr float kSoftHipDrop_m = 0.05F;

// A foot is held from the step on in which it touches the ground, and a hold that leaves the pose is given back slowly,
// with a small step: feet slide half as much or less, with less jerk.
inline LockOptions gentle_locks() {
  return {.lock_s = 0.033F, .release_s = 0.35F, .tear_m = 0.3F, .soft_s = 0.06F, .step_lift = 0.15F};
}

}  // namespace zoe::control
