// SPDX-License-Identifier: MIT
// Part of Zoetrope. The loops of linear_bf16.cpp in the deterministic arithmetic: see table().
#define ZOE_SIMD_SEPARATE
#include "nn/kernels/linear_bf16.cpp"
