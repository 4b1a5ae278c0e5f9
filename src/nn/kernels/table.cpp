// SPDX-License-Identifier: MIT
#include "zoe/core/arithmetic.h"

#include "nn/kernels/kernels.h"

namespace zoe::nn::kernels {

const Table& table() {
  static const Table fast = [] {
    Table made{};
    fused::fill_f32(made), fused::fill_bf16(made), fused::fill_i8(made), fused::fill_elementwise(made);
    return made;
  }();
  static const Table deterministic = [] {
    Table made{};
    separate::fill_f32(made), separate::fill_bf16(made), separate::fill_i8(made), separate::fill_elementwise(made);
    return made;
  }();
  return arithmetic() == Arithmetic::kDeterministic ? deterministic : fast;
}

}  // namespace zoe::nn::kernels
