// SPDX-License-Identifier: MIT
#include "nn/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/kernels/linear_f32.cpp"
#include "core/simd_foreach_target.h"
#include "nn/kernels/gemm_inl.h"
#include "nn/kernels/gemv_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn {
namespace HWY_NAMESPACE {

void run_gemm_f32(const kernels::GemmCall& call) { gemm<float>(call); }
void run_gemv_f32(const kernels::GemvCall& call) { gemv<float>(call); }

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::nn {

HWY_EXPORT(run_gemm_f32);
HWY_EXPORT(run_gemv_f32);

namespace kernels {
void gemm_f32(const GemmCall& call) { HWY_DYNAMIC_DISPATCH(run_gemm_f32)(call); }
void gemv_f32(const GemvCall& call) { HWY_DYNAMIC_DISPATCH(run_gemv_f32)(call); }
}  // namespace kernels

}  // namespace zoe::nn
#endif
