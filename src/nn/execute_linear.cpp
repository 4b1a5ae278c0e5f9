// SPDX-License-Identifier: MIT
// Part of Zoetrope. Linear layers, expert layers and convolutions: one row through gemv, several through gemm.
#include <algorithm>
#include <cstring>

#include "nn/execute.h"
#include "nn/kernels/amx.h"

namespace zoe::nn {
namespace {

using kernels::GemmCall;
using kernels::kBlock;
using kernels::kPanel;
using kernels::kStagedStride;
using kernels::PackedLinear;

void gemv(WeightType type, const kernels::GemvCall& call) {
  switch (type) {
    case WeightType::kF32: return kernels::gemv_f32(call);
    case WeightType::kBF16: return kernels::gemv_bf16(call);
    case WeightType::kI8: return kernels::gemv_i8(call);
  }
}
void gemm(WeightType type, const GemmCall& call) {
  switch (type) {
    case WeightType::kF32: return kernels::gemm_f32(call);
    case WeightType::kBF16:
      return kernels::use_amx() && call.num_rows >= kernels::kMinAmxRows ? kernels::gemm_bf16_amx(call) : kernels::gemm_bf16(call);
    case WeightType::kI8: return kernels::gemm_i8(call);
  }
}

}  // namespace

void Executor::linear(const PackedLinear& packed, const View& x, const Besides& besides, const View& y,
                      const Attributes& attributes) const {
  const std::size_t num_rows = y.num_rows(batch_);
  if (num_rows == 1 && besides.conv == nullptr) {
    const auto data = [](const View* view) { return view == nullptr ? nullptr : view->data; };
    gemv(packed.type, {&packed, x.data, data(besides.gate), y.data, scratch_, data(besides.addend)});
    return kernels::activate({y.data, 1, y.width, y.stride}, attributes.activation, attributes.alpha);
  }
  for (std::size_t first = 0; first < num_rows; first += kMaxStagedRows) {
    linear_rows(packed, x, besides, y, attributes, first, std::min(kMaxStagedRows, num_rows - first));
  }
}

void Executor::linear_rows(const PackedLinear& packed, const View& x, const Besides& besides, const View& y,
                           const Attributes& attributes, std::size_t first_row, std::size_t num_rows) const {
  const View* gate = besides.gate;
  const Attributes* conv = besides.conv;
  const View* addend = besides.addend;
  const std::size_t padded_out = packed.num_panels() * kPanel;
  const auto gate_row = [&](std::size_t row) { return gate->row(row / y.steps, row % y.steps); };
  float* first_y = y.data + first_row * y.stride;
  if (gate != nullptr) {  // Start from the blended biases.
    for (std::size_t r = 0; r < num_rows; ++r) {
      const float* weights = gate_row(first_row + r);
      kernels::scale(packed.bias, weights[0], first_y + r * y.stride, padded_out);
      for (std::size_t e = 1; e < packed.segments; ++e) {
        kernels::scale_add(packed.bias + e * padded_out, weights[e], first_y + r * y.stride, padded_out);
      }
    }
  }
  // Row `row` of the matrix that a convolution multiplies: the steps its kernel touches, one after another.
  const auto gather = [&](std::size_t row, std::size_t begin, std::size_t count, float* to) {
    const std::size_t item = row / y.steps, t = row % y.steps;
    for (std::size_t k = begin; k < begin + count;) {
      const std::size_t j = k / x.width, channel = k % x.width, n = std::min(x.width - channel, begin + count - k);
      const long at = static_cast<long>(t) * conv->stride - conv->padding + static_cast<long>(j) * conv->dilation;
      if (at < 0 || at >= static_cast<long>(x.steps)) {
        std::memset(to, 0, n * sizeof(float));
      } else {
        std::memcpy(to, x.row(item, static_cast<std::size_t>(at)) + channel, n * sizeof(float));
      }
      to += n;
      k += n;
    }
  };
  for (std::size_t segment = 0; segment < packed.segments; ++segment) {
    for (std::size_t begin = 0; begin < packed.in; begin += kBlock) {
      const std::size_t count = std::min(kBlock, packed.in - begin);
      for (std::size_t r = 0; r < num_rows; ++r) {
        float* to = staged_ + r * kStagedStride;
        const float* from = x.data + (first_row + r) * x.stride + begin;
        if (conv != nullptr) {
          gather(first_row + r, begin, count, to);
        } else if (gate != nullptr) {
          kernels::scale(from, gate_row(first_row + r)[segment], to, count);
        } else {
          std::memcpy(to, from, count * sizeof(float));
        }
        to[count] = 0;
      }
      const bool first = segment == 0 && begin == 0, last = segment + 1 == packed.segments && begin + count == packed.in;
      GemmCall call{&packed, segment, begin, count, staged_, quantized_, num_rows, first_y, y.stride, first_y, y.stride};
      if (first && addend != nullptr) {
        call.init = addend->data + first_row * addend->stride, call.init_stride = addend->stride;
      } else if (first && gate == nullptr) {
        call.init = packed.bias, call.init_stride = 0;
      }
      if (last) call.activation = attributes.activation, call.alpha = attributes.alpha;
      gemm(packed.type, call);
    }
  }
}

}  // namespace zoe::nn
