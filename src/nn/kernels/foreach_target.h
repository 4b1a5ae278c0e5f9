// SPDX-License-Identifier: MIT
// Part of Zoetrope. Compiles the including kernel file once for every instruction set, as src/math does; nn stands on core
// alone, hence its own copy of these few lines.
//
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "nn/kernels/my_kernels.cpp"
//   #include "nn/kernels/foreach_target.h"
//   #include "nn/kernels/vector_inl.h"
#pragma once

#ifdef ZOE_HAS_HWY

// SSE4, AVX2 and AVX-512 cover the x86 machines there are. Scalable vectors cannot be array elements: NEON serves those.
// int8 layers also ask for AVX3_DL, which has an instruction for their products (ZOE_NN_WANT_VNNI).
#ifdef ZOE_NN_WANT_VNNI
#define HWY_WANT_AVX3_DL
#define ZOE_NN_DISABLED_DL 0
#else
#define ZOE_NN_DISABLED_DL HWY_AVX3_DL
#endif
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | ZOE_NN_DISABLED_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>

#else

#define HWY_NAMESPACE N_PORTABLE
#define HWY_ONCE 1
#define HWY_BEFORE_NAMESPACE() static_assert(true, "")
#define HWY_AFTER_NAMESPACE() static_assert(true, "")
#define HWY_EXPORT(function) static_assert(true, "")
#define HWY_DYNAMIC_DISPATCH(function) N_PORTABLE::function

#endif
