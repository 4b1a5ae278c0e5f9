// SPDX-License-Identifier: MIT
// Part of Zoetrope. Compiles the including .cpp once for every instruction set, then once more for its dispatch tables.
//
// Use, at the top of a kernel file that lies below src/:
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "math/my_kernels.cpp"
//   #include "core/simd_foreach_target.h"
//   #include "math/simd_inl.h"             (networks: "nn/kernels/vector_inl.h")
// then HWY_BEFORE_NAMESPACE(), code in namespace HWY_NAMESPACE, HWY_AFTER_NAMESPACE(), and under #if HWY_ONCE the public
// functions that call HWY_DYNAMIC_DISPATCH. Without Highway the same macros compile one portable target.
#pragma once

#ifdef ZOE_HAS_HWY

// SSE4, AVX2, AVX-512 and a portable fallback cover the x86 machines there are; the others would only cost build time.
// Scalable vectors (SVE) cannot be members or array elements, which the kernels rely on: NEON serves those machines.
// A file that has an instruction of AVX3_DL to gain from (VNNI) defines ZOE_SIMD_WANT_AVX3_DL first.
#ifdef ZOE_SIMD_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#define ZOE_SIMD_WITHOUT_DL 0
#else
#define ZOE_SIMD_WITHOUT_DL HWY_AVX3_DL
#endif
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | ZOE_SIMD_WITHOUT_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>

#else

#define HWY_NAMESPACE N_PORTABLE
#define HWY_ONCE 1
#define HWY_BEFORE_NAMESPACE() static_assert(true, "")
#define HWY_AFTER_NAMESPACE() static_assert(true, "")
#define HWY_EXPORT(function) static_assert(true, "")
#define HWY_DYNAMIC_DISPATCH(function) N_PORTABLE::function

#endif
