// SPDX-License-Identifier: MIT
// Part of Zoetrope. Matrix times many rows: register tiles over panels of packed weights. Included once per target, by
// one file for each type of weight. A tile holds kRows x kVectors accumulators and processes one block of inputs: each
// step loads the weights of one input (or a pair) for its columns, and multiplies them by one number of each staged
// row.

#if defined(ZOE_NN_GEMM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_NN_GEMM_INL_H
#undef ZOE_NN_GEMM_INL_H
#else
#define ZOE_NN_GEMM_INL_H
#endif

#include <cstring>

#include "nn/kernels/activation_inl.h"
#include "nn/kernels/kernels.h"
#include "nn/kernels/vector_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

using kernels::GemmCall;
using kernels::kPanel;
using kernels::kStagedStride;

constexpr std::size_t kVectors = 2;                  // Registers of columns in a tile.
constexpr std::size_t kColumns = kVectors * kLanes;  // Divides kPanel.
// AVX-512 has 32 registers, others 16.
constexpr std::size_t kMaxRows = kLanes == 16 ? 12 : 6;

template <typename T>
struct Weights;
template <>
struct Weights<float> {
  static constexpr std::size_t kInputs = 1;  // Inputs per step.
};
template <>
struct Weights<std::uint16_t> {
  static constexpr std::size_t kInputs = 2;
};
template <>
struct Weights<std::int8_t> {
  static constexpr std::size_t kInputs = 2;
};

// Weights that a tile prefetches into the second cache: `step` bytes further with each of its steps.
struct Ahead {
  const char* at;
  std::size_t step;
  void fetch() {
    __builtin_prefetch(at, 0, 2);
    at += step;
  }
};

template <typename T, std::size_t kRows>
inline void tile(const float* x, const float* factors, const T* w, std::size_t num_in, const float* init,
                 std::size_t init_stride, float* y, std::size_t y_stride, Ahead ahead) {
  // Scaled products start from zero.
  const bool scaled = factors != nullptr;
  F acc[kRows][kVectors];
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      acc[r][v] = scaled ? set(0) : load(init + r * init_stride + v * kLanes);
    }
  }
  if constexpr (Weights<T>::kInputs == 1) {
    for (std::size_t k = 0; k < num_in; ++k, w += kPanel) {
      F weights[kVectors];
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) weights[v] = load(w + v * kLanes);
      ahead.fetch();
#pragma GCC unroll 12
      for (std::size_t r = 0; r < kRows; ++r) {
        const F value = set(x[r * kStagedStride + k]);
#pragma GCC unroll 2
        for (std::size_t v = 0; v < kVectors; ++v) acc[r][v] = mul_add(weights[v], value, acc[r][v]);
      }
    }
  } else {
    for (std::size_t k = 0; k < num_in; k += 2, w += 2 * kPanel) {
      F first[kVectors], second[kVectors];
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) load_pairs(w + 2 * v * kLanes, first[v], second[v]);
      ahead.fetch();
#pragma GCC unroll 12
      for (std::size_t r = 0; r < kRows; ++r) {
        const F one = set(x[r * kStagedStride + k]), two = set(x[r * kStagedStride + k + 1]);
#pragma GCC unroll 2
        for (std::size_t v = 0; v < kVectors; ++v) {
          acc[r][v] = mul_add(second[v], two, mul_add(first[v], one, acc[r][v]));
        }
      }
    }
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      F value = acc[r][v];
      if (scaled) {
        value = mul_add(value, set(factors[r]), load(init + r * init_stride + v * kLanes));
      }
      store(y + r * y_stride + v * kLanes, value);
    }
  }
}

// The same with rows and weights as integers. Factors include the scale of a row's unit.
template <std::size_t kRows>
inline void tile_integers(const std::int16_t* x, const float* factors, const std::int8_t* w, std::size_t num_in,
                          const float* scales, const float* init, std::size_t init_stride, float* y,
                          std::size_t y_stride, Ahead ahead) {
  I acc[kRows][kVectors];
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) acc[r][v] = set_int(0);
  }
  for (std::size_t k = 0; k < num_in; k += 2, w += 2 * kPanel) {
    I weights[kVectors];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) weights[v] = load_pairs_16(w + 2 * v * kLanes);
    ahead.fetch();
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t pair;
      std::memcpy(&pair, x + r * kStagedStride + k, sizeof pair);
      const I value = set_int(pair);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) acc[r][v] = pair_dot(weights[v], value, acc[r][v]);
    }
  }
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      const F scale = load(scales + v * kLanes) * set(factors[r]);
      store(y + r * y_stride + v * kLanes,
            mul_add(to_float(acc[r][v]), scale, load(init + r * init_stride + v * kLanes)));
    }
  }
}

// One panel of one block of inputs.
template <typename T>
struct Panel {
  const GemmCall& call;
  std::size_t index;
  const T* weights;
  const T* next;  // The panel after it.
  std::size_t bytes() const { return call.num_in * kPanel * sizeof(T); }
};

// Rows [row, row + kRows). Each tile prefetches its part of the next panel.
template <typename T, std::size_t kRows>
void tile_panel(const Panel<T>& panel, std::size_t row) {
  const GemmCall& call = panel.call;
  const float* scales = call.linear->scales;
  if (scales != nullptr) scales += (call.segment * call.linear->num_panels() + panel.index) * kPanel;
  constexpr std::size_t kTiles = kPanel / kColumns;
  const std::size_t share = panel.bytes() * kRows / call.num_rows / kTiles;
  Ahead ahead{reinterpret_cast<const char*>(panel.next) + panel.bytes() * row / call.num_rows,
              share * Weights<T>::kInputs / call.num_in};
  for (std::size_t column = 0; column < kPanel; column += kColumns, ahead.at += share) {
    const float* init = call.init + row * call.init_stride + panel.index * kPanel + column;
    float* y = call.y + row * call.y_stride + panel.index * kPanel + column;
    const float* factors = call.factors == nullptr ? nullptr : call.factors + row;
    if constexpr (sizeof(T) == 1) {
      tile_integers<kRows>(call.quantized + row * kStagedStride, factors, panel.weights + column * 2, call.num_in,
                           scales + column, init, call.init_stride, y, call.y_stride, ahead);
    } else {
      tile<T, kRows>(call.staged + row * kStagedStride, factors, panel.weights + column * Weights<T>::kInputs,
                     call.num_in, init, call.init_stride, y, call.y_stride, ahead);
    }
  }
  if (call.activation == Activation::kNone) return;
  for (std::size_t r = row; r < row + kRows; ++r) {
    activate_row(call.y + r * call.y_stride + panel.index * kPanel, kPanel, call.activation, call.alpha);
  }
}

template <typename T>
void gemm(const GemmCall& call) {
  const kernels::PackedLinear& linear = *call.linear;
  const T* w = static_cast<const T*>(linear.at(call.segment, call.first_in));
  for (std::size_t i = 0; i < linear.num_panels(); ++i, w += linear.panel_items()) {
    const bool last = i + 1 == linear.num_panels();
    const T* next = !last ? w + linear.panel_items() : call.next != nullptr ? static_cast<const T*>(call.next) : w;
    const Panel<T> panel{call, i, w, next};
    std::size_t row = 0;
    const auto left = [&] { return call.num_rows - row; };
    if constexpr (kMaxRows == 12) {
      for (; left() >= 12; row += 12) tile_panel<T, 12>(panel, row);
      if (left() >= 8) tile_panel<T, 8>(panel, row), row += 8;
    } else {
      for (; left() >= 6; row += 6) tile_panel<T, 6>(panel, row);
    }
    if (left() >= 4) tile_panel<T, 4>(panel, row), row += 4;
    if (left() >= 2) tile_panel<T, 2>(panel, row), row += 2;
    if (left() >= 1) tile_panel<T, 1>(panel, row);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#endif
