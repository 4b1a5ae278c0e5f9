// SPDX-License-Identifier: MIT
// Part of Zoetrope. The functions of batch.h as plain loops over the scalar types, for tests and benchmarks.
#pragma once

#include "zoe/math/batch.h"

namespace zoe::batch::reference {

void normalize_quats(std::size_t count, ConstPlanes q, Planes out);
void conjugate_quats(std::size_t count, ConstPlanes q, Planes out);
void multiply_quats(std::size_t count, ConstPlanes a, ConstPlanes b, Planes out);
void rotate_vectors(std::size_t count, ConstPlanes q, ConstPlanes v, Planes out);
void nlerp_quats(std::size_t count, ConstPlanes a, ConstPlanes b, const float* t, Planes out);
void slerp_quats(std::size_t count, ConstPlanes a, ConstPlanes b, const float* t, Planes out);
void encode_6d(std::size_t count, ConstPlanes q, Planes out);
void decode_6d(std::size_t count, ConstPlanes rotation_6d, Planes out);
void compose_affines(std::size_t count, ConstPlanes translation, ConstPlanes rotation, ConstPlanes scale, Planes out);
void multiply_affines(std::size_t count, ConstPlanes a, ConstPlanes b, Planes out);
void sines_cosines(std::size_t count, const float* angles, float* sines, float* cosines);

}  // namespace zoe::batch::reference
