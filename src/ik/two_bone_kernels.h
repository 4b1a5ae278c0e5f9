// SPDX-License-Identifier: MIT
// Part of Zoetrope. Run-time dispatched inner loops of two-bone IK; arguments are checked by the jobs.
#pragma once

#include "zoe/ik/two_bone_ik_settings.h"
#include "zoe/math/quat.h"

namespace zoe::kernels {

// The limb in model space.
struct TwoBoneLimb {
  Vec3 start, mid, end;
  Vec3 mid_axis;  // In model space.
};
// Rotations in model space: the whole limb is turned by `start`, after the part below mid was turned by `mid`.
struct TwoBoneTurns {
  Quat start, mid;
  float missing_m = 0;
};
TwoBoneTurns two_bone(const TwoBoneLimb& limb, const TwoBoneIkSettings& settings, Vec3 target, Vec3 pole);

// Both in the deterministic arithmetic; those beside them take that of the process (zoe/core/arithmetic.h).
namespace separate {
TwoBoneTurns two_bone(const TwoBoneLimb& limb, const TwoBoneIkSettings& settings, Vec3 target, Vec3 pole);
void two_bone_block(const TwoBoneIkSettings& settings, const int* parents, const float* targets, const float* poles,
                    const float* weights, float* pose, float* missing_m);
}  // namespace separate

// One block of a PoseBatch without scales. targets, poles: [3][16], poles may be null. weights: [16] or null.
// missing_m: [16] or null.
void two_bone_block(const TwoBoneIkSettings& settings, const int* parents, const float* targets, const float* poles,
                    const float* weights, float* pose, float* missing_m);

}  // namespace zoe::kernels
