// SPDX-License-Identifier: MIT
// Part of Zoetrope. Matrix times one row: reads each weight once, in memory order, so that the speed is that of the
// memory. Included once per target, by one file for each type of weight. There are no prefetch instructions: on large
// pages the hardware prefetches by itself, and on Zen 4 they cost 10 to 30 %. int8 weights are multiplied with the row
// as int16 (quantize_inl.h). The error of the row is about 1e-5 of its largest number, far below that of the weights.

#if defined(ZOE_NN_GEMV_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_NN_GEMV_INL_H
#undef ZOE_NN_GEMV_INL_H
#else
#define ZOE_NN_GEMV_INL_H
#endif

#include <cmath>

#include "nn/kernels/kernels.h"
#include "nn/kernels/quantize_inl.h"
#include "nn/kernels/vector_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn {
namespace HWY_NAMESPACE {

using kernels::GemvCall;
using kernels::kPanel;

constexpr std::size_t kPanelVectors = kPanel / kLanes;
// Independent sums: enough to hide the latency of a multiply-add.
constexpr std::size_t kChains = kPanelVectors >= 8 ? 1 : 8 / kPanelVectors;

struct PanelSum {
  F v[kPanelVectors];
};

// x in the form that the kernel needs.
struct Prepared {
  const float* x = nullptr;
  const std::int16_t* quantized = nullptr;
  float scale = 1;
};

inline void walk(const float* w, const Prepared& in, std::size_t n, PanelSum& sum) {
  F acc[kChains][kPanelVectors];
#pragma GCC unroll 8
  for (std::size_t c = 0; c < kChains; ++c) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kPanelVectors; ++v) acc[c][v] = set(0);
  }
  std::size_t k = 0;
  for (; k + kChains <= n; k += kChains, w += kChains * kPanel) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < kChains; ++c) {
      const F value = set(in.x[k + c]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kPanelVectors; ++v)
        acc[c][v] = mul_add(load(w + c * kPanel + v * kLanes), value, acc[c][v]);
    }
  }
  for (; k < n; ++k, w += kPanel) {
    const F value = set(in.x[k]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kPanelVectors; ++v) acc[0][v] = mul_add(load(w + v * kLanes), value, acc[0][v]);
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kPanelVectors; ++v) {
#pragma GCC unroll 8
    for (std::size_t c = 1; c < kChains; ++c) acc[0][v] = acc[0][v] + acc[c][v];
    sum.v[v] = acc[0][v];
  }
}

// Pairs of inputs: the first and the second of a pair have separate sums.
template <typename T>
inline void walk_pairs(const T* w, const Prepared& in, std::size_t n, PanelSum& sum) {
  F one[kPanelVectors], two[kPanelVectors];
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kPanelVectors; ++v) one[v] = two[v] = set(0);
#pragma GCC unroll 2
  for (std::size_t k = 0; k < n; k += 2, w += 2 * kPanel) {
    const F x0 = set(in.x[k]), x1 = set(in.x[k + 1]);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kPanelVectors; ++v) {
      F first, second;
      load_pairs(w + 2 * v * kLanes, first, second);
      one[v] = mul_add(first, x0, one[v]);
      two[v] = mul_add(second, x1, two[v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kPanelVectors; ++v) sum.v[v] = one[v] + two[v];
}
inline void walk(const std::uint16_t* w, const Prepared& in, std::size_t n, PanelSum& sum) {
  walk_pairs(w, in, n, sum);
}

inline void walk(const std::int8_t* w, const Prepared& in, std::size_t n, PanelSum& sum) {
  if constexpr (!kHasPairDot) return walk_pairs(w, in, n, sum);
  I acc[kChains][kPanelVectors];
#pragma GCC unroll 8
  for (std::size_t c = 0; c < kChains; ++c) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kPanelVectors; ++v) acc[c][v] = set_int(0);
  }
  const auto pair_at = [&](std::size_t k) {
    std::int32_t pair;
    std::memcpy(&pair, in.quantized + k, sizeof pair);
    return pair;
  };
  std::size_t k = 0;
  for (; k + 2 * kChains <= n; k += 2 * kChains, w += 2 * kChains * kPanel) {
#pragma GCC unroll 8
    for (std::size_t c = 0; c < kChains; ++c) {
      const I value = set_int(pair_at(k + 2 * c));
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kPanelVectors; ++v) {
        acc[c][v] = pair_dot(load_pairs_16(w + 2 * (c * kPanel + v * kLanes)), value, acc[c][v]);
      }
    }
  }
  for (; k < n; k += 2, w += 2 * kPanel) {
    const I value = set_int(pair_at(k));
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kPanelVectors; ++v)
      acc[0][v] = pair_dot(load_pairs_16(w + 2 * v * kLanes), value, acc[0][v]);
  }
#pragma GCC unroll 8
  for (std::size_t v = 0; v < kPanelVectors; ++v) {
#pragma GCC unroll 8
    for (std::size_t c = 1; c < kChains; ++c) acc[0][v] = add_int(acc[0][v], acc[c][v]);
    sum.v[v] = to_float(acc[0][v]);
  }
}

// A copy that is zero up to the next whole panel.
inline const float* padded_copy(const GemvCall& call) {
  const std::size_t in = call.linear->in, padded = kernels::round_up(in, kPanel);
  std::memcpy(call.scratch, call.x, in * sizeof(float));
  std::memset(call.scratch + in, 0, (padded - in) * sizeof(float));
  return call.scratch;
}

inline Prepared quantize(const GemvCall& call) {
  const float* x = padded_copy(call);
  auto* quantized = reinterpret_cast<std::int16_t*>(call.scratch + kernels::round_up(call.linear->in, kPanel));
  float scale = 1;
  if (!quantize_row(x, call.linear->in, quantized, kernels::kBlock, scale)) return {x, nullptr, 1};
  return {x, quantized, scale};
}

template <typename T>
void gemv(const GemvCall& call) {
  const kernels::PackedLinear& linear = *call.linear;
  const std::size_t padded = linear.padded_in(), panels = linear.num_panels();
  const float* biases = call.bias != nullptr ? call.bias : linear.bias;
  Prepared in{call.x, nullptr, 1};
  if constexpr (sizeof(T) == 2) {
    if (linear.in % 2 != 0 && call.x_stride == 0) in.x = padded_copy(call);
  } else if constexpr (sizeof(T) == 1) {
    in = kHasPairDot ? quantize(call) : Prepared{padded_copy(call), nullptr, 1};
  }
  for (std::size_t panel = 0; panel < panels; ++panel) {
    const T* w = static_cast<const T*>(linear.weights) + panel * linear.panel_items();
    PanelSum total;
    for (std::size_t v = 0; v < kPanelVectors; ++v) total.v[v] = set(0);
    for (std::size_t e = 0; e < linear.segments; ++e, w += padded * kPanel) {
      const float gate = call.gate == nullptr ? 1.0F : call.gate[e];
      if (gate == 0) continue;
      if (call.x_stride != 0) in.x = call.x + e * call.x_stride;
      PanelSum sum;
      if constexpr (sizeof(T) == 1) {
        in.quantized == nullptr ? walk_pairs(w, in, padded, sum) : walk(w, in, padded, sum);
      } else {
        walk(w, in, padded, sum);
      }
      const std::size_t at = (e * panels + panel) * kPanel;
      for (std::size_t v = 0; v < kPanelVectors; ++v) {
        const F bias = load(biases + at + v * kLanes);
        if constexpr (sizeof(T) == 1) {
          const F scaled = set(in.scale) * load(linear.scales + at + v * kLanes);
          total.v[v] = mul_add(set(gate), mul_add(sum.v[v], scaled, bias), total.v[v]);
        } else {
          total.v[v] = call.x_stride != 0 ? total.v[v] + mul_add(set(gate), bias, sum.v[v])
                                          : mul_add(set(gate), sum.v[v] + bias, total.v[v]);
        }
      }
    }
    for (std::size_t v = 0; v < kPanelVectors; ++v) store(call.y + panel * kPanel + v * kLanes, total.v[v]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn
HWY_AFTER_NAMESPACE();

#endif
