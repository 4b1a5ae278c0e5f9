// SPDX-License-Identifier: MIT
// Part of Zoetrope. Operations of networks by libtorch's own functions (its convolutions, norms, cells, products), so
// that comparing zoe::nn with them means something.
#pragma once

#include <vector>

#include "zoe/nn/graph.h"

#include "train/torch.h"

namespace zoe::train {

at::Tensor activate(const at::Tensor& x, const nn::Attributes& attributes);

// One node. Values are [batch, rows, width]; a constant has a batch of 1.
struct TorchNode {
  const nn::Node& node;
  std::vector<at::Tensor> in;
  std::vector<at::Tensor> weights;  // Undefined: absent.
  nn::Shape out;
  std::int64_t batch = 1;
};

// Operations that see rows, cells and convolutions: all that element-wise arithmetic does not cover. LSTM cells give
// two values.
std::vector<at::Tensor> compute_along_rows(const TorchNode& node);

}  // namespace zoe::train
