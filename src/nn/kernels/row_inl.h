// SPDX-License-Identifier: MIT
// Part of Zoetrope. Matrix times one row. Each output has the same additions in the same order as in gemm_inl.h, so a
// row has the same bits alone and among others. Each weight is read once, so the speed is that of the memory. Included
// once per target, by one file for each type of weight. There are no prefetch instructions: on large pages the hardware
// prefetches by itself, and on Zen 4 they cost 10 to 30 %.

#if defined(ZOE_NN_ROW_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_NN_ROW_INL_H
#undef ZOE_NN_ROW_INL_H
#else
#define ZOE_NN_ROW_INL_H
#endif

#include <algorithm>
#include <cstring>

#include "nn/kernels/activation_inl.h"
#include "nn/kernels/kernels.h"
#include "nn/kernels/vector_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

using kernels::kBlock;
using kernels::kPanel;
using kernels::RowProduct;

constexpr std::size_t kPanelVectors = kPanel / kLanes;
// Panels side by side. An output has one chain of additions, and eight chains hide the latency of a multiply-add.
constexpr std::size_t kMaxPanels = kPanelVectors >= 8 ? 1 : 8 / kPanelVectors;

// sums[p][v] += weights · x, over n inputs. Panels are `stride` weights apart.
template <std::size_t kPanels>
inline void walk(const float* w, std::size_t stride, const float* x, std::size_t n, F (&sums)[kPanels][kPanelVectors]) {
  for (std::size_t k = 0; k < n; ++k, w += kPanel) {
    const F value = set(x[k]);
#pragma GCC unroll 8
    for (std::size_t p = 0; p < kPanels; ++p) {
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kPanelVectors; ++v)
        sums[p][v] = mul_add(load(w + p * stride + v * kLanes), value, sums[p][v]);
    }
  }
}
template <std::size_t kPanels>
inline void walk(const std::uint16_t* w, std::size_t stride, const float* x, std::size_t n,
                 F (&sums)[kPanels][kPanelVectors]) {
  for (std::size_t k = 0; k < n; k += 2, w += 2 * kPanel) {
    const F one = set(x[k]), two = set(x[k + 1]);
#pragma GCC unroll 8
    for (std::size_t p = 0; p < kPanels; ++p) {
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kPanelVectors; ++v) {
        const std::uint16_t* pairs = w + p * stride + 2 * v * kLanes;
        sums[p][v] = mul_add(load_second(pairs), two, mul_add(load_first(pairs), one, sums[p][v]));
      }
    }
  }
}
// All of a block that quantize_row() wrote, of `count` inputs.
template <std::size_t kPanels>
inline void walk(const std::uint8_t* w, std::size_t stride, const std::int16_t* block, std::size_t count,
                 I (&sums)[kPanels][kPanelVectors]) {
  const std::int16_t* a = block + kernels::kQuadHeader;
  const std::int16_t* factors = a + kernels::round_up(count, kPanel) / 2;
  for (std::size_t k = 0; k < count; k += 4, w += 4 * kPanel, a += 2, factors += 2) {
    std::int32_t quad, factor;
    std::memcpy(&quad, a, sizeof quad);
    std::memcpy(&factor, factors, sizeof factor);
    const I values = set_int(quad), pair = set_int(factor);
#pragma GCC unroll 8
    for (std::size_t p = 0; p < kPanels; ++p) {
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kPanelVectors; ++v)
        sums[p][v] = quad_dot(load_quads(w + p * stride + 4 * v * kLanes), values, pair, sums[p][v]);
    }
  }
}

// The same in groups: totals += the block's sum times `scale`.
template <std::size_t kPanels>
inline void walk_groups(const std::uint8_t* w, std::size_t stride, const std::int16_t* block, std::size_t count,
                        const F (&scales)[kPanels][kPanelVectors], F (&totals)[kPanels][kPanelVectors]) {
  using kernels::kQuadGroup;
  const std::int16_t* a = block + kernels::kGroupHeader;
  F all[kPanels][kPanelVectors];
  for (std::size_t begin = 0, group = 0; begin < count; begin += kQuadGroup, ++group) {
    std::int32_t start;
    float unit;
    std::memcpy(&start, block + 2 * group, sizeof start);
    std::memcpy(&unit, block + kernels::kGroupHeader / 2 + 2 * group, sizeof unit);
    I sums[kPanels][kPanelVectors];
    for (auto& of_panel : sums) {
      for (I& sum : of_panel) sum = set_int(start);
    }
    for (std::size_t k = 0; k < std::min(kQuadGroup, count - begin); k += 4, w += 4 * kPanel, a += 2) {
      std::int32_t quad;
      std::memcpy(&quad, a, sizeof quad);
      const I values = set_int(quad);
#pragma GCC unroll 8
      for (std::size_t p = 0; p < kPanels; ++p) {
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kPanelVectors; ++v)
          sums[p][v] = group_dot(load_quads(w + p * stride + 4 * v * kLanes), values, sums[p][v]);
      }
    }
    for (std::size_t p = 0; p < kPanels; ++p) {
      for (std::size_t v = 0; v < kPanelVectors; ++v) {
        all[p][v] = mul_add(to_float(sums[p][v]), set(unit), group == 0 ? set(0) : all[p][v]);
      }
    }
  }
  for (std::size_t p = 0; p < kPanels; ++p) {
    for (std::size_t v = 0; v < kPanelVectors; ++v) totals[p][v] = mul_add(all[p][v], scales[p][v], totals[p][v]);
  }
}

// Panels [panel, panel + kPanels).
template <typename T, std::size_t kPanels>
inline void row_panels(const RowProduct& call, std::size_t panel) {
  const kernels::PackedLinear& linear = *call.linear;
  const std::size_t padded = linear.padded_in(), stride = linear.panel_items();
  const T* weights = static_cast<const T*>(linear.weights) + panel * stride;
  const float* init = call.init + panel * kPanel;
  float* y = call.y + panel * kPanel;
  F totals[kPanels][kPanelVectors];
  for (std::size_t p = 0; p < kPanels; ++p) {
    for (std::size_t v = 0; v < kPanelVectors; ++v) totals[p][v] = load(init + p * kPanel + v * kLanes);
  }
  if (sizeof(T) != 1 && call.gate == nullptr) {
    if constexpr (sizeof(T) != 1) walk(weights, stride, call.x, padded, totals);
  } else {
    for (std::size_t begin = 0; begin < linear.in; begin += kBlock) {
      const std::size_t count = std::min(kBlock, padded - begin);
      for (std::size_t e = 0; e < linear.segments; ++e) {
        const T* w = weights + (e * padded + begin) * kPanel;
        const float gate = call.gate == nullptr ? 1.0F : call.gate[e];
        if constexpr (sizeof(T) == 1) {
          const std::int16_t* block = call.quantized + begin / kBlock * kernels::kStagedStride;
          const std::size_t inputs = std::min(kBlock, linear.in - begin);
          const F factor = set(call.scale * gate);
          F scales[kPanels][kPanelVectors];
          for (std::size_t p = 0; p < kPanels; ++p) {
            const float* of_panel = linear.scales + (e * linear.num_panels() + panel + p) * kPanel;
            for (std::size_t v = 0; v < kPanelVectors; ++v) scales[p][v] = load(of_panel + v * kLanes) * factor;
          }
          if constexpr (kGroups) {
            walk_groups(w, stride, block, inputs, scales, totals);
            continue;
          }
          std::int32_t start;
          std::memcpy(&start, block, sizeof start);
          I sums[kPanels][kPanelVectors];
          for (auto& of_panel : sums) {
            for (I& sum : of_panel) sum = set_int(start);
          }
          walk(w, stride, block, inputs, sums);
          for (std::size_t p = 0; p < kPanels; ++p) {
            for (std::size_t v = 0; v < kPanelVectors; ++v)
              totals[p][v] = mul_add(to_float(sums[p][v]), scales[p][v], totals[p][v]);
          }
        } else {
          F sums[kPanels][kPanelVectors];
          for (auto& of_panel : sums) {
            for (F& sum : of_panel) sum = set(0);
          }
          walk(w, stride, call.x + begin, count, sums);
          for (std::size_t p = 0; p < kPanels; ++p) {
            for (std::size_t v = 0; v < kPanelVectors; ++v) {
              totals[p][v] = mul_add(sums[p][v], set(gate), totals[p][v]);
            }
          }
        }
      }
    }
  }
  for (std::size_t p = 0; p < kPanels; ++p) {
    for (std::size_t v = 0; v < kPanelVectors; ++v) store(y + p * kPanel + v * kLanes, totals[p][v]);
  }
  activate_rows({y, 1, 0, kPanels * kPanel}, call.activation, call.alpha);
}

template <typename T>
void multiply_row(const RowProduct& call) {
  const std::size_t panels = call.linear->num_panels();
  std::size_t panel = 0;
  if constexpr (kMaxPanels >= 4) {
    for (; panel + 4 <= panels; panel += 4) row_panels<T, 4>(call, panel);
  }
  if constexpr (kMaxPanels >= 2) {
    for (; panel + 2 <= panels; panel += 2) row_panels<T, 2>(call, panel);
  }
  for (; panel < panels; ++panel) row_panels<T, 1>(call, panel);
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#endif
