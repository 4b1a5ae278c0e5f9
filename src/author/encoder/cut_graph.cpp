// SPDX-License-Identifier: MIT
#include "author/encoder/cut_graph.h"

#include <cmath>

#include "zoe/core/check.h"

namespace zoe::author {

Result<nn::Graph> cut_before_last_layer(const nn::Graph& graph) {
  std::size_t last = 0, before = 0;  // Linear nodes, counted from 1.
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].op == nn::Op::kGruCell || graph.nodes[i].op == nn::Op::kLstmCell)
      return Error{ErrorCode::kInvalid, "the network is no chain of layers", {}};
    if (graph.nodes[i].op == nn::Op::kLinear) before = last, last = i + 1;
  }
  if (before == 0) return Error{ErrorCode::kInvalid, "the network has no layer before its last one", {}};
  nn::Graph out;
  out.inputs = graph.inputs;
  out.metadata = graph.metadata;
  out.nodes.assign(graph.nodes.begin(), graph.nodes.begin() + static_cast<std::ptrdiff_t>(before));
  out.nodes.back().attributes.activation = nn::Activation::kNone;
  std::vector<int> place(graph.weights.size(), -1);
  for (nn::Node& node : out.nodes) {
    for (int& weight : node.weights) {
      if (weight < 0) continue;
      int& at = place[static_cast<std::size_t>(weight)];
      if (at < 0) {
        at = static_cast<int>(out.weights.size());
        out.weights.push_back(graph.weights[static_cast<std::size_t>(weight)]);
      }
      weight = at;
    }
  }
  const nn::Weight& weight = out.weights[static_cast<std::size_t>(out.nodes.back().weights[0])];
  out.outputs = {{"code", static_cast<int>(out.inputs.size() + before) - 1, {1, static_cast<int>(weight.shape[0])}}};
  if (const auto values = nn::validate(out); !values) return values.error();
  return out;
}

void normalise_output(nn::Graph& graph, std::span<const float> codes, float limit) {
  const std::size_t width = graph.outputs[0].shape.size(), rows = codes.size() / width;
  ZOE_CHECK(rows > 1 && limit > 0, "normalise_output: at least two rows");
  std::vector<float> means, deviations;
  for (std::size_t c = 0; c < width; ++c) {
    double sum = 0, squares = 0;
    for (std::size_t r = 0; r < rows; ++r) sum += static_cast<double>(codes[r * width + c]);
    const double mean = sum / static_cast<double>(rows);
    for (std::size_t r = 0; r < rows; ++r) squares += std::pow(static_cast<double>(codes[r * width + c]) - mean, 2);
    means.push_back(static_cast<float>(mean));
    // A column that never changes says nothing: it becomes 0.
    const double deviation = std::sqrt(squares / static_cast<double>(rows));
    deviations.push_back(limit * static_cast<float>(deviation > 1e-6 ? deviation : 1e6));
  }
  const auto add = [&graph](nn::Op op, nn::Activation activation) {
    nn::Node node;
    node.op = op;
    node.inputs = {graph.outputs[0].value};
    node.attributes.activation = activation;
    if (op != nn::Op::kActivation)
      node.weights = {static_cast<int>(graph.weights.size()), static_cast<int>(graph.weights.size()) + 1};
    graph.outputs[0].value = static_cast<int>(graph.inputs.size() + graph.nodes.size());
    graph.nodes.push_back(std::move(node));
  };
  add(nn::Op::kNormalize, nn::Activation::kNone);
  graph.weights.push_back(nn::make_weight("code.mean", {width}, means));
  graph.weights.push_back(nn::make_weight("code.spread", {width}, deviations));
  add(nn::Op::kActivation, nn::Activation::kTanh);
  add(nn::Op::kDenormalize, nn::Activation::kNone);
  graph.weights.push_back(nn::make_weight("code.zero", {width}, std::vector<float>(width, 0.0F)));
  graph.weights.push_back(nn::make_weight("code.limit", {width}, std::vector<float>(width, limit)));
}

nn::Graph identity_graph(const std::string& input, int width) {
  nn::Graph out;
  out.inputs = {{input, 0, {1, width}}};
  out.outputs = {{"code", 0, {1, width}}};
  return out;
}

}  // namespace zoe::author
