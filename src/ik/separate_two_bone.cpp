// SPDX-License-Identifier: MIT
// Part of Zoetrope. The loops of two_bone_kernels.cpp in the deterministic arithmetic: see core/simd_inl.h.
#define ZOE_SIMD_SEPARATE
#include "ik/two_bone_kernels.cpp"
