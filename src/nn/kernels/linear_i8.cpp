// SPDX-License-Identifier: MIT
#include "nn/kernels/kernels.h"

#define ZOE_SIMD_WANT_AVX3_DL

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/kernels/linear_i8.cpp"
#include "core/simd_foreach_target.h"
#include "nn/kernels/gemm_inl.h"
#include "nn/kernels/gemv_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn {
namespace HWY_NAMESPACE {

void run_gemm_i8(const kernels::GemmCall& call) { gemm<std::int8_t>(call); }
void run_gemv_i8(const kernels::GemvCall& call) { gemv<std::int8_t>(call); }
bool run_quantize_row(const float* x, std::size_t n, std::int16_t* to, std::size_t block_stride, float& scale) {
  return kHasPairDot && quantize_row(x, n, to, block_stride, scale);
}

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::nn {

HWY_EXPORT(run_gemm_i8);
HWY_EXPORT(run_gemv_i8);
HWY_EXPORT(run_quantize_row);

namespace kernels {
void gemm_i8(const GemmCall& call) { HWY_DYNAMIC_DISPATCH(run_gemm_i8)(call); }
void gemv_i8(const GemvCall& call) { HWY_DYNAMIC_DISPATCH(run_gemv_i8)(call); }
bool quantize_row(const float* x, std::size_t n, std::int16_t* to, std::size_t block_stride, float& scale) {
  return HWY_DYNAMIC_DISPATCH(run_quantize_row)(x, n, to, block_stride, scale);
}
}  // namespace kernels

}  // namespace zoe::nn
#endif
