// SPDX-License-Identifier: MIT
// Part of Zoetrope. Linear layers, expert layers and convolutions. The result of a row does not depend on the number of
// rows.
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

}  // namespace

void Executor::linear(const PackedLinear& packed, const View& x, const Besides& besides, const View& y,
                      const Attributes& attributes) {
  const Block rows = rows_of(y);
  const Product product{packed, x, besides, y, attributes};
  // The matrix unit has an arithmetic of its own. So it takes all rows, or none.
  const bool amx = packed.type == WeightType::kBF16 && kernels::use_amx();
  if (rows.count == 1 && !amx) return multiply_row(product, rows.first);
  const std::size_t most = amx ? kernels::amx_rows(packed) : staged_rows(packed);
  for (std::size_t first = rows.first; first < rows.end(); first += most) {
    const std::size_t count = std::min(most, rows.end() - first);
    if (besides.gate != nullptr) blend_biases(product, first, count);
    amx ? multiply_amx(product, first, count) : multiply(product, first, count);
  }
}

void Executor::multiply_row(const Product& p, std::size_t row) const {
  const PackedLinear& packed = p.packed;
  if (p.besides.gate != nullptr) blend_biases(p, row, 1);
  kernels::RowProduct call{.linear = &packed,
                           .x = p.besides.conv != nullptr ? nullptr : p.x.at(row),
                           .gate = p.besides.gate != nullptr ? p.gate(row) : nullptr,
                           .init = p.start(row).data,
                           .y = p.y.at(row),
                           .activation = p.attributes.activation,
                           .alpha = p.attributes.alpha};
  const std::size_t in = packed.in, padded = kernels::round_up(in, kPanel);
  if (p.besides.conv != nullptr) {
    p.gather(row, 0, in, scratch_);
    call.x = scratch_;
  } else if (packed.padded_in() != in) {
    std::memcpy(scratch_, call.x, in * sizeof(float));
    call.x = scratch_;
  }
  if (call.x == scratch_) std::fill(scratch_ + in, scratch_ + padded, 0.0F);
  switch (packed.type) {
    case WeightType::kF32:
      return loops_.row_f32(call);
    case WeightType::kBF16:
      return loops_.row_bf16(call);
    case WeightType::kI8:
      auto* quantized = reinterpret_cast<std::int16_t*>(scratch_ + padded);
      call.scale = loops_.quantize_row(call.x, in, quantized, kStagedStride);
      call.quantized = quantized;
      return loops_.row_i8(call);
  }
}

void Executor::blend_biases(const Product& p, std::size_t first_row, std::size_t num_rows) const {
  for (std::size_t row = first_row; row < first_row + num_rows; ++row) {
    loops_.blend(p.packed.bias, p.gate(row), p.packed.segments, p.y.at(row), p.packed.num_panels() * kPanel);
  }
}

// The matrix that a convolution multiplies: the steps of its kernel, one after another.
void Executor::Product::gather(std::size_t row, std::size_t begin, std::size_t count, float* to) const {
  const Attributes& conv = *besides.conv;
  const std::size_t item = row / y.steps, t = row % y.steps;
  for (std::size_t k = begin; k < begin + count;) {
    const std::size_t j = k / x.width, channel = k % x.width, n = std::min(x.width - channel, begin + count - k);
    const long at = besides.picture != nullptr
                        ? besides.picture->source(t, j, conv)
                        : static_cast<long>(t) * conv.stride - conv.padding + static_cast<long>(j) * conv.dilation;
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
  if (besides.addend != nullptr) return {besides.addend->at(first_row), besides.addend->stride};
  if (besides.gate == nullptr) return {packed.bias, 0};
  return {y.at(first_row), y.stride};
}

// Rows as integers, all blocks of one after another: [blocks, num_rows, kStagedStride].
void Executor::quantize(const Product& p, std::size_t first_row, std::size_t num_rows) {
  if (!must_stage({p.besides.source, first_row, num_rows, 0, WeightType::kI8})) return;
  for (std::size_t r = 0; r < num_rows; ++r) {
    const float* x = scratch_;
    if (p.besides.conv != nullptr) {
      p.gather(first_row + r, 0, p.packed.in, scratch_);
    } else {
      x = p.x.at(first_row + r);
    }
    row_scales_[r] = loops_.quantize_row(x, p.packed.in, quantized_ + r * kStagedStride, num_rows * kStagedStride);
  }
}

void Executor::stage(const Product& p, std::size_t first_row, std::size_t num_rows, std::size_t begin,
                     std::size_t count) {
  if (!must_stage({p.besides.source, first_row, num_rows, begin, WeightType::kF32})) return;
  for (std::size_t r = 0; r < num_rows; ++r) {
    float* to = staged_ + r * kStagedStride;
    if (p.besides.conv != nullptr) {
      p.gather(first_row + r, begin, count, to);
    } else {
      std::memcpy(to, p.x.at(first_row + r) + begin, count * sizeof(float));
    }
    to[count] = 0;
  }
}

void Executor::multiply(const Product& p, std::size_t first_row, std::size_t num_rows) {
  const PackedLinear& packed = p.packed;
  const bool integers = packed.type == WeightType::kI8;
  if (integers) quantize(p, first_row, num_rows);
  float* first_y = p.y.at(first_row);
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
      switch (packed.type) {
        case WeightType::kF32:
          loops_.gemm_f32(call);
          break;
        case WeightType::kBF16:
          loops_.gemm_bf16(call);
          break;
        case WeightType::kI8:
          loops_.gemm_i8(call);
          break;
      }
    }
  }
}

void Executor::multiply_amx(const Product& p, std::size_t first_row, std::size_t num_rows) {
  const PackedLinear& packed = p.packed;
  const std::size_t stride = kernels::amx_stride(packed);
  last_ = {};  // Its rows are where staged ones were.
  float* first_y = p.y.at(first_row);
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
      const float* from = p.x.at(row) + group.first_in;
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
