// SPDX-License-Identifier: MIT
// Part of Zoetrope. Linear layers, expert layers and convolutions: one row through gemv, several
// through gemm.
#include <algorithm>
#include <cstring>

#include "zoe/core/half.h"

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
    case WeightType::kF32:
      return kernels::gemv_f32(call);
    case WeightType::kBF16:
      return kernels::gemv_bf16(call);
    case WeightType::kI8:
      return kernels::gemv_i8(call);
  }
}
void gemm(WeightType type, const GemmCall& call) {
  switch (type) {
    case WeightType::kF32:
      return kernels::gemm_f32(call);
    case WeightType::kBF16:
      return kernels::gemm_bf16(call);
    case WeightType::kI8:
      return kernels::gemm_i8(call);
  }
}

// True if round_one() has enough memory. False only for very wide layers.
bool fits_one(const PackedLinear& linear) {
  const std::size_t padded = kernels::round_up(linear.in, kernels::kAmxInputs);
  return padded / 2 + linear.segments * padded <= kernels::amx_scratch(linear, 1);
}

}  // namespace

void Executor::linear(const PackedLinear& packed, const View& x, const Besides& besides, const View& y,
                      const Attributes& attributes) const {
  const std::size_t num_rows = y.num_rows(batch_);
  const bool amx = packed.type == WeightType::kBF16 && kernels::use_amx();
  if (num_rows == 1 && besides.conv == nullptr && (!amx || fits_one(packed))) {
    const auto data = [](const View* view) { return view == nullptr ? nullptr : view->data; };
    kernels::GemvCall call{&packed, x.data, data(besides.gate), y.data, scratch_, data(besides.addend)};
    if (amx) round_one(call);
    gemv(packed.type, call);
    return kernels::activate({y.data, 1, y.width, y.stride}, attributes.activation, attributes.alpha);
  }
  const Product product{packed, x, besides, y, attributes};
  const std::size_t most = amx ? kernels::amx_rows(packed) : staged_rows(packed);
  for (std::size_t first = 0; first < num_rows; first += most) {
    const std::size_t count = std::min(most, num_rows - first);
    if (besides.gate != nullptr) blend_biases(product, first, count);
    amx ? multiply_amx(product, first, count) : multiply(product, first, count);
  }
}

// As for rows of the matrix unit: the result of a row must not depend on the number of rows.
void Executor::round_one(kernels::GemvCall& call) const {
  const std::size_t in = call.linear->in, padded = kernels::round_up(in, kernels::kAmxInputs);
  std::uint16_t* row = rounded();
  auto* rows = reinterpret_cast<float*>(row + padded);
  for (std::size_t e = 0; e < call.linear->segments; ++e) {
    kernels::round_row(call.x, call.gate == nullptr ? 1.0F : call.gate[e], in, row);
    for (std::size_t i = 0; i < padded; ++i) rows[e * padded + i] = bfloat16_to_float(row[i]);
  }
  call.x = rows;
  call.x_stride = padded;
}

void Executor::blend_biases(const Product& p, std::size_t first_row, std::size_t num_rows) const {
  for (std::size_t row = first_row; row < first_row + num_rows; ++row) {
    kernels::blend(p.packed.bias, p.gate(row), p.packed.segments, p.y.data + row * p.y.stride,
                   p.packed.num_panels() * kPanel);
  }
}

// The matrix that a convolution multiplies: the steps of its kernel, one after another.
void Executor::Product::gather(std::size_t row, std::size_t begin, std::size_t count, float* to) const {
  const Attributes& conv = *besides.conv;
  const std::size_t item = row / y.steps, t = row % y.steps;
  for (std::size_t k = begin; k < begin + count;) {
    const std::size_t j = k / x.width, channel = k % x.width, n = std::min(x.width - channel, begin + count - k);
    const long at = static_cast<long>(t) * conv.stride - conv.padding + static_cast<long>(j) * conv.dilation;
    if (at < 0 || at >= static_cast<long>(x.steps)) {
      std::memset(to, 0, n * sizeof(float));
    } else {
      std::memcpy(to, x.row(item, static_cast<std::size_t>(at)) + channel, n * sizeof(float));
    }
    to += n;
    k += n;
  }
}

Executor::Start Executor::Product::start(std::size_t first_row) const {
  if (besides.addend != nullptr)
    return {besides.addend->data + first_row * besides.addend->stride, besides.addend->stride};
  if (besides.gate == nullptr) return {packed.bias, 0};
  return {y.data + first_row * y.stride, y.stride};
}

// Rows as integers, all blocks of one after another: [blocks, num_rows, kStagedStride]. False: floats must be used.
bool Executor::quantize(const Product& p, std::size_t first_row, std::size_t num_rows) const {
  for (std::size_t r = 0; r < num_rows; ++r) {
    const float* x = p.x.data + (first_row + r) * p.x.stride;
    if (p.besides.conv != nullptr) {
      p.gather(first_row + r, 0, p.packed.in, scratch_);
      x = scratch_;
    }
    if (!kernels::quantize_row(x, p.packed.in, quantized_ + r * kStagedStride, num_rows * kStagedStride,
                               row_scales_[r])) {
      return false;
    }
  }
  return true;
}

void Executor::stage(const Product& p, std::size_t first_row, std::size_t num_rows, std::size_t begin,
                     std::size_t count) const {
  for (std::size_t r = 0; r < num_rows; ++r) {
    float* to = staged_ + r * kStagedStride;
    if (p.besides.conv != nullptr) {
      p.gather(first_row + r, begin, count, to);
    } else {
      std::memcpy(to, p.x.data + (first_row + r) * p.x.stride + begin, count * sizeof(float));
    }
    to[count] = 0;
  }
}

void Executor::multiply(const Product& p, std::size_t first_row, std::size_t num_rows) const {
  const PackedLinear& packed = p.packed;
  const bool integers = packed.type == WeightType::kI8 && quantize(p, first_row, num_rows);
  float* first_y = p.y.data + first_row * p.y.stride;
  for (std::size_t begin = 0; begin < packed.in; begin += kBlock) {
    const std::size_t count = std::min(kBlock, packed.in - begin), end = begin + count;
    if (!integers) stage(p, first_row, num_rows, begin, count);
    for (std::size_t segment = 0; segment < packed.segments; ++segment) {
      GemmCall call{.linear = &packed,
                    .segment = segment,
                    .first_in = begin,
                    .num_in = count,
                    .staged = staged_,
                    .num_rows = num_rows,
                    .init = first_y,
                    .init_stride = p.y.stride,
                    .y = first_y,
                    .y_stride = p.y.stride};
      if (integers) call.quantized = quantized_ + begin / kBlock * num_rows * kStagedStride;
      if (p.besides.gate != nullptr || integers) {
        for (std::size_t r = 0; r < num_rows; ++r) {
          factors_[r] =
              (integers ? row_scales_[r] : 1.0F) * (p.besides.gate != nullptr ? p.gate(first_row + r)[segment] : 1.0F);
        }
        call.factors = factors_;
      }
      if (segment == 0 && begin == 0) {
        call.init = p.start(first_row).data, call.init_stride = p.start(first_row).stride;
      }
      if (segment + 1 < packed.segments) {
        call.next = packed.at(segment + 1, begin);
      } else if (end < packed.in) {
        call.next = packed.at(0, end);
      } else {
        call.activation = p.attributes.activation, call.alpha = p.attributes.alpha;
      }
      gemm(packed.type, call);
    }
  }
}

void Executor::multiply_amx(const Product& p, std::size_t first_row, std::size_t num_rows) const {
  const PackedLinear& packed = p.packed;
  const std::size_t stride = kernels::amx_stride(packed);
  float* first_y = p.y.data + first_row * p.y.stride;
  for (kernels::AmxGroup group = kernels::AmxGroup{0, 0, 0, 0}.next(packed); group.num_segments > 0;) {
    const kernels::AmxGroup next = group.next(packed);
    const std::size_t padded = kernels::round_up(group.num_in, kernels::kAmxInputs);
    for (std::size_t row = first_row; row < first_row + num_rows; ++row) {
      std::uint16_t* to = rounded() + (row - first_row) * stride;
      if (p.besides.conv != nullptr) {
        for (std::size_t k = 0; k < group.num_in; k += kBlock) {
          const std::size_t count = std::min(kBlock, group.num_in - k);
          p.gather(row, group.first_in + k, count, staged_);
          kernels::round_row(staged_, 1, count, to + k);
        }
        continue;
      }
      const float* from = p.x.data + row * p.x.stride + group.first_in;
      for (std::size_t s = 0; s < group.num_segments; ++s) {
        kernels::round_row(from, p.besides.gate == nullptr ? 1.0F : p.gate(row)[group.first_segment + s], group.num_in,
                           to + s * padded);
      }
    }
    kernels::AmxCall call{&packed, group, rounded(), num_rows, first_y, p.y.stride, first_y, p.y.stride};
    if (group.first_segment == 0 && group.first_in == 0) {
      call.init = p.start(first_row).data, call.init_stride = p.start(first_row).stride;
    }
    if (next.num_segments == 0) call.activation = p.attributes.activation, call.alpha = p.attributes.alpha;
    kernels::gemm_amx(call);
    group = next;
  }
}

}  // namespace zoe::nn
