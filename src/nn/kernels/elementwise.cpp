// SPDX-License-Identifier: MIT
#include "nn/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/kernels/elementwise.cpp"
#include <algorithm>
#include <cmath>

#include "core/simd_foreach_target.h"
#include "nn/kernels/activation_inl.h"
#include "nn/kernels/vector_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

using kernels::RowsCall;

void run_activate(const RowsCall& rows, Activation activation, float alpha) {
  activate_rows({rows.y, rows.num_rows, rows.stride, rows.width}, activation, alpha);
}

void run_softmax(const RowsCall& rows, std::size_t group) {
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    float* y = rows.y + r * rows.stride;
    for (std::size_t first = 0; first < rows.width; first += group) {
      const float high = *std::max_element(y + first, y + first + group);
      for (std::size_t i = first; i < first + group; ++i) y[i] -= high;
    }
    for (std::size_t i = 0; i < rows.width; i += kLanes) store(y + i, exponential(load(y + i)));
    for (std::size_t first = 0; first < rows.width; first += group) {
      float sum = 0;
      for (std::size_t i = first; i < first + group; ++i) sum += y[i];
      const float s = 1 / sum;
      for (std::size_t i = first; i < first + group; ++i) y[i] *= s;
    }
  }
}

void run_layer_norm(const RowsCall& rows, const float* gamma, const float* beta, float epsilon) {
  const auto n = static_cast<float>(rows.width);
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    float* y = rows.y + r * rows.stride;
    // Numbers beyond the width must add nothing: zeros for the sum, the mean for the sum of squares.
    const std::size_t padded = kernels::round_up(rows.width, kMaxLanes);
    std::fill(y + rows.width, y + padded, 0.0F);
    WideSum sum;
    sum.over(padded, [&](F part, std::size_t i) { return part + load(y + i); });
    const float mean = sum.total() / n;
    const F centre = set(mean);
    std::fill(y + rows.width, y + padded, mean);
    WideSum square;
    square.over(padded, [&](F part, std::size_t i) {
      const F d = load(y + i) - centre;
      return mul_add(d, d, part);
    });
    const F s = set(1 / std::sqrt(square.total() / n + epsilon));
    for (std::size_t i = 0; i < padded; i += kLanes) {
      store(y + i, mul_add((load(y + i) - centre) * s, load(gamma + i), load(beta + i)));
    }
  }
}

void run_add(const float* a, const float* b, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, load(a + i) + load(b + i));
}
void run_subtract(const float* a, const float* b, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, load(a + i) - load(b + i));
}
void run_multiply(const float* a, const float* b, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, load(a + i) * load(b + i));
}
void run_divide(const float* a, const float* b, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, load(a + i) / load(b + i));
}
void run_atan2(const float* a, const float* b, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, angle_of(load(a + i), load(b + i)));
}
void run_multiply_add(const float* a, const float* b, const float* c, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, mul_add(load(a + i), load(b + i), load(c + i)));
}
void run_scale(const float* x, float s, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, load(x + i) * set(s));
}
void run_scale_add(const float* x, float s, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) store(y + i, mul_add(load(x + i), set(s), load(y + i)));
}
float run_dot(const float* a, const float* b, std::size_t n) {
  WideSum sum;
  const std::size_t whole = n / kMaxLanes * kMaxLanes;
  sum.over(whole, [&](F part, std::size_t i) { return mul_add(load(a + i), load(b + i), part); });
  float total = sum.total();
  for (std::size_t i = whole; i < n; ++i) total += a[i] * b[i];
  return total;
}

void run_blend(const float* rows, const float* weights, std::size_t count, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) {
    F sum = load(rows + i) * set(weights[0]);
    for (std::size_t r = 1; r < count; ++r) {
      sum = mul_add(load(rows + r * n + i), set(weights[r]), sum);
    }
    store(y + i, sum);
  }
}

void run_gru_gates(const float* from_x, const float* from_h, const float* h, float* new_h, std::size_t hidden) {
  for (std::size_t i = 0; i < hidden; i += kLanes) {
    const F reset = logistic(load(from_x + i) + load(from_h + i));
    const F update = logistic(load(from_x + hidden + i) + load(from_h + hidden + i));
    const F fresh = hyperbolic_tangent(mul_add(reset, load(from_h + 2 * hidden + i), load(from_x + 2 * hidden + i)));
    store(new_h + i, mul_add(update, load(h + i) - fresh, fresh));
  }
}
void run_lstm_gates(const float* from_x, const float* from_h, const float* c, float* new_h, float* new_c,
                    std::size_t hidden) {
  for (std::size_t i = 0; i < hidden; i += kLanes) {
    F gate[4];
    for (std::size_t g = 0; g < 4; ++g) gate[g] = load(from_x + g * hidden + i) + load(from_h + g * hidden + i);
    const F cell = mul_add(logistic(gate[1]), load(c + i), logistic(gate[0]) * hyperbolic_tangent(gate[2]));
    store(new_c + i, cell);
    store(new_h + i, logistic(gate[3]) * hyperbolic_tangent(cell));
  }
}

const char* run_name() {
#ifdef ZOE_HAS_HWY
  return hwy::TargetName(HWY_TARGET);
#else
  return "portable";
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::nn {
namespace ZOE_SIMD_ARITHMETIC {

HWY_EXPORT(run_activate);
HWY_EXPORT(run_softmax);
HWY_EXPORT(run_layer_norm);
HWY_EXPORT(run_add);
HWY_EXPORT(run_subtract);
HWY_EXPORT(run_multiply);
HWY_EXPORT(run_divide);
HWY_EXPORT(run_atan2);
HWY_EXPORT(run_multiply_add);
HWY_EXPORT(run_scale);
HWY_EXPORT(run_scale_add);
HWY_EXPORT(run_dot);
HWY_EXPORT(run_blend);
HWY_EXPORT(run_gru_gates);
HWY_EXPORT(run_lstm_gates);
HWY_EXPORT(run_name);

[[maybe_unused]] static const char* name() { return HWY_DYNAMIC_DISPATCH(run_name)(); }

static void fill(kernels::Table& table) {
  table.activate = [](const kernels::RowsCall& rows, Activation activation, float alpha) {
    HWY_DYNAMIC_DISPATCH(run_activate)(rows, activation, alpha);
  };
  table.softmax = [](const kernels::RowsCall& rows, std::size_t group) {
    HWY_DYNAMIC_DISPATCH(run_softmax)(rows, group);
  };
  table.layer_norm = [](const kernels::RowsCall& rows, const float* gamma, const float* beta, float epsilon) {
    HWY_DYNAMIC_DISPATCH(run_layer_norm)(rows, gamma, beta, epsilon);
  };
  table.add = [](const float* a, const float* b, float* y, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_add)(a, b, y, n);
  };
  table.subtract = [](const float* a, const float* b, float* y, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_subtract)(a, b, y, n);
  };
  table.multiply = [](const float* a, const float* b, float* y, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_multiply)(a, b, y, n);
  };
  table.divide = [](const float* a, const float* b, float* y, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_divide)(a, b, y, n);
  };
  table.atan2 = [](const float* a, const float* b, float* y, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_atan2)(a, b, y, n);
  };
  table.multiply_add = [](const float* a, const float* b, const float* c, float* y, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_multiply_add)(a, b, c, y, n);
  };
  table.scale = [](const float* x, float s, float* y, std::size_t n) { HWY_DYNAMIC_DISPATCH(run_scale)(x, s, y, n); };
  table.scale_add = [](const float* x, float s, float* y, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_scale_add)(x, s, y, n);
  };
  table.dot = [](const float* a, const float* b, std::size_t n) { return HWY_DYNAMIC_DISPATCH(run_dot)(a, b, n); };
  table.blend = [](const float* rows, const float* weights, std::size_t count, float* y, std::size_t n) {
    HWY_DYNAMIC_DISPATCH(run_blend)(rows, weights, count, y, n);
  };
  table.gru_gates = [](const float* from_x, const float* from_h, const float* h, float* new_h, std::size_t hidden) {
    HWY_DYNAMIC_DISPATCH(run_gru_gates)(from_x, from_h, h, new_h, hidden);
  };
  table.lstm_gates = [](const float* from_x, const float* from_h, const float* c, float* new_h, float* new_c,
                        std::size_t hidden) {
    HWY_DYNAMIC_DISPATCH(run_lstm_gates)(from_x, from_h, c, new_h, new_c, hidden);
  };
}

}  // namespace ZOE_SIMD_ARITHMETIC

void kernels::ZOE_SIMD_ARITHMETIC::fill_elementwise(Table& table) { nn::ZOE_SIMD_ARITHMETIC::fill(table); }
#ifndef ZOE_SIMD_SEPARATE
const char* kernels::instruction_set() { return nn::fused::name(); }
#endif

}  // namespace zoe::nn
#endif
