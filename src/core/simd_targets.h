// SPDX-License-Identifier: MIT
// Part of Zoetrope. The Highway targets that kernels are compiled for. Must come before any header of Highway. SSE4,
// AVX2, AVX-512 and a portable fallback cover the usual x86 machines. Other targets would only cost build time.
// Scalable vectors (SVE) cannot be members or array elements, which the kernels need: those machines use NEON. A file
// that gains from an instruction of AVX3_DL (VNNI) defines ZOE_SIMD_WANT_AVX3_DL first. ZOE_SIMD_LEFT_OUT lists further
// targets to exclude. Sanitizer builds keep the fallback and the best target of the machine.
#pragma once

#ifdef ZOE_SIMD_LEFT_OUT
#undef ZOE_SIMD_WANT_AVX3_DL
#else
#define ZOE_SIMD_LEFT_OUT 0
#endif
#ifdef ZOE_SIMD_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL
#define ZOE_SIMD_WITHOUT_DL 0
#else
#define ZOE_SIMD_WITHOUT_DL HWY_AVX3_DL
#endif
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | ZOE_SIMD_WITHOUT_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | (ZOE_SIMD_LEFT_OUT))
