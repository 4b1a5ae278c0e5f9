// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network graph run by libtorch, operation by operation, like a module written in torch: the peer
// of zoe::nn in benchmarks.
#pragma once

#include <vector>

#include "zoe/nn/graph.h"

#include "train/torch.h"

namespace zoe::train {

class TorchGraph {
 public:
  // Refuses operations that no benchmark uses (convolution, recurrent cells, …).
  static Result<TorchGraph> make(nn::Graph graph);

  // [batch, width] for ports of one row, [batch, steps, width] otherwise; in and out.
  std::vector<at::Tensor> operator()(const std::vector<at::Tensor>& inputs) const;

  const nn::Graph& graph() const { return graph_; }

 private:
  TorchGraph(nn::Graph graph, std::vector<nn::ValueInfo> values);
  at::Tensor run(const nn::Node& node, const std::vector<at::Tensor>& values, nn::Shape out) const;

  nn::Graph graph_;
  std::vector<nn::ValueInfo> values_;
  std::vector<at::Tensor> weights_;
};

}  // namespace zoe::train
