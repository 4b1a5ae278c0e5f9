// SPDX-License-Identifier: MIT
// Part of Zoetrope. Matrix times many rows: register tiles over panels of packed weights. Included once per target, by
// one file for each type of weight. A tile holds kRows x kVectors accumulators and processes one block of inputs: each
// step loads the weights of one input (or of two or four) for its columns, and multiplies them by one number of each
// staged row. Weights of bfloat16 are widened once for all rows of a call: the first
// tile keeps the floats, the others read them.

#if defined(ZOE_NN_GEMM_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_NN_GEMM_INL_H
#undef ZOE_NN_GEMM_INL_H
#else
#define ZOE_NN_GEMM_INL_H
#endif

#include <algorithm>
#include <cstring>
#include <type_traits>

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

// Inputs per step, and rows of the largest tile. AVX-512 has 32 registers, others 16. Integers need two more of them.
template <typename T>
constexpr std::size_t kInputs = sizeof(T) == 4   ? 1
                                : sizeof(T) == 2 ? 2
                                                 : 4;
template <typename T>
constexpr std::size_t kMaxRows = kLanes == 16     ? 12
                                 : sizeof(T) == 1 ? 4
                                                  : 6;

// function(std::integral_constant of rows, first row) for tiles of at most kMost rows, from `row` on.
template <std::size_t kMost, typename Function>
inline void for_tiles(std::size_t row, std::size_t num_rows, const Function& function) {
  for (; row + kMost <= num_rows; row += kMost) function(std::integral_constant<std::size_t, kMost>(), row);
  if constexpr (kMost > 1) {
    if (row < num_rows) for_tiles<(kMost > 8 ? 8 : kMost > 4 ? 4 : kMost / 2)>(row, num_rows, function);
  }
}

// Weights that a tile prefetches into the second cache: `step` bytes further with each of its steps.
struct Ahead {
  const char* at;
  std::size_t step;
  void fetch() {
    __builtin_prefetch(at, 0, 2);
    at += step;
  }
};

// Rows of a matrix in memory.
template <typename T>
struct Rows {
  T* data;
  std::size_t stride;
  Rows at(std::size_t row, std::size_t column) const { return {data + row * stride + column, stride}; }
};

// Operands of a tile: y = start + x · w, or y = base + factor (start + x · w).
struct Tile {
  const float* x;
  std::size_t num_in;
  Rows<const float> start;  // Null: zero.
  Rows<float> y;
  const float* factors;  // Null: 1, without a base.
  Rows<const float> base;
};

// step(k, count, multiply_add): calls multiply_add(input, weights of all columns) for the inputs k to k + count: kStep,
// or a single last one.
template <std::size_t kRows, std::size_t kStep, typename Step>
inline void tile_floats(const Tile& t, Ahead ahead, const Step& step) {
  F acc[kRows][kVectors];
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v)
      acc[r][v] = t.start.data == nullptr ? set(0) : load(t.start.at(r, v * kLanes).data);
  }
  const float* x = t.x;
  const auto multiply_add = [&](std::size_t input, const F(&weights)[kVectors]) {
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) {
      const F value = set(x[r * kStagedStride + input]);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) acc[r][v] = mul_add(weights[v], value, acc[r][v]);
    }
  };
  std::size_t k = 0;
  for (; k + kStep <= t.num_in; k += kStep, x += kStep) {
    ahead.fetch();
    step(k, std::integral_constant<std::size_t, kStep>(), multiply_add);
  }
  if (kStep > 1 && k < t.num_in) step(k, std::integral_constant<std::size_t, 1>(), multiply_add);
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      F value = acc[r][v];
      if (t.factors != nullptr) value = mul_add(value, set(t.factors[r]), load(t.base.at(r, v * kLanes).data));
      store(t.y.at(r, v * kLanes).data, value);
    }
  }
}

// Inputs are kPanel weights apart. kKeep: also writes the weights as floats to `kept`, kPanel apart. Two inputs at
// once: with 16 registers a tile is small, and what a loop costs beside its products counts.
template <std::size_t kRows, bool kKeep = false>
inline void tile(const Tile& t, const float* w, float* /*kept*/, Ahead ahead) {
  constexpr std::size_t kStep = kLanes == 16 ? 1 : 2;
  ahead.step *= kStep;
  tile_floats<kRows, kStep>(t, ahead, [&](std::size_t k, auto count, const auto& multiply_add) {
    F weights[kVectors];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) weights[v] = load(w + k * kPanel + v * kLanes);
    multiply_add(0, weights);
    if constexpr (count() > 1) {
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) weights[v] = load(w + (k + 1) * kPanel + v * kLanes);
      multiply_add(1, weights);
    }
  });
}
template <std::size_t kRows, bool kKeep = false>
inline void tile(const Tile& t, const std::uint16_t* w, float* kept, Ahead ahead) {
  // The second half loads the same pairs again, instead of keeping them in registers that are needed.
  const std::uint16_t* again = w;
  asm("" : "+r"(again));
  // A last single input has a zero beside it.
  tile_floats<kRows, 2>(t, ahead, [&](std::size_t k, auto /*count*/, const auto& multiply_add) {
    F weights[kVectors];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      weights[v] = load_first(w + k * kPanel + 2 * v * kLanes);
      if (kKeep) store(kept + k * kPanel + v * kLanes, weights[v]);
    }
    multiply_add(0, weights);
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      weights[v] = load_second(again + k * kPanel + 2 * v * kLanes);
      if (kKeep) store(kept + (k + 1) * kPanel + v * kLanes, weights[v]);
    }
    multiply_add(1, weights);
  });
}

// The same with rows and weights as integers: see kernels.h. Factors include the scale of a row's unit.
template <std::size_t kRows>
inline void tile_integers(const Tile& t, const std::int16_t* x, const std::uint8_t* w, const float* scales,
                          Ahead ahead) {
  I acc[kRows][kVectors];
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
    std::int32_t start;
    std::memcpy(&start, x + r * kStagedStride, sizeof start);
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) acc[r][v] = set_int(start);
  }
  const std::int16_t* a = x + kernels::kQuadHeader;
  const std::int16_t* pairs = a + kernels::round_up(t.num_in, kPanel) / 2;
  const auto step = [&](std::size_t quad_index) {
    I weights[kVectors];
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) weights[v] = load_quads(w + 4 * (quad_index * kPanel + v * kLanes));
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t quad, pair;
      std::memcpy(&quad, a + r * kStagedStride + 2 * quad_index, sizeof quad);
      std::memcpy(&pair, pairs + r * kStagedStride + 2 * quad_index, sizeof pair);
      const I values = set_int(quad), factor = set_int(pair);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) acc[r][v] = quad_dot(weights[v], values, factor, acc[r][v]);
    }
  };
  // Two steps at once: loops of 16 registers are limited by the number of instructions.
  std::size_t k = 0;
  ahead.step *= 2;
  for (; k + 8 <= t.num_in; k += 8, w += 8 * kPanel, a += 4, pairs += 4) {
    ahead.fetch();
    step(0);
    step(1);
  }
  for (; k < t.num_in; k += 4, w += 4 * kPanel, a += 2, pairs += 2) step(0);
#pragma GCC unroll 12
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kVectors; ++v) {
      const F scale = load(scales + v * kLanes) * set(t.factors[r]);
      store(t.y.at(r, v * kLanes).data, mul_add(to_float(acc[r][v]), scale, load(t.base.at(r, v * kLanes).data)));
    }
  }
}

// The same with units for groups of inputs.
template <std::size_t kRows>
inline void tile_groups(const Tile& t, const std::int16_t* x, const std::uint8_t* w, const float* scales, Ahead ahead) {
  using kernels::kGroupHeader;
  using kernels::kQuadGroup;
  alignas(64) float totals[kRows * kColumns];  // The sums of a group leave no registers for them.
  const std::int16_t* a = x + kGroupHeader;
  ahead.step *= 2;
  for (std::size_t begin = 0, group = 0; begin < t.num_in; begin += kQuadGroup, ++group) {
    const std::size_t quads = (std::min(kQuadGroup, t.num_in - begin) + 3) / 4;
    I acc[kRows][kVectors];
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t start;
      std::memcpy(&start, x + r * kStagedStride + 2 * group, sizeof start);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) acc[r][v] = set_int(start);
    }
    const auto step = [&](std::size_t quad_index) {
      I weights[kVectors];
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) weights[v] = load_quads(w + 4 * (quad_index * kPanel + v * kLanes));
#pragma GCC unroll 12
      for (std::size_t r = 0; r < kRows; ++r) {
        std::int32_t quad;
        std::memcpy(&quad, a + r * kStagedStride + 2 * quad_index, sizeof quad);
        const I values = set_int(quad);
#pragma GCC unroll 2
        for (std::size_t v = 0; v < kVectors; ++v) acc[r][v] = group_dot(weights[v], values, acc[r][v]);
      }
    };
    std::size_t k = 0;
    for (; k + 2 <= quads; k += 2, w += 8 * kPanel, a += 4) {
      ahead.fetch();
      step(0);
      step(1);
    }
    if (k < quads) step(0);
    const bool last = begin + kQuadGroup >= t.num_in;
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) {
      float unit;
      std::memcpy(&unit, x + r * kStagedStride + kGroupHeader / 2 + 2 * group, sizeof unit);
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kVectors; ++v) {
        float* total = totals + r * kColumns + v * kLanes;
        const F all = mul_add(to_float(acc[r][v]), set(unit), group == 0 ? set(0) : load(total));
        if (!last) {
          store(total, all);
          continue;
        }
        const F scale = load(scales + v * kLanes) * set(t.factors[r]);
        store(t.y.at(r, v * kLanes).data, mul_add(all, scale, load(t.base.at(r, v * kLanes).data)));
      }
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

  // Each tile prefetches its part of the next panel, some bytes with each input.
  Ahead ahead(std::size_t row, std::size_t rows, std::size_t column) const {
    const std::size_t bytes = call.num_in * kColumns * sizeof(T);  // By the tiles of all rows.
    return {reinterpret_cast<const char*>(next) + column * call.num_in * sizeof(T) + bytes * row / call.num_rows,
            kColumns * sizeof(T) * rows / call.num_rows};
  }
  Rows<float> y(std::size_t row, std::size_t column) const {
    return Rows<float>{call.y, call.y_stride}.at(row, index * kPanel + column);
  }
  Rows<const float> init(std::size_t row, std::size_t column) const {
    return Rows<const float>{call.init, call.init_stride}.at(row, index * kPanel + column);
  }
  template <std::size_t kRows>
  void activate(std::size_t row, std::size_t column) const {
    if (call.activation == Activation::kNone) return;
    activate_rows({y(row, column).data, kRows, call.y_stride, kColumns}, call.activation, call.alpha);
  }
};

// kept: [kBlock, kPanel] floats, where bfloat16 weights are widened once for all rows. Null: each tile widens them.
template <typename T>
void multiply_panel(const Panel<T>& panel, float* kept) {
  const GemmCall& call = panel.call;
  for_tiles<kMaxRows<T>>(0, call.num_rows, [&](auto rows, std::size_t row) {
    for (std::size_t column = 0; column < kPanel; column += kColumns) {
      const bool scaled = call.factors != nullptr;
      const Tile t{.x = call.staged + row * kStagedStride,
                   .num_in = call.num_in,
                   .start = scaled ? Rows<const float>{nullptr, 0} : panel.init(row, column),
                   .y = panel.y(row, column),
                   .factors = scaled ? call.factors + row : nullptr,
                   .base = panel.init(row, column)};
      const T* w = panel.weights + column * kInputs<T>;
      const Ahead each = panel.ahead(row, rows(), column), ahead{each.at, each.step * kInputs<T>};
      if constexpr (sizeof(T) == 1) {
        const float* scales =
            call.linear->scales + (call.segment * call.linear->num_panels() + panel.index) * kPanel + column;
        if constexpr (kGroups) {
          tile_groups<rows()>(t, call.quantized + row * kStagedStride, w, scales, ahead);
        } else {
          tile_integers<rows()>(t, call.quantized + row * kStagedStride, w, scales, ahead);
        }
      } else if (kept == nullptr) {
        tile<rows()>(t, w, nullptr, ahead);
      } else if (row == 0) {
        tile<rows(), true>(t, w, kept + column, ahead);
      } else {
        tile<rows()>(t, kept + column, nullptr, each);
      }
      panel.template activate<rows()>(row, column);
    }
  });
}

template <typename T>
void gemm(const GemmCall& call) {
  const kernels::PackedLinear& linear = *call.linear;
  const T* w = static_cast<const T*>(linear.at(call.segment, call.first_in));
  alignas(64) float kept[sizeof(T) == 2 ? kernels::kBlock * kPanel : 1];
  const bool keeps = sizeof(T) == 2 && call.num_rows > kMaxRows<T>;
  for (std::size_t i = 0; i < linear.num_panels(); ++i, w += linear.panel_items()) {
    const bool last = i + 1 == linear.num_panels();
    const T* next = !last ? w + linear.panel_items() : call.next != nullptr ? static_cast<const T*>(call.next) : w;
    multiply_panel<T>({call, i, w, next}, keeps ? kept : nullptr);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#endif
