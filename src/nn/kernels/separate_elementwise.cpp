// SPDX-License-Identifier: MIT
// Part of Zoetrope. The loops of elementwise.cpp in the deterministic arithmetic: see table().
#define ZOE_SIMD_SEPARATE
#include "nn/kernels/elementwise.cpp"
