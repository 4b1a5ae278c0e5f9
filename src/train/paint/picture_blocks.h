// SPDX-License-Identifier: MIT
// Part of Zoetrope. Layers over pictures. x is [batch, height, width, channels]; in a graph the rows are the pixels,
// line by line.
#pragma once

#include "train/sequence_blocks.h"

namespace zoe::train {

struct Conv2d {
  Conv2d(Parameters& parameters, std::string name, std::int64_t in, std::int64_t out, std::int64_t kernel,
         std::int64_t stride = 1, std::int64_t padding = 1);
  at::Tensor operator()(const at::Tensor& x) const;
  // line: pixels of a line of x.
  int build(GraphBuilder& builder, int x, int line, Activation activation = Activation::kNone) const;

  std::string name;
  at::Tensor weight, bias;  // [out, in, kernel, kernel], [out]
  std::int64_t stride, padding;
};

// x + two convolutions of the normalised x, SiLU between them.
struct PictureBlock {
  PictureBlock(Parameters& parameters, const std::string& name, std::int64_t channels);
  at::Tensor operator()(const at::Tensor& x) const { return x + second(at::silu(first(norm(x)))); }
  int build(GraphBuilder& builder, int x, int line) const;

  LayerNorm norm;
  Conv2d first, second;
};

// Twice the size; each pixel four times.
at::Tensor enlarged(const at::Tensor& x);

}  // namespace zoe::train
