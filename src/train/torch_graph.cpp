// SPDX-License-Identifier: MIT
#include "train/torch_graph.h"

#include "train/torch_operations.h"

namespace zoe::train {

using nn::Op;

Result<TorchGraph> TorchGraph::make(nn::Graph graph) {
  ZOE_TRY_ASSIGN(std::vector<nn::ValueInfo> values, nn::validate(graph));
  if (!graph.dims.empty())
    return Error{ErrorCode::kUnsupported, "dimension '" + graph.dims[0] + "' has no size: bind_dims() gives one"};
  return TorchGraph(std::move(graph), std::move(values));
}

TorchGraph::TorchGraph(nn::Graph graph, std::vector<nn::ValueInfo> values)
    : graph_(std::move(graph)), values_(std::move(values)) {
  for (const nn::Weight& weight : graph_.weights) {
    const std::vector<std::int64_t> shape(weight.shape.begin(), weight.shape.end());
    weights_.push_back(at::tensor(weight.to_floats()).view(shape));
  }
}

void TorchGraph::to(const at::TensorOptions& options) {
  for (at::Tensor& weight : weights_) weight = weight.to(options);
}

std::vector<at::Tensor> TorchGraph::operator()(const std::vector<at::Tensor>& inputs) const {
  std::vector<at::Tensor> values = inputs;
  values.reserve(values_.size());
  for (const nn::Node& node : graph_.nodes) run(node, values);
  std::vector<at::Tensor> outputs;
  for (const nn::Port& port : graph_.outputs) {
    const at::Tensor& value = values[static_cast<std::size_t>(port.value)];
    const std::int64_t batch = inputs[0].size(0);
    if (!values_[static_cast<std::size_t>(port.value)].constant) {
      outputs.push_back(value);
    } else {
      outputs.push_back(port.shape.steps == 1 ? value.expand({batch, -1}) : value.expand({batch, -1, -1}));
    }
  }
  return outputs;
}

std::vector<at::Tensor> TorchGraph::run_along_rows(const nn::Node& node, const std::vector<at::Tensor>& values,
                                                   nn::Shape out) const {
  TorchNode job{node, {}, {}, out, values[0].size(0)};
  for (const int input : node.inputs) {
    const auto value = static_cast<std::size_t>(input);
    const nn::ValueInfo& info = values_[value];
    const at::Tensor& x = values[value];
    job.in.push_back(info.constant ? x.unsqueeze(0) : info.shape.steps == 1 ? x.unsqueeze(1) : x);
  }
  for (const int weight : node.weights)
    job.weights.push_back(weight < 0 ? at::Tensor() : weights_[static_cast<std::size_t>(weight)]);
  std::vector<at::Tensor> made = compute_along_rows(job);
  for (at::Tensor& one : made) one = out.steps == 1 ? one.squeeze(1) : one;
  return made;
}

// No default: a new operation must be added here.
void TorchGraph::run(const nn::Node& node, std::vector<at::Tensor>& values) const {
  const nn::Attributes& a = node.attributes;
  const nn::Shape out = values_[values.size()].shape;
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
  const auto result = [&](at::Tensor value) { values.push_back(std::move(value)); };
  switch (node.op) {
    case Op::kLinear:
      return result(activate(at::linear(in(0), weight(0), weight(1)), a));
    case Op::kExpertLinear: {
      if (out.steps > 1) break;
      // All experts side by side, their outputs blended.
      const std::int64_t experts = weight(0).size(0), width = weight(0).size(1);
      at::Tensor y = at::linear(in(0), weight(0).view({experts * width, -1}));
      y = y.view({y.size(0), experts, width});
      if (weight(1).defined()) y = y + weight(1);
      return result(activate(at::bmm(in(1).unsqueeze(1), y).squeeze(1), a));
    }
    case Op::kActivation:
      return result(activate(in(0), a));
    case Op::kSoftmax: {
      const at::Tensor x = in(0);
      const int group = a.group > 0 ? a.group : out.width;
      return result(at::softmax(x.reshape({x.size(0), -1, group}), -1).view(x.sizes()));
    }
    case Op::kAdd:
      return result(in(0) + in(1));
    case Op::kSubtract:
      return result(in(0) - in(1));
    case Op::kMultiply:
      return result(in(0) * in(1));
    case Op::kDivide:
      return result(in(0) / in(1));
    case Op::kAtan2:
      return result(at::atan2(in(0) + 0.0, in(1) + 0.0));  // -0 counts as 0.
    case Op::kFilm:
      return result(activate(at::addcmul(in(2), in(0), in(1)), a));
    case Op::kConcat: {
      const std::int64_t batch = values[0].size(0);
      std::vector<at::Tensor> parts;
      for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const at::Tensor x = in(i);
        parts.push_back(out.steps > 1 ? x.expand({batch, out.steps, x.size(-1)}) : x.expand({batch, x.size(-1)}));
      }
      return result(at::cat(parts, -1));
    }
    case Op::kSlice:
      return result(in(0).narrow(-1, a.begin, a.end - a.begin));
    case Op::kNormalize:
      return result((in(0) - weight(0)) / weight(1));
    case Op::kDenormalize:
      return result(at::addcmul(weight(0), in(0), weight(1)));
    case Op::kConstant:
      return result(weight(0));
    case Op::kConv1d:
    case Op::kGruCell:
    case Op::kLstmCell:
    case Op::kEmbedding:
    case Op::kArgmin:
    case Op::kLayerNorm:
    case Op::kAttention:
    case Op::kReshape:
    case Op::kTranspose:
    case Op::kPhaseWeights:
    case Op::kRmsNorm:
    case Op::kGroupNorm:
    case Op::kGlu:
    case Op::kSoftmaxRows:
    case Op::kPositions:
    case Op::kSinusoidal:
    case Op::kRotary:
    case Op::kGather:
    case Op::kPoolRows:
    case Op::kConcatRows:
    case Op::kSliceRows:
    case Op::kRepeatRows:
    case Op::kConv2d:
    case Op::kUpsample:
      break;
  }
  for (at::Tensor& value : run_along_rows(node, values, out)) result(std::move(value));
}

}  // namespace zoe::train
