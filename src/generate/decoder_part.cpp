// SPDX-License-Identifier: MIT
#include "generate/decoder_part.h"

#include <vector>

namespace zoe::generate {

Result<nn::Graph> part_after(const nn::Graph& graph, std::size_t code, std::size_t out) {
  ZOE_TRY_ASSIGN(const std::vector<nn::ValueInfo> values, nn::validate(graph));
  const int first = graph.outputs[code].value, last = graph.outputs[out].value;
  std::vector<char> needed(values.size(), 0);
  needed[static_cast<std::size_t>(last)] = 1;
  // Values of the nodes, from the last one on: what a needed node reads is needed.
  std::vector<int> value_of(graph.nodes.size());
  int value = static_cast<int>(graph.inputs.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    value_of[i] = value;
    value += graph.nodes[i].op == nn::Op::kLstmCell ? 2 : 1;
  }
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    if (needed[static_cast<std::size_t>(value_of[i])] == 0 || value_of[i] == first) continue;
    for (const int read : graph.nodes[i].inputs) needed[static_cast<std::size_t>(read)] = 1;
  }
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    if (needed[i] != 0 && static_cast<int>(i) != first)
      return Error{ErrorCode::kUnsupported, "the network's output needs its input '" + graph.inputs[i].name +
                                                "' as well as its code: it is no autoencoder"};
  }
  nn::Graph part;
  part.metadata = graph.metadata;
  part.weights = graph.weights;
  part.inputs = {{"code", 0, values[static_cast<std::size_t>(first)].shape}};
  std::vector<int> moved(values.size(), -1);
  moved[static_cast<std::size_t>(first)] = 0;
  int next = 1;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (needed[static_cast<std::size_t>(value_of[i])] == 0 || value_of[i] == first) continue;
    nn::Node node = graph.nodes[i];
    for (int& read : node.inputs) read = moved[static_cast<std::size_t>(read)];
    moved[static_cast<std::size_t>(value_of[i])] = next++;
    part.nodes.push_back(std::move(node));
  }
  part.outputs = {{graph.outputs[out].name, moved[static_cast<std::size_t>(last)], graph.outputs[out].shape}};
  ZOE_TRY(nn::validate(part));
  return part;
}

}  // namespace zoe::generate
