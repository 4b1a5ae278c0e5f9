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

using TagI = hn::RebindToSigned<Tag>;               // int32, the same number of lanes.
using Tag16 = hn::Repartition<std::int16_t, TagI>;  // Twice as many int16.
using Tag8 = hn::Rebind<std::int8_t, Tag16>;        // As many int8 as Tag16 has lanes.
using I = hn::Vec<TagI>;

// 2^a for whole a between -126 and 127.
inline F power_of_two(F a) {
  return hn::BitCast(Tag(), hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(TagI(), a), hn::Set(TagI(), 127))));
}
inline float max_of_lanes(F a) { return hn::GetLane(hn::MaxOfLanes(Tag(), a)); }

// p: kLanes pairs of bfloat16. Gives the first and the second numbers of the pairs, as floats.
inline void load_pairs(const std::uint16_t* p, F& first, F& second) {
  const auto v = hn::LoadU(hn::RebindToUnsigned<Tag>(), reinterpret_cast<const std::uint32_t*>(p));
  first = hn::BitCast(Tag(), hn::ShiftLeft<16>(v));
  second = hn::BitCast(Tag(), hn::And(v, hn::Set(hn::RebindToUnsigned<Tag>(), 0xffff0000u)));
}
inline I load_pairs_16(const std::int8_t* p) {  // kLanes pairs of int8, widened to pairs of int16 in a lane.
  return hn::BitCast(TagI(), hn::PromoteTo(Tag16(), hn::LoadU(Tag8(), p)));
}
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
// sum + a.first * b.first + a.second * b.second of int16 pairs, lane by lane. (Highway keeps that order on x86 only,
// and not in its emulation.)
inline I pair_dot(I a, I b, I sum) {
#if HWY_TARGET == HWY_AVX3_DL
  // Highway 1.0 neither uses the instruction nor lets the compiler use it.
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
  return sum;
#endif
  I unused = sum;
  return hn::ReorderWidenMulAccumulate(TagI(), hn::BitCast(Tag16(), a), hn::BitCast(Tag16(), b), sum, unused);
}
#else
inline I pair_dot(I a, I b, I sum) {
  const auto first = [](I v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  const auto second = [](I v) { return hn::ShiftRight<16>(v); };
  return hn::Add(sum, hn::Add(hn::Mul(first(a), first(b)), hn::Mul(second(a), second(b))));
}
#endif
inline I set_int(std::int32_t v) { return hn::Set(TagI(), v); }
inline I add_int(I a, I b) { return hn::Add(a, b); }
inline F to_float(I v) { return hn::ConvertTo(Tag(), v); }
inline I to_int(F v) { return hn::NearestInt(v); }
// kLanes numbers that fit into 16 bits.
inline void store_16(std::int16_t* p, I v) {
  const hn::Rebind<std::int16_t, TagI> tag;
  hn::StoreU(hn::DemoteTo(tag, v), tag, p);
}

#else

typedef std::int32_t I __attribute__((vector_size(16)));

inline F power_of_two(F a) {
  const I bits = (__builtin_convertvector(a, I) + 127) << 23;
  F v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
inline float max_of_lanes(F a) {
  const float low = a[0] > a[1] ? a[0] : a[1], high = a[2] > a[3] ? a[2] : a[3];
  return low > high ? low : high;
}
inline void load_pairs(const std::uint16_t* p, F& first, F& second) {
  I v;
  std::memcpy(&v, p, sizeof v);
  const I low = v << 16, high = v & static_cast<std::int32_t>(0xffff0000);
  std::memcpy(&first, &low, sizeof first);
  std::memcpy(&second, &high, sizeof second);
}
// As a pair of int16 in a lane, little-endian.
inline I load_pairs_16(const std::int8_t* p) {
  const auto pair = [&](int i) {
    return (p[2 * i] & 0xffff) | static_cast<std::int32_t>(std::uint32_t(p[2 * i + 1]) << 16);
  };
  return I{pair(0), pair(1), pair(2), pair(3)};
}
inline I pair_dot(I a, I b, I sum) { return sum + ((a << 16) >> 16) * ((b << 16) >> 16) + (a >> 16) * (b >> 16); }
inline I set_int(std::int32_t v) { return I{v, v, v, v}; }
inline I add_int(I a, I b) { return a + b; }
inline F to_float(I v) { return __builtin_convertvector(v, F); }
inline I to_int(F v) { return __builtin_convertvector(round_to_nearest(v), I); }
inline void store_16(std::int16_t* p, I v) {
  for (int i = 0; i < 4; ++i) p[i] = static_cast<std::int16_t>(v[i]);
}

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
    float all[kMaxLanes];
    for (std::size_t p = 0; p < kMaxLanes / kLanes; ++p) store(all + p * kLanes, parts[p]);
    for (std::size_t half = kMaxLanes / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) all[i] += all[i + half];
    }
    return all[0];
  }
};

// e^a; a below -87 gives about 1e-38, above 88 about 1e38. Relative error below 2e-7 (Cephes' polynomial).
inline F exponential(F a) {
  a = minimum(maximum(a, set(-87.3F)), set(88.3F));
  const F n = round_to_nearest(a * set(1.44269504F));
  F r = neg_mul_add(n, set(0.693359375F), a);
  r = neg_mul_add(n, set(-2.12194440e-4F), r);
  F p = mul_add(r, set(1.9875691500e-4F), set(1.3981999507e-3F));
  p = mul_add(r, p, set(8.3334519073e-3F));
  p = mul_add(r, p, set(4.1665795894e-2F));
  p = mul_add(r, p, set(1.6666665459e-1F));
  p = mul_add(r, p, set(5.0000001201e-1F));
  return mul_add(r * r, p, r + set(1)) * power_of_two(n);
}
inline F logistic(F a) { return set(1) / (set(1) + exponential(set(0) - a)); }
inline F hyperbolic_tangent(F a) { return set(1) - set(2) / (set(1) + exponential(a + a)); }
// Abramowitz & Stegun 7.1.26, absolute error below 1.5e-7 before rounding.
inline F error_function(F a) {
  const F x = absolute(a);
  const F t = set(1) / mul_add(x, set(0.3275911F), set(1));
  F p = mul_add(t, set(1.061405429F), set(-1.453152027F));
  p = mul_add(t, p, set(1.421413741F));
  p = mul_add(t, p, set(-0.284496736F));
  p = mul_add(t, p, set(0.254829592F)) * t;
  const F y = neg_mul_add(p, exponential(set(0) - x * x), set(1));
  return select_less(a, set(0), set(0) - y, y);
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
