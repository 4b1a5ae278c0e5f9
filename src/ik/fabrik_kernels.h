// SPDX-License-Identifier: MIT
// Part of Zoetrope. The run-time dispatched inner loop of batched FABRIK; arguments are checked by the job.
#pragma once

#include "zoe/ik/fabrik_settings.h"
#include "zoe/ik/ik_pose.h"

namespace zoe::kernels {

// Largest factor by which FABRIK exaggerates the remaining distance, to speed up its slow modes.
constexpr float kMaxFabrikGain = 16;
constexpr float kMaxFabrikOvershoot = 0.1F;  // At most this fraction of the chain's length beyond the target.

// One block of a PoseBatch without scales. rests: [chain] rest rotations. targets, poles: [3][16], poles may be null.
// missing_m: [16].
void fabrik_block(const FabrikSettings& settings, const int* parents, const Quat* rests, const float* targets,
                  const float* poles, float* pose, float* missing_m);

}  // namespace zoe::kernels
