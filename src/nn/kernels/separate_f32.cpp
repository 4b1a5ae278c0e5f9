// SPDX-License-Identifier: MIT
// Part of Zoetrope. The loops of linear_f32.cpp in the deterministic arithmetic: see table().
#define ZOE_SIMD_SEPARATE
#include "nn/kernels/linear_f32.cpp"
