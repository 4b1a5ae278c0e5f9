// SPDX-License-Identifier: MIT
// Part of Zoetrope. Weights rearranged for the kernels, in memory that starts on a cache line.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "nn/kernels/kernels.h"

namespace zoe::nn {

struct FreeAligned {
  std::size_t mapped = 0;  // Bytes of a separate mapping. 0: from the heap.
  void operator()(std::byte* memory) const;
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeAligned>;
AlignedBytes allocate_zeroed(std::size_t bytes);

// In large pages where the system has them. Weights are read from end to end; small pages cost a table walk each and
// are scattered over the sets of a cache. Uses a separate mapping, because memory that the heap used before has small
// pages already and keeps them. Zeros.
AlignedBytes allocate_pages(std::size_t bytes);

// A linear layer and the memory that its pointers point into. Movable.
struct OwnedLinear {
  kernels::PackedLinear packed;
  AlignedBytes weights, scales, bias;
  std::size_t bytes = 0;
};

// Moves the weights of all layers into one block, in order.
AlignedBytes gather_weights(std::span<OwnedLinear> linears);

// weight: [out, in], [E, out, in] or, for a convolution, [out, channels, kernel], whose inputs are then ordered kernel
// index first, channel second. bias may be null. `columns` may select some of a matrix [out, in].
struct Columns {
  std::size_t first = 0, count = 0;  // 0: all.
  friend auto operator<=>(const Columns&, const Columns&) = default;
};
OwnedLinear pack_linear(const Weight& weight, const Weight* bias, bool is_conv, Columns columns = {});

// Rows of `width` numbers, each padded with zeros to whole panels.
struct PaddedRows {
  AlignedBytes memory;
  std::size_t stride = 0, count = 0;
  const float* row(std::size_t i) const { return reinterpret_cast<const float*>(memory.get()) + i * stride; }
};
PaddedRows pad_rows(std::span<const float> values, std::size_t width);

}  // namespace zoe::nn
