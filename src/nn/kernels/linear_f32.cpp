// SPDX-License-Identifier: MIT
#include "nn/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/kernels/linear_f32.cpp"
#include "core/simd_foreach_target.h"
#include "nn/kernels/gemm_inl.h"
#include "nn/kernels/row_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn::ZOE_SIMD_ARITHMETIC {
namespace HWY_NAMESPACE {

void run_gemm_f32(const kernels::GemmCall& call) { gemm<float>(call); }
void run_row_f32(const kernels::RowProduct& call) { multiply_row<float>(call); }

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn::ZOE_SIMD_ARITHMETIC
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::nn {
namespace ZOE_SIMD_ARITHMETIC {

HWY_EXPORT(run_gemm_f32);
HWY_EXPORT(run_row_f32);

static void fill(kernels::Table& table) {
  table.gemm_f32 = [](const kernels::GemmCall& call) { HWY_DYNAMIC_DISPATCH(run_gemm_f32)(call); };
  table.row_f32 = [](const kernels::RowProduct& call) { HWY_DYNAMIC_DISPATCH(run_row_f32)(call); };
}

}  // namespace ZOE_SIMD_ARITHMETIC

void kernels::ZOE_SIMD_ARITHMETIC::fill_f32(Table& table) { nn::ZOE_SIMD_ARITHMETIC::fill(table); }

}  // namespace zoe::nn
#endif
