// SPDX-License-Identifier: MIT
// Part of Zoetrope. Pictures of few colours as tensors: samples of paint_source.h.
#pragma once

#include "train/torch.h"

namespace zoe::train {

// Four indices of six bits are one number: [batch, 1, pixels / 4] -> [batch, pixels], long.
inline at::Tensor unpacked_indices(const at::Tensor& field) {
  const at::Tensor words = field.squeeze(1).to(at::kLong);
  std::vector<at::Tensor> parts;
  for (std::int64_t k = 0; k < 4; ++k)
    parts.push_back(at::bitwise_and(at::div(words, std::int64_t{1} << (6 * k), "floor"), 63));
  return at::stack(parts, 2).flatten(1);
}

// [batch, 1, pixels / 2] -> [batch, pixels, 2]: index and coverage.
inline at::Tensor unpacked_pairs(const at::Tensor& field) {
  return unpacked_indices(field).view({field.size(0), -1, 2});
}

// Red, green, blue from -1 to 1 and alpha: indices [batch, n], palette [batch, colours, 3] of 0 to 255.
inline at::Tensor painted(const at::Tensor& indices, const at::Tensor& palette) {
  const at::Tensor rgb = palette / 127.5 - 1;
  const at::Tensor table = at::cat({at::zeros({rgb.size(0), 1, 3}, rgb.options()), rgb}, 1);
  const at::Tensor color = table.gather(1, indices.unsqueeze(2).expand({indices.size(0), indices.size(1), 3}));
  return at::cat({color, indices.gt(0).to(rgb.dtype()).unsqueeze(2)}, 2);
}

// Colours in another order, with another contrast, in `part` of the samples.
inline at::Tensor recolored(const at::Tensor& palette, const at::Tensor& channel_orders, double part) {
  const std::int64_t n = palette.size(0);
  const at::TensorOptions real = palette.options();
  const at::Tensor order = channel_orders.index_select(0, (at::rand({n}, real) * 6).floor().clamp(0, 5).to(at::kLong));
  const at::Tensor shuffled = palette.gather(2, order.unsqueeze(1).expand(palette.sizes()));
  const at::Tensor gain = 0.6 + 0.6 * at::rand({n, 1, 3}, real), middle = 255 * at::rand({n, 1, 3}, real);
  const at::Tensor changed = ((shuffled - middle) * gain + middle).clamp(0, 255);
  return at::where(at::rand({n, 1, 1}, real).lt(part), changed, palette);
}
// The six orders of three channels.
inline at::Tensor channel_orders(const at::TensorOptions& options) {
  return at::tensor(std::vector<std::int64_t>{0, 1, 2, 0, 2, 1, 1, 0, 2, 1, 2, 0, 2, 0, 1, 2, 1, 0})
      .view({6, 3})
      .to(options.dtype(at::kLong));
}

}  // namespace zoe::train
