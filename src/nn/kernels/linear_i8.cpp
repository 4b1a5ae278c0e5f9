// SPDX-License-Identifier: MIT
#include "nn/kernels/kernels.h"

#define ZOE_SIMD_WANT_AVX3_DL

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/kernels/linear_i8.cpp"
#include "core/simd_foreach_target.h"
#include "nn/kernels/gemm_inl.h"
#include "nn/kernels/quantize_inl.h"
#include "nn/kernels/row_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

void run_gemm_i8(const kernels::GemmCall& call) { gemm<std::uint8_t>(call); }
void run_row_i8(const kernels::RowProduct& call) { multiply_row<std::uint8_t>(call); }
float run_quantize_row(const float* x, std::size_t n, std::int16_t* to, std::size_t block_stride) {
  return quantize_row(x, n, to, block_stride);
}
bool run_quantizes_groups() { return kGroups; }

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::nn {
namespace ZOE_SIMD_ARITHMETIC {

HWY_EXPORT(run_gemm_i8);
HWY_EXPORT(run_row_i8);
HWY_EXPORT(run_quantize_row);
HWY_EXPORT(run_quantizes_groups);

static void fill(kernels::Table& table) {
  table.gemm_i8 = [](const kernels::GemmCall& call) { HWY_DYNAMIC_DISPATCH(run_gemm_i8)(call); };
  table.row_i8 = [](const kernels::RowProduct& call) { HWY_DYNAMIC_DISPATCH(run_row_i8)(call); };
  table.quantize_row = [](const float* x, std::size_t n, std::int16_t* to, std::size_t block_stride) {
    return HWY_DYNAMIC_DISPATCH(run_quantize_row)(x, n, to, block_stride);
  };
  table.quantizes_groups = [] { return HWY_DYNAMIC_DISPATCH(run_quantizes_groups)(); };
}

}  // namespace ZOE_SIMD_ARITHMETIC

void kernels::ZOE_SIMD_ARITHMETIC::fill_i8(Table& table) { nn::ZOE_SIMD_ARITHMETIC::fill(table); }

}  // namespace zoe::nn
#endif
