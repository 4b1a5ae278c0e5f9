// SPDX-License-Identifier: MIT
#include "zoe/core/random.h"
#include "zoe/nn/quantize.h"

namespace zoe::nn {
namespace {

// The node with the most information about an input; null: none.
const Node* telling_node(const Graph& graph, int value) {
  for (const Node& node : graph.nodes) {
    const bool reads = !node.inputs.empty() && node.inputs[0] == value;
    const bool tells = node.op == Op::kNormalize || node.op == Op::kEmbedding || node.op == Op::kPhaseWeights;
    if (reads && tells) return &node;
  }
  return nullptr;
}

}  // namespace

std::vector<std::vector<float>> made_up_inputs(const Graph& graph, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<float>> inputs;
  for (const Port& port : graph.inputs) {
    std::vector<float>& values = inputs.emplace_back(port.shape.size() * static_cast<std::size_t>(count));
    const Node* node = telling_node(graph, port.value);
    const auto weight = [&](std::size_t i) -> const Weight& {
      return graph.weights[static_cast<std::size_t>(node->weights[i])];
    };
    const auto width = static_cast<std::size_t>(port.shape.width);
    std::vector<float> mean(width, 0.0F), deviation(width, 1.0F);
    if (node != nullptr && node->op == Op::kNormalize) mean = weight(0).to_floats(), deviation = weight(1).to_floats();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (node != nullptr && node->op == Op::kEmbedding) {
        values[i] = static_cast<float>(random.below(weight(0).shape[0]));
      } else if (node != nullptr && node->op == Op::kPhaseWeights) {
        values[i] = random.uniform();
      } else {
        values[i] = mean[i % width] + deviation[i % width] * static_cast<float>(random.normal());
      }
    }
  }
  return inputs;
}

}  // namespace zoe::nn
