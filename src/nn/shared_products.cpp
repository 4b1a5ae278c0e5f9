// SPDX-License-Identifier: MIT
#include "nn/shared_products.h"

#include <algorithm>
#include <map>

#include "nn/op_table.h"

namespace zoe::nn {
namespace {

struct Uses {
  std::vector<int> producer;   // Producer of each value. -1: an input.
  std::vector<int> readers;    // Number of nodes and outputs that read each value.
  std::vector<int> of_weight;  // Number of nodes that use each weight.
};

Uses count_uses(const Graph& graph) {
  Uses uses{std::vector<int>(graph.inputs.size(), -1), {}, std::vector<int>(graph.weights.size(), 0)};
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    for (int i = 0; i < op_info(node.op).num_outputs; ++i) uses.producer.push_back(static_cast<int>(n));
    for (const int weight : node.weights) {
      if (weight >= 0) ++uses.of_weight[static_cast<std::size_t>(weight)];
    }
  }
  uses.readers.assign(uses.producer.size(), 0);
  for (const Node& node : graph.nodes) {
    for (const int value : node.inputs) ++uses.readers[static_cast<std::size_t>(value)];
  }
  for (const Port& port : graph.outputs) ++uses.readers[static_cast<std::size_t>(port.value)];
  return uses;
}

}  // namespace

std::vector<SharedProduct> find_shared_products(const Graph& graph, std::span<const ValueInfo> values) {
  const Uses uses = count_uses(graph);
  std::map<std::pair<int, int>, std::vector<int>> layers;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (node.op == Op::kLinear) layers[{node.weights[0], node.weights[1]}].push_back(static_cast<int>(n));
  }
  // The two parts of a layer's input, where only the layer reads them together.
  const auto concat_of = [&](int node) {
    const int value = graph.nodes[static_cast<std::size_t>(node)].inputs[0];
    const int from = uses.producer[static_cast<std::size_t>(value)];
    if (from < 0 || uses.readers[static_cast<std::size_t>(value)] != 1) return -1;
    const Node& concat = graph.nodes[static_cast<std::size_t>(from)];
    if (concat.op != Op::kConcat || concat.inputs.size() != 2) return -1;
    const bool whole = std::all_of(concat.inputs.begin(), concat.inputs.end(), [&](int part) {
      const ValueInfo& info = values[static_cast<std::size_t>(part)];
      return !info.constant && info.shape.rows() == values[static_cast<std::size_t>(value)].shape.rows();
    });
    return whole ? from : -1;
  };
  std::vector<SharedProduct> found;
  for (const auto& [weights, nodes] : layers) {
    // A weight that other nodes use too would have to be packed twice.
    if (nodes.size() < 2 ||
        static_cast<std::size_t>(uses.of_weight[static_cast<std::size_t>(weights.first)]) != nodes.size())
      continue;
    SharedProduct product{nodes, {}, 0};
    for (const int node : nodes) product.concats.push_back(concat_of(node));
    if (std::find(product.concats.begin(), product.concats.end(), -1) != product.concats.end()) continue;
    const auto same = [&](std::size_t part) {
      return std::all_of(product.concats.begin(), product.concats.end(), [&](int concat) {
        return graph.nodes[static_cast<std::size_t>(concat)].inputs[part] ==
               graph.nodes[static_cast<std::size_t>(product.concats[0])].inputs[part];
      });
    };
    if (!same(0) && !same(1)) continue;
    product.part = same(1) ? 1 : 0;
    found.push_back(std::move(product));
  }
  return found;
}

}  // namespace zoe::nn
