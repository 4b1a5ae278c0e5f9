// SPDX-License-Identifier: MIT
#include "nn/kernels/attention.h"

#include "zoe/core/arithmetic.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/kernels/attention.cpp"
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/simd_foreach_target.h"
#include "core/simd_sine_inl.h"
#include "nn/kernels/vector_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

using kernels::AttentionCall;
using kernels::kQueryTile;
using kernels::kRelationKeys;
using kernels::RowsCall;

constexpr float kExcluded = 1e30F;  // Absorbs every score.
// AVX-512 has 32 registers, others 16.
constexpr std::size_t kTileRows = kLanes == 16 ? 12 : 6;

// y[r][0 .. columns) = factors[r] * sum_i x[r][i] * w[i][..], the products of an output in the order of i. factors
// null: 1. columns: a multiple of 2 vectors.
template <std::size_t kRows>
inline void multiply_tile(const float* x, std::size_t x_stride, const float* w, std::size_t w_stride,
                          std::size_t num_in, float* y, std::size_t y_stride, std::size_t columns,
                          const float* factors) {
  for (std::size_t column = 0; column < columns; column += 2 * kLanes) {
    F acc[kRows][2];
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) acc[r][0] = acc[r][1] = set(0);
    const float* at = w + column;
    for (std::size_t i = 0; i < num_in; ++i, at += w_stride) {
      const F first = load(at), second = load(at + kLanes);
#pragma GCC unroll 12
      for (std::size_t r = 0; r < kRows; ++r) {
        const F value = set(x[r * x_stride + i]);
        acc[r][0] = mul_add(first, value, acc[r][0]);
        acc[r][1] = mul_add(second, value, acc[r][1]);
      }
    }
#pragma GCC unroll 12
    for (std::size_t r = 0; r < kRows; ++r) {
      if (factors != nullptr) {
        const F factor = set(factors[r]);
        acc[r][0] = acc[r][0] * factor, acc[r][1] = acc[r][1] * factor;
      }
      store(y + r * y_stride + column, acc[r][0]);
      store(y + r * y_stride + column + kLanes, acc[r][1]);
    }
  }
}
inline void multiply_rows(const float* x, std::size_t x_stride, const float* w, std::size_t w_stride,
                          std::size_t num_in, float* y, std::size_t y_stride, std::size_t columns, std::size_t rows,
                          const float* factors = nullptr) {
  std::size_t r = 0;
  const auto tile = [&](auto count) {
    multiply_tile<count.value>(x + r * x_stride, x_stride, w, w_stride, num_in, y + r * y_stride, y_stride, columns,
                               factors == nullptr ? nullptr : factors + r);
    r += count.value;
  };
  while (rows - r >= kTileRows) tile(std::integral_constant<std::size_t, kTileRows>());
  if constexpr (kTileRows == 12) {
    if (rows - r >= 8) tile(std::integral_constant<std::size_t, 8>());
  }
  if (rows - r >= 4) tile(std::integral_constant<std::size_t, 4>());
  if (rows - r >= 2) tile(std::integral_constant<std::size_t, 2>());
  if (rows - r >= 1) tile(std::integral_constant<std::size_t, 1>());
}

// What is added to the scores of query i. terms: of keys, turned round.
inline void adjust_scores(const AttentionCall& c, std::size_t head, std::size_t i, const float* terms, float* scores) {
  const std::size_t padded = c.padded_keys();
  if (c.entries != nullptr) {
    const float* of_query = c.query_terms + i * c.query_terms_stride + head * c.classes;
    const float* of_keys = terms + head * c.classes * padded;
    const std::uint32_t* entry = c.entries + i * c.relation_stride();
    const F scale = set(c.scale);
    // A key's terms are added in the order of its columns, whatever classes the other keys have.
    for (std::size_t part = 0; part < c.relation_parts(); ++part, of_keys += kRelationKeys, scores += kRelationKeys) {
      constexpr std::size_t kVectors = kRelationKeys / kLanes;
      F sums[kVectors];
      for (F& sum : sums) sum = set(0);
      for (const std::uint32_t* end = entry + 1 + *entry; ++entry != end;) {
        const std::size_t of = *entry & 0xffffU;
        const F query = set(of_query[of]);
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v)
          sums[v] = add_where(sums[v], *entry >> (16 + v * kLanes), query + load(of_keys + of * padded + v * kLanes));
      }
      for (std::size_t v = 0; v < kVectors; ++v)
        store(scores + v * kLanes, mul_add(scale, sums[v], load(scores + v * kLanes)));
    }
    scores -= c.relation_parts() * kRelationKeys;
  }
  if (c.bias != nullptr) {
    const float* bias = c.bias + (head * c.rows + i) * padded;
    for (std::size_t j = 0; j < padded; j += kLanes) store(scores + j, load(scores + j) + load(bias + j));
  }
  if (c.windowed) {
    const auto at = static_cast<std::int64_t>(i), keys = static_cast<std::int64_t>(c.keys);
    const std::int64_t low = std::clamp<std::int64_t>(at - c.before, c.first, std::max(c.first, keys)),
                       high = std::max(low, at + c.after + 1);
    for (std::int64_t j = c.first; j < std::min(low, keys); ++j) scores[j] -= kExcluded;
    for (std::int64_t j = std::max(high, c.first); j < keys; ++j) scores[j] -= kExcluded;
  }
  if (c.mask != nullptr) {
    for (std::size_t j = 0; j < c.keys; ++j) {
      if (!(c.mask[j * c.mask_stride] > 0)) scores[j] -= kExcluded;
    }
  }
}

// Scores become weights whose sum is not 1: returns its inverse. last: what is added to the last kPanel scores, so
// that those beyond the keys do not count.
inline float exponential_scores(float* scores, std::size_t padded, const float* last) {
  const std::size_t whole = padded - kernels::kPanel;
  F most = load(scores + whole) + load(last);
  store(scores + whole, most);
#pragma GCC unroll 8
  for (std::size_t j = kLanes; j < kernels::kPanel; j += kLanes) {
    const F score = load(scores + whole + j) + load(last + j);
    store(scores + whole + j, score);
    most = maximum(most, score);
  }
  for (std::size_t j = 0; j < whole; j += kLanes) most = maximum(most, load(scores + j));
  const F high = set(max_of_lanes(most));
  WideSum sum;
  // Those beyond the keys are about 1e-38 each: they do not change a sum of at least 1.
  sum.over(padded, [&](F part, std::size_t j) {
    const F weight = exponential(load(scores + j) - high);
    store(scores + j, weight);
    return part + weight;
  });
  return 1 / sum.total();
}

// turned[e * padded + j] = scale * rows[j * stride + e] for e below `width` and all keys j, in squares of 4.
inline void turn_rows(const AttentionCall& c, const float* rows, std::size_t stride, std::size_t width, float factor,
                      float* turned) {
  typedef float Four __attribute__((vector_size(16)));
  const std::size_t padded = c.padded_keys(), whole = c.keys / 4 * 4, square = width / 4 * 4;
  const Four scale = {factor, factor, factor, factor};
  for (std::size_t j = 0; j < whole; j += 4) {
    const float* k = rows + j * stride;
    for (std::size_t e = 0; e < square; e += 4) {
      Four r[4];
      for (std::size_t i = 0; i < 4; ++i) {
        std::memcpy(&r[i], k + i * stride + e, sizeof(Four));
        r[i] *= scale;
      }
      const Four low = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5),
                 high = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7),
                 low2 = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5),
                 high2 = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
      const Four out[4] = {
          __builtin_shufflevector(low, low2, 0, 1, 4, 5), __builtin_shufflevector(low, low2, 2, 3, 6, 7),
          __builtin_shufflevector(high, high2, 0, 1, 4, 5), __builtin_shufflevector(high, high2, 2, 3, 6, 7)};
      for (std::size_t i = 0; i < 4; ++i) std::memcpy(turned + (e + i) * padded + j, &out[i], sizeof(Four));
    }
    for (std::size_t e = square; e < width; ++e) {
      for (std::size_t i = 0; i < 4; ++i) turned[e * padded + j + i] = k[i * stride + e] * factor;
    }
  }
  for (std::size_t e = 0; e < width; ++e) {
    for (std::size_t j = whole; j < padded; ++j)
      turned[e * padded + j] = j < c.keys ? rows[j * stride + e] * factor : 0;
  }
}

// Rows of n numbers, `from_stride` apart, to rows of `width` that end in zeros.
inline void copy_rows(const float* from, std::size_t from_stride, std::size_t rows, std::size_t n, float* to,
                      std::size_t width) {
  for (std::size_t r = 0; r < rows; ++r, from += from_stride, to += width) {
    if (n % kLanes == 0) {
      for (std::size_t i = 0; i < n; i += kLanes) store(to + i, load(from + i));
    } else {
      std::memcpy(to, from, n * sizeof(float));
    }
    if (n < width) std::fill(to + n, to + width, 0.0F);
  }
}

inline void add_relation_values(const AttentionCall& c, std::size_t head, std::size_t i, const float* weights,
                                float* sums, float* out) {
  std::fill(sums, sums + c.classes, 0.0F);
  const std::int32_t* classes = c.relations + i * c.keys * c.columns;
  for (std::size_t j = 0; j < c.keys; ++j) {
    for (std::size_t k = 0; k < c.columns; ++k, ++classes) sums[*classes] += weights[j];
  }
  for (std::size_t r = 0; r < c.classes; ++r) {
    const float* row = c.relation_values + r * c.relation_values_stride + head * c.dv;
    for (std::size_t e = 0; e < c.dv; ++e) out[e] += sums[r] * row[e];
  }
}

// Parts [begin, end) of `parts` of the next group's rows, into the second cache.
inline void prefetch_rows(const AttentionCall& c, std::size_t begin, std::size_t end, std::size_t parts) {
  const std::size_t strides[] = {c.q_stride, c.k_stride, c.v_stride}, rows[] = {c.rows, c.keys, c.keys},
                    widths[] = {c.heads * c.d, c.kv_heads * c.d, c.kv_heads * c.dv};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t r = rows[i] * begin / parts; r < rows[i] * end / parts; ++r) {
      const float* row = c.next[i] + r * strides[i];
      for (std::size_t e = 0; e < widths[i]; e += 16) __builtin_prefetch(row + e, 0, 2);
    }
  }
}

void run_attention(const AttentionCall& c) {
  const std::size_t padded = c.padded_keys(), padded_dv = c.padded_dv(), width = c.heads * c.d;
  float* turned = c.scratch;
  float* values = turned + c.kv_heads * c.d * padded;
  float* packed = values + c.kv_heads * c.keys * padded_dv;
  float* scores = packed + kernels::round_up(c.rows * width, kernels::kPanel);
  float* out = scores + kQueryTile * padded;
  float* sums = out + kQueryTile * padded_dv;
  float* terms = sums + kernels::round_up(c.classes, kernels::kPanel);
  if (c.entries != nullptr) turn_rows(c, c.key_terms, c.key_terms_stride, c.heads * c.classes, 1, terms);
  for (std::size_t head = 0; head < c.kv_heads; ++head) {
    turn_rows(c, c.k + head * c.d, c.k_stride, c.d, c.scale, turned + head * c.d * padded);
    copy_rows(c.v + head * c.dv, c.v_stride, c.keys, c.dv, values + head * c.keys * padded_dv, padded_dv);
  }
  // Rows that are far apart share few lines of the caches.
  const float* queries = c.q;
  std::size_t query_stride = c.q_stride;
  if (query_stride >= 2 * width) {
    copy_rows(c.q, c.q_stride, c.rows, width, packed, width);
    queries = packed, query_stride = width;
  }
  float last[kernels::kPanel];
  for (std::size_t j = 0; j < kernels::kPanel; ++j) last[j] = padded - kernels::kPanel + j < c.keys ? 0.0F : -3e38F;
  const bool adjusts = c.entries != nullptr || c.bias != nullptr || c.windowed || c.mask != nullptr;
  // Results without padding are written in place.
  const bool direct = c.dv % (2 * kLanes) == 0 && c.relation_values == nullptr;
  for (std::size_t head = 0; head < c.heads; ++head) {
    const std::size_t kv = head * c.kv_heads / c.heads;
    const float *of_keys = turned + kv * c.d * padded, *of_values = values + kv * c.keys * padded_dv;
    for (std::size_t first = 0; first < c.rows; first += kQueryTile) {
      const std::size_t count = std::min(kQueryTile, c.rows - first);
      if (c.next[0] != nullptr)
        prefetch_rows(c, head * c.rows + first, head * c.rows + first + count, c.heads * c.rows);
      multiply_rows(queries + first * query_stride + head * c.d, query_stride, of_keys, padded, c.d, scores, padded,
                    padded, count);
      float inverse[kQueryTile];
      for (std::size_t r = 0; r < count; ++r) {
        if (adjusts) adjust_scores(c, head, first + r, terms, scores + r * padded);
        inverse[r] = exponential_scores(scores + r * padded, padded, last);
      }
      float* y = c.y + first * c.y_stride + head * c.dv;
      if (direct) {
        multiply_rows(scores, padded, of_values, padded_dv, c.keys, y, c.y_stride, c.dv, count, inverse);
        continue;
      }
      multiply_rows(scores, padded, of_values, padded_dv, c.keys, out, padded_dv, padded_dv, count);
      for (std::size_t r = 0; r < count; ++r) {
        float* row = out + r * padded_dv;
        if (c.relation_values != nullptr) add_relation_values(c, head, first + r, scores + r * padded, sums, row);
        for (std::size_t e = 0; e < padded_dv; e += kLanes) store(row + e, load(row + e) * set(inverse[r]));
        std::memcpy(y + r * c.y_stride, row, c.dv * sizeof(float));
      }
    }
  }
}

void run_rms_norm(const RowsCall& rows, const float* gamma, float epsilon) {
  const std::size_t padded = kernels::round_up(rows.width, kMaxLanes);
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    float* y = rows.y + r * rows.stride;
    std::fill(y + rows.width, y + padded, 0.0F);
    WideSum square;
    square.over(padded, [&](F part, std::size_t i) { return mul_add(load(y + i), load(y + i), part); });
    const F s = set(1 / std::sqrt(square.total() / static_cast<float>(rows.width) + epsilon));
    for (std::size_t i = 0; i < padded; i += kLanes) store(y + i, load(y + i) * s * load(gamma + i));
  }
}

float run_sum(const float* x, std::size_t n) {
  WideSum sum;
  const std::size_t whole = n / kMaxLanes * kMaxLanes;
  sum.over(whole, [&](F part, std::size_t i) { return part + load(x + i); });
  float total = sum.total();
  for (std::size_t i = whole; i < n; ++i) total += x[i];
  return total;
}
float run_sum_of_squares(const float* x, float centre, std::size_t n) {
  WideSum sum;
  const std::size_t whole = n / kMaxLanes * kMaxLanes;
  const F middle = set(centre);
  sum.over(whole, [&](F part, std::size_t i) {
    const F d = load(x + i) - middle;
    return mul_add(d, d, part);
  });
  float total = sum.total();
  for (std::size_t i = whole; i < n; ++i) {
    const float d = x[i] - centre, square = d * d;
    total += square;
  }
  return total;
}
void run_sine_cosine(float t, const float* frequencies, float* sines, float* cosines, std::size_t n) {
  const F at = set(t);
  for (std::size_t i = 0; i < n; i += kLanes) {
    F sine, cosine;
    sine_cosine(at * load(frequencies + i), sine, cosine);
    store(sines + i, sine);
    store(cosines + i, cosine);
  }
}
void run_maximum(const float* x, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, maximum(load(x + i), load(y + i)));
}
void run_exponential(const float* x, const float* high, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, exponential(load(x + i) - load(high + i)));
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::nn {
namespace ZOE_SIMD_ARITHMETIC {

HWY_EXPORT(run_attention);
HWY_EXPORT(run_rms_norm);
HWY_EXPORT(run_sum);
HWY_EXPORT(run_sum_of_squares);
HWY_EXPORT(run_sine_cosine);
HWY_EXPORT(run_maximum);
HWY_EXPORT(run_exponential);

static void fill_loops(kernels::RowLoops& loops) {
  loops.attention = [](const kernels::AttentionCall& call) { HWY_DYNAMIC_DISPATCH(run_attention)(call); };
  loops.rms_norm = [](const kernels::RowsCall& rows, const float* gamma, float epsilon) {
    HWY_DYNAMIC_DISPATCH(run_rms_norm)(rows, gamma, epsilon);
  };
  loops.sum = [](const float* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(run_sum)(x, n); };
  loops.sum_of_squares = [](const float* x, float centre, std::size_t n) {
    return HWY_DYNAMIC_DISPATCH(run_sum_of_squares)(x, centre, n);
  };
  loops.sine_cosine = [](float t, const float* frequencies, float* sines, float* cosines, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_sine_cosine)(t, frequencies, sines, cosines, n);
  };
  loops.maximum = [](const float* x, float* y, std::size_t n) { HWY_DYNAMIC_DISPATCH(run_maximum)(x, y, n); };
  loops.exponential = [](const float* x, const float* high, float* y, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_exponential)(x, high, y, n);
  };
}

}  // namespace ZOE_SIMD_ARITHMETIC

void kernels::ZOE_SIMD_ARITHMETIC::fill_rows(RowLoops& loops) { nn::ZOE_SIMD_ARITHMETIC::fill_loops(loops); }

#ifndef ZOE_SIMD_SEPARATE
const kernels::RowLoops& kernels::row_loops() {
  static const RowLoops fast = [] {
    RowLoops made{};
    fused::fill_rows(made);
    return made;
  }();
  static const RowLoops deterministic = [] {
    RowLoops made{};
    separate::fill_rows(made);
    return made;
  }();
  return arithmetic() == Arithmetic::kDeterministic ? deterministic : fast;
}
#endif

}  // namespace zoe::nn
#endif
