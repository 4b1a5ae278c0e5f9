// SPDX-License-Identifier: MIT
#include "motion/lerp_kernels.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/lerp_kernels.cpp"
#include "core/simd_foreach_target.h"
#include "math/simd_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe {
namespace HWY_NAMESPACE {

namespace simd = zoe::simd::HWY_NAMESPACE;
using simd::F;
using simd::kLanes;

void lerp_floats_simd(const float* a, const float* b, std::size_t n, float t, float* out) {
  const F vt = simd::set(t);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const F va = simd::load(a + i);
    simd::store(out + i, simd::mul_add(simd::load(b + i) - va, vt, va));
  }
  for (; i < n; ++i) out[i] = a[i] + (b[i] - a[i]) * t;
}

// One register's worth of quaternions, four floats each.
inline void nlerp_block(const float* a, const float* b, F t, F rest, float* out) {
  F ax, ay, az, aw, bx, by, bz, bw;
  simd::load_groups(a, ax, ay, az, aw);
  simd::load_groups(b, bx, by, bz, bw);
  const F dot = simd::mul_add(ax, bx, simd::mul_add(ay, by, simd::mul_add(az, bz, aw * bw)));
  const F s = simd::select_less(dot, simd::set(0), simd::negate(t), t);
  const F x = simd::mul_add(bx, s, ax * rest), y = simd::mul_add(by, s, ay * rest);
  const F z = simd::mul_add(bz, s, az * rest), w = simd::mul_add(bw, s, aw * rest);
  const F norm = simd::mul_add(x, x, simd::mul_add(y, y, simd::mul_add(z, z, w * w)));
  const F k = simd::set(1) / simd::square_root(norm);
  simd::store_groups(out, x * k, y * k, z * k, w * k);
}

void nlerp_quats_simd(const float* a, const float* b, std::size_t n, float t, float* out) {
  const F vt = simd::set(t), rest = simd::set(1.0F - t);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) nlerp_block(a + 4 * i, b + 4 * i, vt, rest, out + 4 * i);
  if (i == n) return;
  if (n >= kLanes) {
    // A block that ends with the last quaternion. Only the part that is not done yet is stored (out may be an input).
    alignas(64) float tail[4 * kLanes];
    const std::size_t from = n - kLanes;
    const std::size_t done = i - from;
    nlerp_block(a + 4 * from, b + 4 * from, vt, rest, tail);
    std::memcpy(out + 4 * i, tail + 4 * done, (n - i) * 4 * sizeof(float));
    return;
  }
  alignas(64) float pa[4 * kLanes], pb[4 * kLanes], tail[4 * kLanes];
  for (std::size_t k = 0; k < 4 * kLanes; ++k) pa[k] = pb[k] = 1.0F;
  std::memcpy(pa, a + 4 * i, (n - i) * 4 * sizeof(float));
  std::memcpy(pb, b + 4 * i, (n - i) * 4 * sizeof(float));
  nlerp_block(pa, pb, vt, rest, tail);
  std::memcpy(out + 4 * i, tail, (n - i) * 4 * sizeof(float));
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe {

HWY_EXPORT(lerp_floats_simd);
HWY_EXPORT(nlerp_quats_simd);

void lerp_floats(std::span<const float> a, std::span<const float> b, float t, std::span<float> out) noexcept {
  HWY_DYNAMIC_DISPATCH(lerp_floats_simd)(a.data(), b.data(), out.size(), t, out.data());
}
void nlerp_quats(std::span<const Quat> a, std::span<const Quat> b, float t, std::span<Quat> out) noexcept {
  static_assert(sizeof(Quat) == 4 * sizeof(float));
  if (out.empty()) return;
  HWY_DYNAMIC_DISPATCH(nlerp_quats_simd)(&a.data()->x, &b.data()->x, out.size(), t, &out.data()->x);
}

void lerp_floats_scalar(std::span<const float> a, std::span<const float> b, float t, std::span<float> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] + (b[i] - a[i]) * t;
}
void nlerp_quats_scalar(std::span<const Quat> a, std::span<const Quat> b, float t, std::span<Quat> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = nlerp(a[i], b[i], t);
}

}  // namespace zoe
#endif
