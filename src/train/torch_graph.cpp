// SPDX-License-Identifier: MIT
#include "train/torch_graph.h"

#include "train/blocks.h"

namespace zoe::train {

using nn::Op;

Result<TorchGraph> TorchGraph::make(nn::Graph graph) {
  ZOE_TRY_ASSIGN(std::vector<nn::ValueInfo> values, nn::validate(graph));
  for (const nn::Node& node : graph.nodes) {
    switch (node.op) {
      case Op::kLinear:
      case Op::kExpertLinear:
      case Op::kActivation:
      case Op::kSoftmax:
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMultiply:
      case Op::kFilm:
      case Op::kConcat:
      case Op::kSlice:
      case Op::kNormalize:
      case Op::kDenormalize:
      case Op::kConstant:
        break;
      default:
        return Error{ErrorCode::kUnsupported,
                     std::string("the libtorch peer has no operation '") + to_string(node.op) + "'"};
    }
  }
  return TorchGraph(std::move(graph), std::move(values));
}

TorchGraph::TorchGraph(nn::Graph graph, std::vector<nn::ValueInfo> values)
    : graph_(std::move(graph)), values_(std::move(values)) {
  for (const nn::Weight& weight : graph_.weights) {
    const std::vector<std::int64_t> shape(weight.shape.begin(), weight.shape.end());
    weights_.push_back(at::tensor(weight.to_floats()).view(shape));
  }
}

std::vector<at::Tensor> TorchGraph::operator()(const std::vector<at::Tensor>& inputs) const {
  std::vector<at::Tensor> values = inputs;
  values.reserve(values_.size());
  for (const nn::Node& node : graph_.nodes) values.push_back(run(node, values, values_[values.size()].shape));
  std::vector<at::Tensor> outputs;
  for (const nn::Port& port : graph_.outputs) outputs.push_back(values[static_cast<std::size_t>(port.value)]);
  return outputs;
}

at::Tensor TorchGraph::run(const nn::Node& node, const std::vector<at::Tensor>& values, nn::Shape out) const {
  const nn::Attributes& a = node.attributes;
  const auto in = [&](std::size_t i) {
    const auto value = static_cast<std::size_t>(node.inputs[i]);
    const at::Tensor& x = values[value];
    // A single row beside several is repeated.
    const bool single = out.steps > 1 && values_[value].shape.steps == 1 && !values_[value].constant;
    return single ? x.unsqueeze(1) : x;
  };
  const auto weight = [&](std::size_t i) {
    return node.weights[i] < 0 ? at::Tensor() : weights_[static_cast<std::size_t>(node.weights[i])];
  };
  switch (node.op) {
    case Op::kLinear:
      return activate(at::linear(in(0), weight(0), weight(1)), a.activation);
    case Op::kExpertLinear: {
      // All experts side by side, their outputs blended.
      const std::int64_t experts = weight(0).size(0), width = weight(0).size(1);
      at::Tensor y = at::linear(in(0), weight(0).view({experts * width, -1}));
      y = y.view({y.size(0), experts, width});
      if (weight(1).defined()) y = y + weight(1);
      return activate(at::bmm(in(1).unsqueeze(1), y).squeeze(1), a.activation);
    }
    case Op::kActivation:
      return activate(in(0), a.activation);
    case Op::kSoftmax: {
      const at::Tensor x = in(0);
      const int group = a.group > 0 ? a.group : out.width;
      return at::softmax(x.view({x.size(0), -1, group}), -1).view(x.sizes());
    }
    case Op::kAdd:
      return in(0) + in(1);
    case Op::kSubtract:
      return in(0) - in(1);
    case Op::kMultiply:
      return in(0) * in(1);
    case Op::kFilm:
      return activate(at::addcmul(in(2), in(0), in(1)), a.activation);
    case Op::kConcat: {
      std::vector<at::Tensor> parts;
      for (std::size_t i = 0; i < node.inputs.size(); ++i) parts.push_back(in(i));
      return at::cat(parts, -1);
    }
    case Op::kSlice:
      return in(0).narrow(-1, a.begin, a.end - a.begin);
    case Op::kNormalize:
      return (in(0) - weight(0)) / weight(1);
    case Op::kDenormalize:
      return at::addcmul(weight(0), in(0), weight(1));
    case Op::kConstant:
      return weight(0);
    default:
      return {};  // make() refuses them.
  }
}

}  // namespace zoe::train
