// SPDX-License-Identifier: MIT
// Part of Zoetrope. Run-time dispatched inner loops of forward kinematics; arguments are checked by the jobs.
#pragma once

#include <cstddef>

namespace zoe::kernels {

// In one arithmetic each; those below take that of the process (zoe/core/arithmetic.h).
namespace separate {
void local_to_model(std::size_t num_joints, const int* parents, const float* translations, const float* rotations,
                    const float* scales, float* out);
void local_to_model_block(std::size_t num_joints, const int* parents, bool with_scales, const float* poses,
                          float* models);
}  // namespace separate

// One pose. parents: [joints], -1 for roots. translations [joints][3], rotations [joints][4], scales [joints][3] or
// null, out [joints][12].
void local_to_model(std::size_t num_joints, const int* parents, const float* translations, const float* rotations,
                    const float* scales, float* out);

// One block of a PoseBatch into one block of a ModelBatch.
void local_to_model_block(std::size_t num_joints, const int* parents, bool with_scales, const float* poses,
                          float* models);

// One block of a ModelBatch to `num_poses` (at most 16) arrays of [joints][12], `out_stride` floats apart.
void unpack_model_block(std::size_t num_joints, std::size_t num_poses, const float* models, float* out,
                        std::size_t out_stride);

}  // namespace zoe::kernels
