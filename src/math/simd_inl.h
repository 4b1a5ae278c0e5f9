// SPDX-License-Identifier: MIT
// Part of Zoetrope. The few vector operations our kernels are written in: over Highway, or over the compiler's own
// four-wide vectors where Highway (or a vector unit that it knows) is missing. Included once a target.

#ifdef ZOE_HAS_HWY
#include <hwy/highway.h>
#endif

#if defined(ZOE_MATH_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_MATH_SIMD_INL_H
#undef ZOE_MATH_SIMD_INL_H
#else
#define ZOE_MATH_SIMD_INL_H
#endif

#include <cmath>
#include <cstddef>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace zoe::simd {
namespace HWY_NAMESPACE {

// Structures of arrays come in blocks of this many elements; every target's vector length divides it.
constexpr std::size_t kBlock = 16;

#if defined(ZOE_HAS_HWY) && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, kBlock>;
using Tag4 = hn::CappedTag<float, 4>;
using F = hn::Vec<Tag>;    // As many floats as the target's registers hold, at most kBlock.
using F4 = hn::Vec<Tag4>;  // Exactly four floats.
constexpr std::size_t kLanes = hn::MaxLanes(Tag());

inline F set(float s) { return hn::Set(Tag(), s); }
inline F load(const float* p) { return hn::LoadU(Tag(), p); }
inline void store(float* p, F v) { hn::StoreU(v, Tag(), p); }
inline F mul_add(F a, F b, F c) { return hn::MulAdd(a, b, c); }           // a * b + c
inline F neg_mul_add(F a, F b, F c) { return hn::NegMulAdd(a, b, c); }    // c - a * b
inline F mul_sub(F a, F b, F c) { return hn::MulSub(a, b, c); }           // a * b - c
inline F square_root(F a) { return hn::Sqrt(a); }
inline F minimum(F a, F b) { return hn::Min(a, b); }
inline F maximum(F a, F b) { return hn::Max(a, b); }
inline F absolute(F a) { return hn::Abs(a); }
inline F round_to_nearest(F a) { return hn::Round(a); }
inline F negate(F a) { return hn::Neg(a); }
// a < b ? yes : no, lane by lane; false where a or b is not a number.
inline F select_less(F a, F b, F yes, F no) { return hn::IfThenElse(hn::Lt(a, b), yes, no); }

// p holds kLanes groups of three (four) numbers; a gets the first of each group, and so on.
inline void load_groups(const float* p, F& a, F& b, F& c) { hn::LoadInterleaved3(Tag(), p, a, b, c); }
inline void load_groups(const float* p, F& a, F& b, F& c, F& d) { hn::LoadInterleaved4(Tag(), p, a, b, c, d); }
inline void store_groups(float* p, F a, F b, F c) { hn::StoreInterleaved3(a, b, c, Tag(), p); }
inline void store_groups(float* p, F a, F b, F c, F d) { hn::StoreInterleaved4(a, b, c, d, Tag(), p); }

inline F4 set4(float s) { return hn::Set(Tag4(), s); }
inline F4 load4(const float* p) { return hn::LoadU(Tag4(), p); }
inline void store4(float* p, F4 v) { hn::StoreU(v, Tag4(), p); }
inline F4 mul_add4(F4 a, F4 b, F4 c) { return hn::MulAdd(a, b, c); }

#else

typedef float F __attribute__((vector_size(16)));
using F4 = F;
constexpr std::size_t kLanes = 4;

inline F set(float s) { return F{s, s, s, s}; }
inline F load(const float* p) {
  F v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store(float* p, F v) { std::memcpy(p, &v, sizeof v); }
inline F mul_add(F a, F b, F c) { return a * b + c; }
inline F neg_mul_add(F a, F b, F c) { return c - a * b; }
inline F mul_sub(F a, F b, F c) { return a * b - c; }
inline F square_root(F a) { return F{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])}; }
inline F minimum(F a, F b) { return a < b ? a : b; }
inline F maximum(F a, F b) { return a > b ? a : b; }
inline F negate(F a) { return -a; }
inline F absolute(F a) { return a < set(0) ? -a : a; }
// Adding and taking away 1.5 * 2^23 leaves the nearest whole number, for |a| < 2^22.
inline F round_to_nearest(F a) { return (a + set(12582912.0F)) - set(12582912.0F); }
inline F select_less(F a, F b, F yes, F no) { return a < b ? yes : no; }

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

}  // namespace HWY_NAMESPACE
}  // namespace zoe::simd
HWY_AFTER_NAMESPACE();

#endif
