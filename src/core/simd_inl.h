// SPDX-License-Identifier: MIT
// Part of Zoetrope. The vector operations of our kernels: over Highway, or over the compiler's own four-wide vectors
// where Highway (or a vector unit that it knows) is missing. Included once per target.
//
// Products that are added have one rounding where the target has such an instruction ("fused"), or always two
// ("separate", for files that define ZOE_SIMD_SEPARATE first). Separate kernels give the same bits on every target if
// their order of additions does not depend on kLanes. Such files are compiled with -ffp-contract=off.

#ifdef ZOE_HAS_HWY
#include <hwy/highway.h>
#endif

#if defined(ZOE_CORE_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_CORE_SIMD_INL_H
#undef ZOE_CORE_SIMD_INL_H
#else
#define ZOE_CORE_SIMD_INL_H
#endif

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifndef ZOE_SIMD_ARITHMETIC
#ifdef ZOE_SIMD_SEPARATE
#define ZOE_SIMD_ARITHMETIC separate
#else
#define ZOE_SIMD_ARITHMETIC fused
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace zoe::simd {
namespace HWY_NAMESPACE {
// Both may be in one program. So they have names of their own.
inline namespace ZOE_SIMD_ARITHMETIC {

// Every target's vector length divides it.
constexpr std::size_t kMaxLanes = 16;

#if defined(ZOE_HAS_HWY) && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, kMaxLanes>;
using F = hn::Vec<Tag>;  // The number of floats in a register of the target, at most kMaxLanes.
constexpr std::size_t kLanes = hn::MaxLanes(Tag());

inline F set(float s) { return hn::Set(Tag(), s); }
inline F load(const float* p) { return hn::LoadU(Tag(), p); }
inline void store(float* p, F v) { hn::StoreU(v, Tag(), p); }
#ifdef ZOE_SIMD_SEPARATE
inline F mul_add(F a, F b, F c) { return hn::Add(hn::Mul(a, b), c); }
inline F neg_mul_add(F a, F b, F c) { return hn::Sub(c, hn::Mul(a, b)); }
inline F mul_sub(F a, F b, F c) { return hn::Sub(hn::Mul(a, b), c); }
#else
inline F mul_add(F a, F b, F c) { return hn::MulAdd(a, b, c); }         // a * b + c
inline F neg_mul_add(F a, F b, F c) { return hn::NegMulAdd(a, b, c); }  // c - a * b
inline F mul_sub(F a, F b, F c) { return hn::MulSub(a, b, c); }         // a * b - c
#endif
inline F square_root(F a) { return hn::Sqrt(a); }
inline F minimum(F a, F b) { return hn::Min(a, b); }
inline F maximum(F a, F b) { return hn::Max(a, b); }
inline F absolute(F a) { return hn::Abs(a); }
inline F round_to_nearest(F a) { return hn::Round(a); }
inline F negate(F a) { return hn::Neg(a); }
// a < b ? yes : no, lane by lane; false where a or b is not a number.
inline F select_less(F a, F b, F yes, F no) { return hn::IfThenElse(hn::Lt(a, b), yes, no); }

#else

typedef float F __attribute__((vector_size(16)));
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
inline F absolute(F a) {  // Also of -0.
  std::uint32_t bits[4];
  std::memcpy(bits, &a, sizeof bits);
  for (std::uint32_t& word : bits) word &= 0x7fffffffU;
  std::memcpy(&a, bits, sizeof a);
  return a;
}
// Adding and subtracting 1.5 * 2^23 gives the nearest whole number, for |a| < 2^22.
inline F round_to_nearest(F a) { return (a + set(12582912.0F)) - set(12582912.0F); }
inline F select_less(F a, F b, F yes, F no) { return a < b ? yes : no; }

#endif

}  // namespace ZOE_SIMD_ARITHMETIC
}  // namespace HWY_NAMESPACE
}  // namespace zoe::simd
HWY_AFTER_NAMESPACE();

#endif
