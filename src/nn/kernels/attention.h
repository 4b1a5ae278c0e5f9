// SPDX-License-Identifier: MIT
// Part of Zoetrope. Attention of all heads within one group of rows, and other loops of operations along rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "nn/kernels/kernels.h"

namespace zoe::nn::kernels {

// Queries that are processed at once.
constexpr std::size_t kQueryTile = 12;
// Keys whose relations are one word of bits. Every target's vector length divides it.
constexpr std::size_t kRelationKeys = 16;

// See graph.h for the meaning of each part. Row i of q is at q + i * q_stride; heads are side by side.
struct AttentionCall {
  const float *q = nullptr, *k = nullptr, *v = nullptr;
  float* y = nullptr;
  std::size_t q_stride = 0, k_stride = 0, v_stride = 0, y_stride = 0;
  std::size_t heads = 1, kv_heads = 1;
  std::size_t rows = 0, keys = 0, d = 0, dv = 0;
  float scale = 1;
  const float* bias = nullptr;  // [heads, rows, padded_keys()]
  const float* mask = nullptr;  // One per key, mask_stride apart.
  std::size_t mask_stride = 0;
  bool windowed = false;
  std::int64_t before = 0, after = 0, first = 0;  // Of a window.
  // Relations: [rows, keys, columns] classes; null: none.
  const std::int32_t* relations = nullptr;
  std::size_t columns = 0, classes = 0;
  // The same in parts of kRelationKeys keys: for each query and part a number of entries, then the entries: a class
  // (16 bits), and the keys of the part that have it as bits above. Queries are relation_stride() words apart.
  const std::uint32_t* entries = nullptr;
  const float *query_terms = nullptr, *key_terms = nullptr;  // [heads, classes] of each row.
  std::size_t query_terms_stride = 0, key_terms_stride = 0;
  const float* relation_values = nullptr;  // [classes] rows of [heads, dv]; null: none.
  std::size_t relation_values_stride = 0;
  float* scratch = nullptr;  // floats()
  // The same rows of the next group, to prefetch: q, k, v. Null: none.
  const float* next[3] = {};

  std::size_t padded_keys() const { return round_up(keys, kPanel); }
  std::size_t padded_dv() const { return round_up(dv, kPanel); }
  std::size_t relation_parts() const { return (keys + kRelationKeys - 1) / kRelationKeys; }
  std::size_t relation_stride() const { return relation_parts() * (1 + kRelationKeys * columns); }
  // Keys turned round and values of all heads, queries, scores and results of a tile, sums of classes, terms of keys
  // turned round.
  std::size_t floats() const {
    return kv_heads * (d * padded_keys() + keys * padded_dv()) + round_up(rows * heads * d, kPanel) +
           kQueryTile * (padded_keys() + padded_dv()) + round_up(classes, kPanel) + heads * classes * padded_keys();
  }
};

struct RowLoops {
  void (*attention)(const AttentionCall& call);
  // y = x / sqrt(mean of x^2 + epsilon) * gamma, in place.
  void (*rms_norm)(const RowsCall& rows, const float* gamma, float epsilon);
  // Sum, and sum of squared distances from `centre`, of n numbers. Reads no more.
  float (*sum)(const float* x, std::size_t n);
  float (*sum_of_squares)(const float* x, float centre, std::size_t n);
  // y = cos and sin of t * frequency, n numbers each; rounds n up to a multiple of 16.
  void (*sine_cosine)(float t, const float* frequencies, float* sines, float* cosines, std::size_t n);
  void (*maximum)(const float* x, float* y, std::size_t n);  // y = max(x, y); rounds n up as well, and the others.
  void (*exponential)(const float* x, const float* high, float* y, std::size_t n);  // y = e^(x - high)
};
const RowLoops& row_loops();

namespace fused {
void fill_rows(RowLoops& loops);
}  // namespace fused
namespace separate {
void fill_rows(RowLoops& loops);
}  // namespace separate

}  // namespace zoe::nn::kernels
