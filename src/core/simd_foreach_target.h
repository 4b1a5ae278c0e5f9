// SPDX-License-Identifier: MIT
// Part of Zoetrope. Compiles the including .cpp once for every instruction set, then once more for its dispatch tables.
//
// Use, at the top of a kernel file below src/:
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "math/my_kernels.cpp"
//   #include "core/simd_foreach_target.h"
//   #include "core/simd_inl.h"             (or a header above it: "math/simd_math_inl.h", "nn/kernels/vector_inl.h")
// then HWY_BEFORE_NAMESPACE(), code in namespace HWY_NAMESPACE, HWY_AFTER_NAMESPACE(), and under #if HWY_ONCE the
// public functions that call HWY_DYNAMIC_DISPATCH. Without Highway the same macros compile one portable target.
#pragma once

#ifdef ZOE_HAS_HWY

// The choice of targets comes before Highway reads it.
// clang-format off
#include "core/simd_targets.h"
#include "core/simd_environment.h"
#include <hwy/foreach_target.h>
// clang-format on

#else

#define HWY_NAMESPACE N_PORTABLE
#define HWY_ONCE 1
#define HWY_BEFORE_NAMESPACE() static_assert(true, "")
#define HWY_AFTER_NAMESPACE() static_assert(true, "")
#define HWY_EXPORT(function) static_assert(true, "")
#define HWY_DYNAMIC_DISPATCH(function) N_PORTABLE::function

#endif
