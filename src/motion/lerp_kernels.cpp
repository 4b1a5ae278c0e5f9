// SPDX-License-Identifier: MIT
#include "motion/lerp_kernels.h"

#ifdef ZOE_HAS_HWY
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/lerp_kernels.cpp"
#include <hwy/foreach_target.h>  // Must come before highway.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace zoe {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void lerp_floats_simd(const float* a, const float* b, std::size_t n, float t, float* out) {
  const hn::ScalableTag<float> d;
  const auto vt = hn::Set(d, t);
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto va = hn::LoadU(d, a + i);
    hn::StoreU(hn::MulAdd(hn::Sub(hn::LoadU(d, b + i), va), vt, va), d, out + i);
  }
  for (; i < n; ++i) out[i] = a[i] + (b[i] - a[i]) * t;
}

// n: quaternions; a, b, out: four floats each.
void nlerp_quats_simd(const float* a, const float* b, std::size_t n, float t, float* out) {
  const hn::CappedTag<float, 8> d;  // Wider transposes cost more than they give.
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V vt = hn::Set(d, t), vr = hn::Set(d, 1.0F - t), one = hn::Set(d, 1.0F);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    V ax, ay, az, aw, bx, by, bz, bw;
    hn::LoadInterleaved4(d, a + 4 * i, ax, ay, az, aw);
    hn::LoadInterleaved4(d, b + 4 * i, bx, by, bz, bw);
    const V dot = hn::MulAdd(ax, bx, hn::MulAdd(ay, by, hn::MulAdd(az, bz, hn::Mul(aw, bw))));
    const V s = hn::CopySignToAbs(vt, dot);
    const V x = hn::MulAdd(bx, s, hn::Mul(ax, vr)), y = hn::MulAdd(by, s, hn::Mul(ay, vr));
    const V z = hn::MulAdd(bz, s, hn::Mul(az, vr)), w = hn::MulAdd(bw, s, hn::Mul(aw, vr));
    const V norm = hn::MulAdd(x, x, hn::MulAdd(y, y, hn::MulAdd(z, z, hn::Mul(w, w))));
    const V k = hn::Div(one, hn::Sqrt(norm));
    hn::StoreInterleaved4(hn::Mul(x, k), hn::Mul(y, k), hn::Mul(z, k), hn::Mul(w, k), d, out + 4 * i);
  }
  nlerp_quats_scalar({reinterpret_cast<const Quat*>(a) + i, n - i}, {reinterpret_cast<const Quat*>(b) + i, n - i}, t,
                     {reinterpret_cast<Quat*>(out) + i, n - i});
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe
HWY_AFTER_NAMESPACE();
#endif  // ZOE_HAS_HWY

#if !defined(ZOE_HAS_HWY) || HWY_ONCE
namespace zoe {

#ifdef ZOE_HAS_HWY
HWY_EXPORT(lerp_floats_simd);
HWY_EXPORT(nlerp_quats_simd);

void lerp_floats(std::span<const float> a, std::span<const float> b, float t, std::span<float> out) noexcept {
  HWY_DYNAMIC_DISPATCH(lerp_floats_simd)(a.data(), b.data(), out.size(), t, out.data());
}
void nlerp_quats(std::span<const Quat> a, std::span<const Quat> b, float t, std::span<Quat> out) noexcept {
  static_assert(sizeof(Quat) == 4 * sizeof(float));
  HWY_DYNAMIC_DISPATCH(nlerp_quats_simd)(&a.data()->x, &b.data()->x, out.size(), t, &out.data()->x);
}
#else
void lerp_floats(std::span<const float> a, std::span<const float> b, float t, std::span<float> out) noexcept {
  lerp_floats_scalar(a, b, t, out);
}
void nlerp_quats(std::span<const Quat> a, std::span<const Quat> b, float t, std::span<Quat> out) noexcept {
  nlerp_quats_scalar(a, b, t, out);
}
#endif

void lerp_floats_scalar(std::span<const float> a, std::span<const float> b, float t, std::span<float> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + (b[i] - a[i]) * t;
}
void nlerp_quats_scalar(std::span<const Quat> a, std::span<const Quat> b, float t, std::span<Quat> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = nlerp(a[i], b[i], t);
}

}  // namespace zoe
#endif
