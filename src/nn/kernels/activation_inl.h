// SPDX-License-Identifier: MIT
// Part of Zoetrope. Activations over rows; included once per target.

#if defined(ZOE_NN_ACTIVATION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ZOE_NN_ACTIVATION_INL_H
#undef ZOE_NN_ACTIVATION_INL_H
#else
#define ZOE_NN_ACTIVATION_INL_H
#endif

#include "zoe/nn/graph.h"

#include "core/simd_sine_inl.h"
#include "nn/kernels/vector_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

// Rows of n numbers, which is rounded up to whole vectors.
struct ActivatedRows {
  float* y;
  std::size_t num_rows, stride, n;
};

// All rows in one loop: what the function keeps in registers is loaded once.
template <typename Function>
inline void each_vector(const ActivatedRows& rows, Function function) {
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    float* y = rows.y + r * rows.stride;
    for (std::size_t i = 0; i < rows.n; i += kLanes) store(y + i, function(load(y + i)));
  }
}

inline void activate_rows(const ActivatedRows& rows, Activation activation, float alpha) {
  const F zero = set(0), one = set(1);
  switch (activation) {
    case Activation::kNone:
      return;
    case Activation::kRelu:
      return each_vector(rows, [&](F x) { return select_less(x, zero, zero, x); });
    case Activation::kLeakyRelu:
      return each_vector(rows, [&](F x) { return select_less(x, zero, x * set(alpha), x); });
    case Activation::kElu:  // e^0 - 1 is exactly 0. The order of operands keeps what is not a number.
      return each_vector(rows, [&](F x) { return maximum(zero, x) + (exponential(minimum(x, zero)) - one); });
    case Activation::kSilu:
      return each_vector(rows, [&](F x) { return x * logistic(x); });
    case Activation::kTanh:
      return each_vector(rows, [&](F x) { return hyperbolic_tangent(x); });
    case Activation::kSigmoid:
      return each_vector(rows, [&](F x) { return logistic(x); });
    case Activation::kGelu:
      return each_vector(rows, [&](F x) {
        const F half = set(0.5F) * x;
        return mul_add(half, error_function_of_root(x), half);
      });
    case Activation::kSine:
      return each_vector(rows, [&](F x) {
        F sine, cosine;
        sine_cosine(x, sine, cosine);
        return sine;
      });
    case Activation::kSquareRoot:
      return each_vector(rows, [&](F x) { return square_root(x); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#endif
