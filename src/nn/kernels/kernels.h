// SPDX-License-Identifier: MIT
// Part of Zoetrope. Run-time dispatched inner loops of the executor. Rows are floats, `stride` floats apart. A row has
// space for round_up(width, kPanel) numbers, of which those beyond the width may be overwritten. The executor checks
// this.
#pragma once

#include <cstddef>
#include <cstdint>

#include "zoe/nn/graph.h"

namespace zoe::nn::kernels {

// Outputs are computed in panels of this number of columns. Every target's vector length divides it.
constexpr std::size_t kPanel = 32;
// A tile processes at most this number of inputs before it adds up, so that its rows stay in the first caches.
constexpr std::size_t kBlock = 512;
// Distance of staged rows: a constant, so that a tile needs one pointer; not a power of two, so that rows do not
// collide.
constexpr std::size_t kStagedStride = kBlock + 16;
// Most rows of one matrix product.
constexpr std::size_t kMaxGemmRows = 192;

constexpr std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

// Rows for int8 weights. Numbers are x = unit * factor * a: a has 8 bits, and two neighbours share a factor of 1 to
// 128, so that their error is 1/254 of their sum at most, whatever the rest of the row is. Each block of inputs is
//   a header of kQuadHeader 16-bit words: -kWeightOffset * (sum of factor * a), 32 bits, then nothing;
//   a, 8 bits each, zero up to whole panels;
//   the factors, 16 bits for each pair of inputs.
// Two neighbours have |a| + |a'| <= 128, and weights are 1 to 255, so a pair's sum of products never exceeds 16 bits,
// and the sum over a block never exceeds 32: integers are exact, in any order, on every instruction set.
constexpr std::size_t kQuadHeader = 16;
constexpr int kWeightOffset = 128;
// Where an instruction adds four products of bytes to 32 bits (VNNI), the fast arithmetic has no factors: kQuadGroup
// inputs share a unit, x = unit * a, with |a| <= 127. That is half the instructions. Each block of inputs is then
//   a header of kGroupHeader 16-bit words: for each group -kWeightOffset * (sum of a), 32 bits, then its unit, a float;
//   a, 8 bits each, zero up to whole panels.
// Sums of a group are exact. They are added as floats, in the order of groups.
constexpr std::size_t kQuadGroup = 64;
constexpr std::size_t kMaxGroups = kBlock / kQuadGroup;
constexpr std::size_t kGroupHeader = 4 * kMaxGroups;

// Weights of a linear layer with `segments` experts, as pack.h lays them out: panel by panel, expert by expert, then
// kPanel columns of one input (float32), of pairs of inputs (bfloat16), or of four inputs (int8, + kWeightOffset).
struct PackedLinear {
  WeightType type = WeightType::kF32;
  std::size_t in = 0, out = 0, segments = 1;
  const void* weights = nullptr;
  const float* scales = nullptr;  // kI8: [segments, panels * kPanel].
  const float* bias = nullptr;    // [segments, panels * kPanel]; zeros where the graph has none.

  std::size_t num_panels() const { return (out + kPanel - 1) / kPanel; }
  // Neighbouring inputs of a column.
  std::size_t interleaved() const { return type == WeightType::kF32 ? 1 : type == WeightType::kBF16 ? 2 : 4; }
  std::size_t padded_in() const { return round_up(in, interleaved()); }
  std::size_t panel_items() const { return segments * padded_in() * kPanel; }
  // Weights of the first panel for an input of a segment.
  const void* at(std::size_t segment, std::size_t input) const {
    const std::size_t item = type == WeightType::kF32 ? 4 : type == WeightType::kBF16 ? 2 : 1;
    return static_cast<const std::byte*>(weights) + (segment * padded_in() + input) * kPanel * item;
  }
};

// One row: y[0 .. padded out) = activation(init + sum_e gate[e] (w_e·x)). gate null: one segment, weight 1.
struct RowProduct {
  const PackedLinear* linear = nullptr;
  const float* x = nullptr;                 // [padded in], zero beyond the inputs. Not for kI8.
  const std::int16_t* quantized = nullptr;  // kI8: by quantize_row(), blocks kStagedStride apart.
  float scale = 1;                          // kI8: of a unit.
  const float* gate = nullptr;
  const float* init = nullptr;  // y itself, or biases.
  float* y = nullptr;
  Activation activation = Activation::kNone;
  float alpha = 0;
};
// Floats of a padded row, and of the same row as integers with the headers of its blocks.
constexpr std::size_t row_scratch(std::size_t in) {
  return round_up(in, kPanel) + (in + kBlock - 1) / kBlock * kStagedStride / 2;
}

// Some rows and one block of inputs of one segment: y = init + factor (staged · w), all panels.
struct GemmCall {
  const PackedLinear* linear = nullptr;
  std::size_t segment = 0;
  std::size_t first_in = 0, num_in = 0;     // num_in <= kBlock; first_in a multiple of it.
  const float* staged = nullptr;            // [num_rows, kStagedStride], zero up to the next even column.
  const std::int16_t* quantized = nullptr;  // kI8: instead, by quantize_row().
  const float* factors = nullptr;           // One per row; null, not for kI8: 1.
  std::size_t num_rows = 0;                 // <= kMaxGemmRows.
  const float* init = nullptr;              // y itself, or a row of biases (init_stride 0).
  std::size_t init_stride = 0;
  float* y = nullptr;
  std::size_t y_stride = 0;
  Activation activation = Activation::kNone;  // Applied after this block; kNone for all but the last.
  float alpha = 0;
  const void* next = nullptr;  // Weights of the next call, prefetched at the end of this one.
};

// In place on rows of `width` numbers.
struct RowsCall {
  float* y = nullptr;
  std::size_t num_rows = 0, width = 0, stride = 0;
};

// All loops. There are two tables: see table().
struct Table {
  void (*row_f32)(const RowProduct& call);
  void (*row_bf16)(const RowProduct& call);
  void (*row_i8)(const RowProduct& call);
  void (*gemm_f32)(const GemmCall& call);
  void (*gemm_bf16)(const GemmCall& call);
  void (*gemm_i8)(const GemmCall& call);
  // A row as integers (see kQuadHeader), block by block, `block_stride` apart; returns the value of one unit. int8
  // weights multiply it at twice the rate of floats.
  float (*quantize_row)(const float* x, std::size_t n, std::int16_t* to, std::size_t block_stride);
  bool (*quantizes_groups)();  // See kQuadGroup.

  void (*activate)(const RowsCall& rows, Activation activation, float alpha);
  void (*softmax)(const RowsCall& rows, std::size_t group);
  void (*layer_norm)(const RowsCall& rows, const float* gamma, const float* beta, float epsilon);

  // y = op(a, b[, c]) over n numbers. The kernel may round n up to a multiple of 16.
  void (*add)(const float* a, const float* b, float* y, std::size_t n);
  void (*subtract)(const float* a, const float* b, float* y, std::size_t n);
  void (*multiply)(const float* a, const float* b, float* y, std::size_t n);
  void (*divide)(const float* a, const float* b, float* y, std::size_t n);
  void (*atan2)(const float* a, const float* b, float* y, std::size_t n);  // Angle of (b, a), radians.
  void (*multiply_add)(const float* a, const float* b, const float* c, float* y, std::size_t n);  // a * b + c
  void (*scale)(const float* x, float s, float* y, std::size_t n);                                // y = s * x
  void (*scale_add)(const float* x, float s, float* y, std::size_t n);                            // y += s * x
  float (*dot)(const float* a, const float* b, std::size_t n);                                    // Exactly n.
  // y = sum of weights[r] * row r, over `count` consecutive rows of n numbers. n is a multiple of 16.
  void (*blend)(const float* rows, const float* weights, std::size_t count, float* y, std::size_t n);

  // h' from the two products of a GRU cell, [3, hidden] each in rows of `stride`; and of an LSTM cell, [4, hidden].
  void (*gru_gates)(const float* from_x, const float* from_h, const float* h, float* new_h, std::size_t hidden);
  void (*lstm_gates)(const float* from_x, const float* from_h, const float* c, float* new_h, float* new_c,
                     std::size_t hidden);
};
// The loops of zoe::arithmetic(). Fast ones multiply and add with one rounding where the machine has such an
// instruction. Deterministic ones always have two roundings, so every instruction set gives the same bits.
const Table& table();

// One part of a table each, in both arithmetics.
namespace fused {
void fill_f32(Table& table);
void fill_bf16(Table& table);
void fill_i8(Table& table);
void fill_elementwise(Table& table);
}  // namespace fused
namespace separate {
void fill_f32(Table& table);
void fill_bf16(Table& table);
void fill_i8(Table& table);
void fill_elementwise(Table& table);
}  // namespace separate

// Name of the instruction set in use, e.g. "AVX3".
const char* instruction_set();

}  // namespace zoe::nn::kernels
