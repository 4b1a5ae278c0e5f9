// SPDX-License-Identifier: MIT
// Part of Zoetrope. Fixed numbers of a character's step. No file of a run has them. `zoe export --for-engine`
// writes them for programs that compute the step themselves.
#pragma once

namespace zoe::control {

// A slower desired velocity has no direction: the character keeps its facing.
inline constexpr float kLeastSpeedWithFacing_mps = 0.05F;
// The springs of a predicted trajectory follow the intent in pieces of at most this time.
inline constexpr double kPredictPiece_s = 0.1;
// The root's correction is a fraction of the body's speed, or of a desired speed up to this.
inline constexpr float kShifted_mps = 0.3F;
// The phase of the step only advances, at most this fast.
inline constexpr float kMostPhase_hz = 4;

// See leash.h. Distances are times at the speed of the body. The included walker and dog are at most 0.8 s behind, on
// all courses.
inline constexpr float kLeashSlack_s = 0.9F, kLeashFull_s = 1.3F;
inline constexpr float kLeashForgetHalfLife_s = 2, kLeashPullHalfLife_s = 0.1F;

// Phases of DeepPhase: shorter vectors have no direction, and no limb is faster.
inline constexpr float kSilentPhase = 1e-6F, kMostRhythm_hz = 30;

// Learned matching. Below the first speed a predicted root step becomes zero, above the second it is unchanged.
inline constexpr float kCreepNone_mps = 0.05F, kCreepAll_mps = 0.12F, kCreepNone_rad_s = 0.05F, kCreepAll_rad_s = 0.15F;
// Matching. Shorter trajectories are not warped; turns are warped fully from this speed on.
inline constexpr float kLeastWarped_m = 0.1F, kFullyWarped_mps = 0.7F;
// Half-life of the velocity by which a dead blend extrapolates the last motion.
inline constexpr float kDeadBlendHalfLife_s = 0.25F;

}  // namespace zoe::control
