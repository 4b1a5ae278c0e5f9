// SPDX-License-Identifier: MIT
// Part of Zoetrope. The loops of attention.cpp in the deterministic arithmetic: see table().
#define ZOE_SIMD_SEPARATE
#include "nn/kernels/attention.cpp"
