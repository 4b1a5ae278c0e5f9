// SPDX-License-Identifier: MIT
// Part of Zoetrope. The loops of local_to_model_kernels.cpp in the deterministic arithmetic: see core/simd_inl.h.
#define ZOE_SIMD_SEPARATE
#include "character/local_to_model_kernels.cpp"
