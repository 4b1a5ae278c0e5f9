// SPDX-License-Identifier: MIT
// Part of Zoetrope. A network graph run by libtorch, operation by operation, like a module written in torch: the peer
// of zoe::nn in benchmarks, and its reference in tests.
#pragma once

#include <vector>

#include "zoe/nn/graph.h"

#include "train/torch.h"

namespace zoe::train {

class TorchGraph {
 public:
  // Has every operation. Refuses a graph with dimensions: bind_dims() gives them sizes.
  static Result<TorchGraph> make(nn::Graph graph);

  // [batch, width] for ports of one row, [batch, steps, width] otherwise; in and out.
  std::vector<at::Tensor> operator()(const std::vector<at::Tensor>& inputs) const;

  const nn::Graph& graph() const { return graph_; }
  // Its weights, to run on another device.
  void to(const at::TensorOptions& options);

 private:
  TorchGraph(nn::Graph graph, std::vector<nn::ValueInfo> values);
  // Appends the node's values.
  void run(const nn::Node& node, std::vector<at::Tensor>& values) const;
  std::vector<at::Tensor> run_along_rows(const nn::Node& node, const std::vector<at::Tensor>& values,
                                         nn::Shape out) const;

  nn::Graph graph_;
  std::vector<nn::ValueInfo> values_;
  std::vector<at::Tensor> weights_;
};

}  // namespace zoe::train
