// SPDX-License-Identifier: MIT
// Part of Zoetrope. Vector operations of network kernels over core's: integers, weights of few bits, sums over lanes,
// exponentials. Included once per target.

#if defined(ZOE_NN_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_NN_VECTOR_INL_H
#undef ZOE_NN_VECTOR_INL_H
#else
#define ZOE_NN_VECTOR_INL_H
#endif

#include <cstdint>

#include "core/simd_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

using namespace simd::HWY_NAMESPACE;

#if defined(ZOE_HAS_HWY) && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

using TagI = hn::RebindToSigned<Tag>;  // int32, the same number of lanes.
using I = hn::Vec<TagI>;

// a * 2^n, without rounding, for n in the last 9 bits of `shifted`. The result must be a normal number.
inline F times_power_of_two(F a, F shifted) {
  return hn::BitCast(Tag(), hn::Add(hn::BitCast(TagI(), a), hn::ShiftLeft<23>(hn::BitCast(TagI(), shifted))));
}

// p: kLanes pairs of bfloat16. The first, or the second, numbers of the pairs as floats.
inline F load_first(const std::uint16_t* p) {
  const hn::RebindToUnsigned<Tag> tag;
  return hn::BitCast(Tag(), hn::ShiftLeft<16>(hn::LoadU(tag, reinterpret_cast<const std::uint32_t*>(p))));
}
inline F load_second(const std::uint16_t* p) {
  const hn::RebindToUnsigned<Tag> tag;
  const auto v = hn::LoadU(tag, reinterpret_cast<const std::uint32_t*>(p));
  return hn::BitCast(Tag(), hn::And(v, hn::Set(tag, 0xffff0000u)));
}
// sum + m.first (w0 a0 + w1 a1) + m.second (w2 a2 + w3 a3), lane by lane: four unsigned bytes w, four signed bytes a,
// two 16-bit factors m. w0 a0 + w1 a1 and w2 a2 + w3 a3 must fit into 16 bits.
#if HWY_TARGET == HWY_AVX3_DL
// sum + w0 a0 + w1 a1 + w2 a2 + w3 a3, lane by lane.
inline I group_dot(I w, I a, I sum) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(w.raw), "v"(a.raw));
  return sum;
}
inline I quad_dot(I w, I a, I m, I sum) {
  const __m512i pairs = _mm512_maddubs_epi16(w.raw, a.raw);
  // Highway 1.0 neither uses the instruction nor lets the compiler use it.
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(pairs), "v"(m.raw));
  return sum;
}
#elif HWY_TARGET == HWY_AVX3
inline I quad_dot(I w, I a, I m, I sum) {
  sum.raw = _mm512_add_epi32(sum.raw, _mm512_madd_epi16(_mm512_maddubs_epi16(w.raw, a.raw), m.raw));
  return sum;
}
// With 16 registers GCC 12 keeps old and new sums and moves some through memory: half the speed. So it adds in place.
#elif HWY_TARGET == HWY_AVX2
inline I quad_dot(I w, I a, I m, I sum) {
  const __m256i products = _mm256_madd_epi16(_mm256_maddubs_epi16(w.raw, a.raw), m.raw);
  asm("vpaddd %1, %0, %0" : "+x"(sum.raw) : "x"(products));
  return sum;
}
#elif HWY_TARGET == HWY_SSE4
inline I quad_dot(I w, I a, I m, I sum) {
  const __m128i products = _mm_madd_epi16(_mm_maddubs_epi16(w.raw, a.raw), m.raw);
  asm("paddd %1, %0" : "+x"(sum.raw) : "x"(products));
  return sum;
}
#else
inline I quad_dot(I w, I a, I m, I sum) {
  const I byte = hn::Set(TagI(), 255);
  const I first = hn::Add(hn::Mul(hn::And(w, byte), hn::ShiftRight<24>(hn::ShiftLeft<24>(a))),
                          hn::Mul(hn::And(hn::ShiftRight<8>(w), byte), hn::ShiftRight<24>(hn::ShiftLeft<16>(a))));
  const I second = hn::Add(hn::Mul(hn::And(hn::ShiftRight<16>(w), byte), hn::ShiftRight<24>(hn::ShiftLeft<8>(a))),
                           hn::Mul(hn::And(hn::ShiftRight<24>(w), byte), hn::ShiftRight<24>(a)));
  return hn::Add(
      sum, hn::Add(hn::Mul(first, hn::ShiftRight<16>(hn::ShiftLeft<16>(m))), hn::Mul(second, hn::ShiftRight<16>(m))));
}
#endif
#if HWY_TARGET != HWY_AVX3_DL
inline I group_dot(I, I, I sum) { return sum; }  // See kGroups.
#endif
inline I load_quads(const std::uint8_t* p) { return hn::LoadU(TagI(), reinterpret_cast<const std::int32_t*>(p)); }
inline I set_int(std::int32_t v) { return hn::Set(TagI(), v); }
inline I add_int(I a, I b) { return hn::Add(a, b); }
inline I max_int(I a, I b) { return hn::Max(a, b); }
inline float max_of_lanes(F a) { return hn::GetLane(hn::MaxOfLanes(Tag(), a)); }
inline std::int32_t max_of_lanes(I a) { return hn::GetLane(hn::MaxOfLanes(TagI(), a)); }
inline I bits_of(F v) { return hn::BitCast(TagI(), v); }
inline std::int32_t sum_of_lanes(I a) { return hn::GetLane(hn::SumOfLanes(TagI(), a)); }
// a + b in the lanes whose bit is set, else a.
inline F add_where(F a, std::uint32_t bits, F b) {
#if HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_AVX3
  return F{_mm512_mask_add_ps(a.raw, static_cast<__mmask16>(bits), a.raw, b.raw)};
#else
  alignas(8) std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits)};
  return hn::Add(a, hn::IfThenElseZero(hn::LoadMaskBits(Tag(), bytes), b));
#endif
}
inline float sum_of_lanes(F a) { return hn::GetLane(hn::SumOfLanes(Tag(), a)); }
inline F to_float(I v) { return hn::ConvertTo(Tag(), v); }
inline I to_int(F v) { return hn::NearestInt(v); }
inline I truncate(F v) { return hn::ConvertTo(TagI(), v); }
inline F swap_neighbours(F v) { return hn::Shuffle2301(v); }  // Lane 2i is exchanged with 2i + 1.
// kLanes numbers that fit into 8 bits.
inline void store_8(std::int8_t* p, I v) {
  const hn::Rebind<std::int8_t, TagI> tag;
  hn::StoreU(hn::DemoteTo(tag, v), tag, p);
}
// The even lanes of two vectors, kLanes numbers that fit into 16 bits.
inline void store_even_16(std::int16_t* p, I low, I high) {
  const hn::Rebind<std::int16_t, TagI> tag;
  hn::StoreU(hn::DemoteTo(tag, hn::ConcatEven(TagI(), high, low)), tag, p);
}

#else

typedef std::int32_t I __attribute__((vector_size(16)));

inline F times_power_of_two(F a, F shifted) {
  std::uint32_t bits[4], powers[4];
  std::memcpy(bits, &a, sizeof bits);
  std::memcpy(powers, &shifted, sizeof powers);
  for (int i = 0; i < 4; ++i) bits[i] += powers[i] << 23;
  std::memcpy(&a, bits, sizeof a);
  return a;
}
inline F load_first(const std::uint16_t* p) {
  I v;
  std::memcpy(&v, p, sizeof v);
  v = v << 16;
  F first;
  std::memcpy(&first, &v, sizeof first);
  return first;
}
inline F load_second(const std::uint16_t* p) {
  I v;
  std::memcpy(&v, p, sizeof v);
  v = v & static_cast<std::int32_t>(0xffff0000);
  F second;
  std::memcpy(&second, &v, sizeof second);
  return second;
}
inline I quad_dot(I w, I a, I m, I sum) {
  const I first = (w & 255) * ((a << 24) >> 24) + ((w >> 8) & 255) * ((a << 16) >> 24);
  const I second = ((w >> 16) & 255) * ((a << 8) >> 24) + ((w >> 24) & 255) * (a >> 24);
  return sum + first * ((m << 16) >> 16) + second * (m >> 16);
}
inline I group_dot(I, I, I sum) { return sum; }  // See kGroups.
inline I load_quads(const std::uint8_t* p) {
  I v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline I set_int(std::int32_t v) { return I{v, v, v, v}; }
inline I add_int(I a, I b) { return a + b; }
inline I max_int(I a, I b) { return a > b ? a : b; }
inline float max_of_lanes(F a) {
  const float low = a[0] > a[1] ? a[0] : a[1], high = a[2] > a[3] ? a[2] : a[3];
  return low > high ? low : high;
}
inline std::int32_t max_of_lanes(I a) {
  const std::int32_t low = a[0] > a[1] ? a[0] : a[1], high = a[2] > a[3] ? a[2] : a[3];
  return low > high ? low : high;
}
inline std::int32_t sum_of_lanes(I a) { return a[0] + a[1] + a[2] + a[3]; }
inline F add_where(F a, std::uint32_t bits, F b) {
  for (int i = 0; i < 4; ++i) a[i] += (bits >> i & 1U) != 0 ? b[i] : 0.0F;
  return a;
}
inline I bits_of(F v) {
  I bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
inline float sum_of_lanes(F a) { return a[0] + a[1] + a[2] + a[3]; }
inline F to_float(I v) { return __builtin_convertvector(v, F); }
inline I to_int(F v) { return __builtin_convertvector(round_to_nearest(v), I); }
inline I truncate(F v) { return __builtin_convertvector(v, I); }
inline F swap_neighbours(F v) { return F{v[1], v[0], v[3], v[2]}; }
inline void store_8(std::int8_t* p, I v) {
  for (int i = 0; i < 4; ++i) p[i] = static_cast<std::int8_t>(v[i]);
}
inline void store_even_16(std::int16_t* p, I low, I high) {
  for (int i = 0; i < 2; ++i) {
    p[i] = static_cast<std::int16_t>(low[2 * i]);
    p[2 + i] = static_cast<std::int16_t>(high[2 * i]);
  }
}

#endif

// True if rows for int8 weights have units for groups: see kernels.h. Not in the deterministic arithmetic, whose bits
// are those of all targets.
#if defined(ZOE_HAS_HWY) && HWY_TARGET == HWY_AVX3_DL && !defined(ZOE_SIMD_SEPARATE)
constexpr bool kGroups = true;
#else
constexpr bool kGroups = false;
#endif

// A sum whose order does not depend on the target: number i belongs to partial sum i % kMaxLanes, and halves of the
// partial sums are added.
struct WideSum {
  F parts[kMaxLanes / kLanes];
  WideSum() {
    for (F& part : parts) part = set(0);
  }
  // add(sum, i): the partial sums of numbers i to i + kLanes, for numbers 0 to n (a multiple of kMaxLanes).
  template <typename Add>
  void over(std::size_t n, const Add& add) {
    for (std::size_t i = 0; i < n; i += kMaxLanes) {
      for (std::size_t p = 0; p < kMaxLanes / kLanes; ++p) parts[p] = add(parts[p], i + p * kLanes);
    }
  }
  float total() const {
#if defined(ZOE_HAS_HWY) && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
    if constexpr (kLanes == 16) {
      const hn::Half<Tag> eight;
      return total_of_eight(hn::Add(hn::LowerHalf(eight, parts[0]), hn::UpperHalf(eight, parts[0])));
    } else if constexpr (kLanes == 8) {
      return total_of_eight(parts[0] + parts[1]);
    }
#endif
    float all[kMaxLanes];
    for (std::size_t p = 0; p < kMaxLanes / kLanes; ++p) store(all + p * kLanes, parts[p]);
    for (std::size_t half = kMaxLanes / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) all[i] += all[i + half];
    }
    return all[0];
  }

#if defined(ZOE_HAS_HWY) && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
  // The same halves as above, in registers.
  template <typename V>
  static float total_of_eight(V v) {
    const hn::CappedTag<float, 4> four;
    const auto low = hn::Add(hn::LowerHalf(four, v), hn::UpperHalf(four, v));
    const auto pairs = hn::Add(low, hn::Shuffle1032(low));
    return hn::GetLane(hn::Add(pairs, hn::Shuffle2301(pairs)));
  }
#endif
};

// e^a; a below -86.6 gives 2.5e-38, above 88.3 about 2e38. Relative error below 2e-7 (Cephes' polynomial).
inline F exponential(F a) {
  a = minimum(maximum(a, set(-86.6F)), set(88.3F));
  // 1.5 * 2^23 + n: rounded to whole numbers, and n is in the last bits.
  const F magic = set(12582912.0F), shifted = mul_add(a, set(1.44269504F), magic), n = shifted - magic;
  F r = neg_mul_add(n, set(0.693359375F), a);
  r = neg_mul_add(n, set(-2.12194440e-4F), r);
  F p = mul_add(r, set(1.9875691500e-4F), set(1.3981999507e-3F));
  p = mul_add(r, p, set(8.3334519073e-3F));
  p = mul_add(r, p, set(4.1665795894e-2F));
  p = mul_add(r, p, set(1.6666665459e-1F));
  p = mul_add(r, p, set(5.0000001201e-1F));
  return times_power_of_two(mul_add(r * r, p, r + set(1)), shifted);
}
inline F logistic(F a) { return set(1) / (set(1) + exponential(set(0) - a)); }
inline F hyperbolic_tangent(F a) { return set(1) - set(2) / (set(1) + exponential(a + a)); }
// erf(x / sqrt(2)), absolute error below 3e-7: x times a polynomial in x^2. erf(z) / z is smooth in z^2, so one
// polynomial serves up to |z| = 3.85, where 1 - erf(z) is 5e-8. Fitted at Chebyshev's points in s = x^2 / 3.85^2 - 1.
inline F error_function_of_root(F x) {
  const F s = mul_add(minimum(x * x, set(29.645F)), set(0.067465F), set(-1));
  F p = mul_add(s, set(0.00110097907F), set(-0.00243819617F));
  p = mul_add(s, p, set(0.00124767085F));
  p = mul_add(s, p, set(-0.00213223837F));
  p = mul_add(s, p, set(0.0086263239F));
  p = mul_add(s, p, set(-0.0146006535F));
  p = mul_add(s, p, set(0.0195329306F));
  p = mul_add(s, p, set(-0.0283955883F));
  p = mul_add(s, p, set(0.0400445953F));
  p = mul_add(s, p, set(-0.0518881074F));
  p = mul_add(s, p, set(0.064194808F));
  p = mul_add(s, p, set(-0.0780413438F));
  p = mul_add(s, p, set(0.0963174343F));
  p = mul_add(s, p, set(-0.129614077F));
  p = mul_add(s, p, set(0.259709576F));
  return minimum(maximum(x * p, set(-1)), set(1));  // Exactly 1 beyond.
}

// Angle of (x, y) in radians, -pi to pi, 0 for (0, 0): Cephes' polynomial up to tan(pi/8), error below 3e-7.
inline F angle_of(F y, F x) {
  const F ax = absolute(x), ay = absolute(y), zero = set(0), one = set(1);
  const F high = maximum(ax, ay), steep = set(0.41421356F);
  F t = minimum(ax, ay) / select_less(zero, high, high, one);
  const F first = select_less(steep, t, set(0.78539816F), zero);
  t = select_less(steep, t, (t - one) / (t + one), t);
  const F s = t * t;
  F p = mul_add(s, set(8.05374449538e-2F), set(-1.38776856032e-1F));
  p = mul_add(s, p, set(1.99777106478e-1F));
  p = mul_add(s, p, set(-3.33329491539e-1F));
  F angle = first + mul_add(p * s, t, t);
  angle = select_less(ax, ay, set(1.57079633F) - angle, angle);
  angle = select_less(x, zero, set(3.14159265F) - angle, angle);
  return select_less(y, zero, negate(angle), angle);
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#endif
