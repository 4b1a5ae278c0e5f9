// SPDX-License-Identifier: MIT
#include "nn/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/kernels/linear_bf16.cpp"
#include "core/simd_foreach_target.h"
#include "nn/kernels/gemm_inl.h"
#include "nn/kernels/gemv_inl.h"

HWY_BEFORE_NAMESPACE();
namespace zoe::nn {
namespace HWY_NAMESPACE {

void run_gemm_bf16(const kernels::GemmCall& call) { gemm<std::uint16_t>(call); }
void run_gemv_bf16(const kernels::GemvCall& call) { gemv<std::uint16_t>(call); }

}  // namespace HWY_NAMESPACE
}  // namespace zoe::nn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace zoe::nn {

HWY_EXPORT(run_gemm_bf16);
HWY_EXPORT(run_gemv_bf16);

namespace kernels {
void gemm_bf16(const GemmCall& call) { HWY_DYNAMIC_DISPATCH(run_gemm_bf16)(call); }
void gemv_bf16(const GemvCall& call) { HWY_DYNAMIC_DISPATCH(run_gemv_bf16)(call); }
}  // namespace kernels

}  // namespace zoe::nn
#endif
