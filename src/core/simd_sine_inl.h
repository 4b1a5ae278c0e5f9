// SPDX-License-Identifier: MIT
// Part of Zoetrope. Sine and cosine of many numbers at once. Included once per target.

#if defined(ZOE_CORE_SIMD_SINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_CORE_SIMD_SINE_INL_H
#undef ZOE_CORE_SIMD_SINE_INL_H
#else
#define ZOE_CORE_SIMD_SINE_INL_H
#endif

#include "core/simd_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::simd {
namespace HWY_NAMESPACE {
inline namespace ZOE_SIMD_ARITHMETIC {

// Sine for |a| <= pi/2: Taylor series, error below 6e-8.
inline F sine_quarter(F a) {
  const F s = a * a;
  F p = mul_add(s, set(-2.5052108e-8F), set(2.7557319e-6F));
  p = mul_add(s, p, set(-1.9841270e-4F));
  p = mul_add(s, p, set(8.3333333e-3F));
  p = mul_add(s, p, set(-1.6666667e-1F));
  return mul_add(a * s, p, a);
}

// Sine and cosine, radians, |a| up to 8192 (error below 2e-7; grows with |a| beyond).
inline void sine_cosine(F a, F& sine, F& cosine) {
  // a = quadrant * pi/2 + r, |r| <= pi/4, with pi/2 in three parts (Cody and Waite).
  const F quadrant = round_to_nearest(a * set(0.636619772F));
  F r = neg_mul_add(quadrant, set(1.5703125F), a);
  r = neg_mul_add(quadrant, set(4.8375129699707031e-4F), r);
  r = neg_mul_add(quadrant, set(7.5497899548918822e-8F), r);
  const F s = r * r;
  const F sin_r = sine_quarter(r);
  F p = mul_add(s, set(-2.7557319e-7F), set(2.4801587e-5F));
  p = mul_add(s, p, set(-1.3888889e-3F));
  p = mul_add(s, p, set(4.1666667e-2F));
  const F cos_r = mul_add(s * s, p, neg_mul_add(s, set(0.5F), set(1)));
  // The quadrant modulo four, as 0, 1, 2 or -1 ... without integers: q - 4 * round(q / 4) is in [-2, 2].
  const F turn = neg_mul_add(round_to_nearest(quadrant * set(0.25F)), set(4), quadrant);
  const F odd = absolute(absolute(turn) - set(1));  // 0 for odd quadrants, 1 for even ones.
  const F half = set(0.5F);
  const F swapped_sin = select_less(odd, half, cos_r, sin_r);
  const F swapped_cos = select_less(odd, half, sin_r, cos_r);
  // Sine changes sign in quadrants 2 and 3 (turn 2, -2, -1); cosine in 1 and 2 (turn 1, 2, -2).
  const F sine_negative = select_less(turn, set(-0.5F), set(1), select_less(set(1.5F), turn, set(1), set(0)));
  const F cosine_negative = select_less(set(0.5F), turn, set(1), select_less(turn, set(-1.5F), set(1), set(0)));
  sine = select_less(half, sine_negative, negate(swapped_sin), swapped_sin);
  cosine = select_less(half, cosine_negative, negate(swapped_cos), swapped_cos);
}

}  // namespace ZOE_SIMD_ARITHMETIC
}  // namespace HWY_NAMESPACE
}  // namespace zoe::simd
HWY_AFTER_NAMESPACE();

#endif
