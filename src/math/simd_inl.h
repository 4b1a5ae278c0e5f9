// SPDX-License-Identifier: MIT
// Part of Zoetrope. Vector operations on interleaved numbers, and vectors of exactly four, over core's. Included once
// per target.

#if defined(ZOE_MATH_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_MATH_SIMD_INL_H
#undef ZOE_MATH_SIMD_INL_H
#else
#define ZOE_MATH_SIMD_INL_H
#endif

#include "core/simd_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::simd {
namespace HWY_NAMESPACE {
inline namespace ZOE_SIMD_ARITHMETIC {

// Structures of arrays have blocks of this number of elements.
constexpr std::size_t kBlock = kMaxLanes;

#if defined(ZOE_HAS_HWY) && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

using Tag4 = hn::CappedTag<float, 4>;
using F4 = hn::Vec<Tag4>;  // Exactly four floats.

// p holds kLanes groups of three (four) numbers; a gets the first of each group, and so on.
inline void load_groups(const float* p, F& a, F& b, F& c) { hn::LoadInterleaved3(Tag(), p, a, b, c); }
inline void load_groups(const float* p, F& a, F& b, F& c, F& d) { hn::LoadInterleaved4(Tag(), p, a, b, c, d); }
inline void store_groups(float* p, F a, F b, F c) { hn::StoreInterleaved3(a, b, c, Tag(), p); }
inline void store_groups(float* p, F a, F b, F c, F d) { hn::StoreInterleaved4(a, b, c, d, Tag(), p); }

inline F4 set4(float s) { return hn::Set(Tag4(), s); }
inline F4 load4(const float* p) { return hn::LoadU(Tag4(), p); }
inline void store4(float* p, F4 v) { hn::StoreU(v, Tag4(), p); }
#ifdef ZOE_SIMD_SEPARATE
inline F4 mul_add4(F4 a, F4 b, F4 c) { return hn::Add(hn::Mul(a, b), c); }
#else
inline F4 mul_add4(F4 a, F4 b, F4 c) { return hn::MulAdd(a, b, c); }
#endif

#else

using F4 = F;

inline void load_groups(const float* p, F& a, F& b, F& c) {
  a = F{p[0], p[3], p[6], p[9]};
  b = F{p[1], p[4], p[7], p[10]};
  c = F{p[2], p[5], p[8], p[11]};
}
inline void load_groups(const float* p, F& a, F& b, F& c, F& d) {
  a = F{p[0], p[4], p[8], p[12]};
  b = F{p[1], p[5], p[9], p[13]};
  c = F{p[2], p[6], p[10], p[14]};
  d = F{p[3], p[7], p[11], p[15]};
}
inline void store_groups(float* p, F a, F b, F c) {
  store(p, F{a[0], b[0], c[0], a[1]});
  store(p + 4, F{b[1], c[1], a[2], b[2]});
  store(p + 8, F{c[2], a[3], b[3], c[3]});
}
inline void store_groups(float* p, F a, F b, F c, F d) {
  for (std::size_t i = 0; i < 4; ++i) store(p + 4 * i, F{a[i], b[i], c[i], d[i]});
}

inline F4 set4(float s) { return set(s); }
inline F4 load4(const float* p) { return load(p); }
inline void store4(float* p, F4 v) { store(p, v); }
inline F4 mul_add4(F4 a, F4 b, F4 c) { return a * b + c; }

#endif

}  // namespace ZOE_SIMD_ARITHMETIC
}  // namespace HWY_NAMESPACE
}  // namespace zoe::simd
HWY_AFTER_NAMESPACE();

#endif
