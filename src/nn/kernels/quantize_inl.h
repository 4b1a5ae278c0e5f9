// SPDX-License-Identifier: MIT
// Part of Zoetrope. A row as 16-bit integers, for int8 weights. Included once per target.

#if defined(ZOE_NN_QUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_NN_QUANTIZE_INL_H
#undef ZOE_NN_QUANTIZE_INL_H
#else
#define ZOE_NN_QUANTIZE_INL_H
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "nn/kernels/kernels.h"
#include "nn/kernels/vector_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

// Writes blocks of kBlock inputs to `to`, `block_stride` apart, each zero up to whole panels. Returns the value of one
// unit. |q| is at most 32766, and small enough that 127 * (sum |q|) stays below 2^31: no sum over inputs can overflow.
// Rows that are not finite have a unit of NaN, so that their products are NaN. Rows below 1e-30 count as zero. Reads x
// up to whole panels.
inline float quantize_row(const float* x, std::size_t n, std::int16_t* to, std::size_t block_stride) {
  using kernels::kBlock;
  using kernels::kPanel;
  F high = set(0);
  WideSum sum;
  const std::size_t whole = n / kMaxLanes * kMaxLanes;
  sum.over(whole, [&](F part, std::size_t i) {
    const F v = absolute(load(x + i));
    high = maximum(high, v);
    return part + v;
  });
  float highest = max_of_lanes(high), total = sum.total();
  for (std::size_t i = whole; i < n; ++i) {
    highest = std::fmax(highest, std::fabs(x[i]));
    total += std::fabs(x[i]);
  }
  // Each |q| is rounded up by at most 1/2.
  const float budget = 2147483647.0F / 127.0F - static_cast<float>(kernels::round_up(n, kPanel));
  const bool sound = std::isfinite(total);
  const float s = sound && highest > 1e-30F ? std::fmin(32766.0F / highest, budget / total) : 0.0F;
  // Numbers beyond the row are stale, and may be too large for 16 bits.
  const F low = set(-32767.0F), top = set(32767.0F), factor = set(s);
  for (std::size_t begin = 0; begin < n; begin += kBlock, to += block_stride) {
    const std::size_t count = std::min(kBlock, n - begin);
    const std::size_t padded = kernels::round_up(count, kPanel);
    for (std::size_t k = 0; k < padded; k += kLanes) {
      store_16(to + k, to_int(minimum(maximum(load(x + begin + k) * factor, low), top)));
    }
    std::memset(to + count, 0, (padded - count) * sizeof *to);
  }
  if (!sound) return std::numeric_limits<float>::quiet_NaN();
  return s > 0 ? 1 / s : 0.0F;
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#endif
