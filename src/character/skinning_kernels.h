// SPDX-License-Identifier: MIT
// Part of Zoetrope. Run-time dispatched inner loops of skinning; arguments are checked by the jobs.
#pragma once

#include "zoe/character/skinning_layout.h"

namespace zoe::kernels {

// One character. Arrays are packed: three numbers per vertex, tangents four, matrices twelve, dual quaternions eight.
struct SkinCall {
  const SkinningLayout* layout = nullptr;
  const float* matrices = nullptr;      // Linear: the palette. Dual quaternions: stretches, or null.
  const float* dual_quats = nullptr;    // Dual quaternions only.
  bool exact_normals = true;            // Linear only.
  const float* in_positions = nullptr;  // Null: the layout's.
  const float* in_normals = nullptr;
  float* positions = nullptr;
  float* normals = nullptr;   // May be null.
  float* tangents = nullptr;  // May be null.
};

void skin_linear(const SkinCall& call);
void skin_dual_quat(const SkinCall& call);

// out[i] = left[left_index[i]] * right[i], twelve numbers each.
void multiply_palette(std::size_t count, const float* left, const int* left_index, const float* right, float* out);

}  // namespace zoe::kernels
