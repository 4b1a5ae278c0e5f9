// SPDX-License-Identifier: MIT
// Part of Zoetrope. A row as integers, for int8 weights: see kernels.h. Included once per target.

#if defined(ZOE_NN_QUANTIZE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_NN_QUANTIZE_INL_H
#undef ZOE_NN_QUANTIZE_INL_H
#else
#define ZOE_NN_QUANTIZE_INL_H
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "nn/kernels/kernels.h"
#include "nn/kernels/vector_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

// Two vectors of numbers, as kernels.h describes them. `s` are the units in 1. Returns the sums of factor * a, which
// floats hold exactly.
inline F quantize_pairs(const float* x, float s, std::int8_t* a, std::int16_t* factors) {
  // A pair's |x| + |x'| is below 127 units of its factor, so that |a| + |a'| is at most 128 after rounding.
  const F units = set(s), step = set(s / 127);
  I parts[2];
  F sum = set(0);
#pragma GCC unroll 2
  for (std::size_t i = 0; i < 2; ++i) {
    const F v = load(x + i * kLanes), size = absolute(v);
    // No number is larger than the row's largest, so nothing needs a limit.
    parts[i] = add_int(truncate((size + swap_neighbours(size)) * step), set_int(1));
    const F factor = to_float(parts[i]);
    const F rounded = round_to_nearest(v * (units / factor));
    store_8(a + i * kLanes, to_int(rounded));
    sum = sum + rounded * factor;
  }
  store_even_16(factors, parts[0], parts[1]);
  return sum;
}

// One group of kQuadGroup numbers. Returns false where one of them is not finite.
inline bool quantize_group(const float* x, std::int8_t* a, std::int32_t* start, float* unit) {
  constexpr std::size_t kParts = kernels::kQuadGroup / kLanes;
  F v[kParts];
  I high = set_int(0);
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kParts; ++i) {
    v[i] = load(x + i * kLanes);
    high = max_int(high, bits_of(absolute(v[i])));
  }
  const float highest = std::bit_cast<float>(max_of_lanes(high));
  const bool sound = std::isfinite(highest);
  const F s = set(sound && highest > 1e-30F ? 127.0F / highest : 0.0F);
  I sum = set_int(0);
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kParts; ++i) {
    const I rounded = to_int(v[i] * s);
    store_8(a + i * kLanes, rounded);
    sum = add_int(sum, rounded);
  }
  *start = -kernels::kWeightOffset * sum_of_lanes(sum);
  *unit = highest * (1.0F / 127.0F);
  return sound;
}

// As quantize_row(), in groups. Returns 1, or NaN.
inline float quantize_groups(const float* x, std::size_t n, std::int16_t* to, std::size_t block_stride) {
  using kernels::kBlock;
  using kernels::kQuadGroup;
  bool sound = true;
  for (std::size_t begin = 0; begin < n; begin += kBlock, to += block_stride) {
    const std::size_t count = std::min(kBlock, n - begin), padded = kernels::round_up(count, kernels::kPanel);
    std::int32_t starts[kernels::kMaxGroups] = {};
    float units[kernels::kMaxGroups] = {};
    auto* a = reinterpret_cast<std::int8_t*>(to + kernels::kGroupHeader);
    std::size_t k = 0;
    for (; k + kQuadGroup <= count; k += kQuadGroup)
      sound &= quantize_group(x + begin + k, a + k, &starts[k / kQuadGroup], &units[k / kQuadGroup]);
    if (k < count) {  // What follows the row in memory is stale.
      float tail[kQuadGroup] = {};
      std::int8_t bytes[kQuadGroup];
      std::memcpy(tail, x + begin + k, (count - k) * sizeof(float));
      sound &= quantize_group(tail, bytes, &starts[k / kQuadGroup], &units[k / kQuadGroup]);
      std::memcpy(a + k, bytes, padded - k);
    }
    std::memcpy(to, starts, sizeof starts);
    std::memcpy(to + kernels::kGroupHeader / 2, units, sizeof units);
  }
  return sound ? 1.0F : std::numeric_limits<float>::quiet_NaN();
}

// Writes blocks of kBlock inputs to `to`, `block_stride` apart. Returns the value of one unit. Rows that are not finite
// have a unit of NaN, so that their products are NaN. Rows below 1e-30 count as zero.
inline float quantize_row(const float* x, std::size_t n, std::int16_t* to, std::size_t block_stride) {
  using kernels::kBlock;
  using kernels::kPanel;
  if constexpr (kGroups) return quantize_groups(x, n, to, block_stride);
  // The largest number by its bits, in the order of floats. Infinities and NaN are larger than all numbers.
  I high = set_int(0);
  const std::size_t whole = n / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) high = max_int(high, bits_of(absolute(load(x + i))));
  std::int32_t highest_bits = max_of_lanes(high);
  for (std::size_t i = whole; i < n; ++i)
    highest_bits = std::max(highest_bits, std::bit_cast<std::int32_t>(std::fabs(x[i])));
  const float highest = std::bit_cast<float>(highest_bits);
  // Two numbers have 16,200 units at most: a factor of 128.
  const float s = highest > 1e-30F && std::isfinite(highest) ? 8100.0F / highest : 0.0F;
  for (std::size_t begin = 0; begin < n; begin += kBlock, to += block_stride) {
    const std::size_t count = std::min(kBlock, n - begin), padded = kernels::round_up(count, kPanel);
    auto* a = reinterpret_cast<std::int8_t*>(to + kernels::kQuadHeader);
    std::int16_t* factors = to + kernels::kQuadHeader + padded / 2;
    F sums = set(0);
    const auto pairs = [&](const float* from, std::size_t k) {
      sums = sums + quantize_pairs(from, s, a + k, factors + k / 2);
    };
    std::size_t k = 0;
    const std::size_t sound = std::isfinite(highest) ? count : 0;
    for (; k + 2 * kLanes <= sound; k += 2 * kLanes) pairs(x + begin + k, k);
    // What follows the row in memory is stale.
    for (; k < padded; k += 2 * kLanes) {
      float tail[2 * kLanes] = {};
      if (k < sound) std::memcpy(tail, x + begin + k, (sound - k) * sizeof(float));
      pairs(tail, k);
    }
    const std::int32_t start = -kernels::kWeightOffset * static_cast<std::int32_t>(sum_of_lanes(sums));
    std::memcpy(to, &start, sizeof start);
  }
  if (!std::isfinite(highest)) return std::numeric_limits<float>::quiet_NaN();
  return s > 0 ? 1 / s : 0.0F;
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#endif
