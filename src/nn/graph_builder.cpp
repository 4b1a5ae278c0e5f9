// SPDX-License-Identifier: MIT
#include "zoe/nn/graph_builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "nn/op_table.h"

namespace zoe::nn {

void GraphBuilder::fail(std::string message) {
  if (!error_) error_ = Error{ErrorCode::kInvalid, std::move(message)};
}

int GraphBuilder::add_node(Op op, std::vector<int> inputs, std::vector<int> weights, Attributes attributes) {
  if (error_) return 0;
  Node node{op, std::move(inputs), std::move(weights), attributes};
  Result<std::vector<ValueInfo>> made = infer(graph_, node, values_);
  if (!made) {
    error_ = std::move(made).error();
    return 0;
  }
  const auto first = static_cast<int>(values_.size());
  values_.insert(values_.end(), made->begin(), made->end());
  graph_.nodes.push_back(std::move(node));
  return first;
}

int GraphBuilder::add_weight(std::string name, Dims shape, Values values) {
  const auto known =
      std::find_if(graph_.weights.begin(), graph_.weights.end(), [&](const Weight& w) { return w.name == name; });
  if (known != graph_.weights.end()) {
    if (!values.empty()) fail(fmt::format("two weights are called '{}'", name));
    return static_cast<int>(known - graph_.weights.begin());
  }
  if (values.empty()) return -1;
  if (array_bytes(shape, sizeof(float)) != values.size_bytes()) {
    fail(fmt::format("weight '{}': {} values for shape [{}]", name, values.size(), fmt::join(shape, ", ")));
    return -1;
  }
  graph_.weights.push_back(make_weight(std::move(name), std::move(shape), values));
  return static_cast<int>(graph_.weights.size()) - 1;
}

RowCount GraphBuilder::dim(std::string name) {
  graph_.dims.push_back(std::move(name));
  return RowCount::dim(static_cast<int>(graph_.dims.size()) - 1);
}

int GraphBuilder::input(std::string name, int width, const RowCount& rows) {
  if (!graph_.nodes.empty()) fail(fmt::format("input '{}' comes after the first operation", name));
  const auto value = static_cast<int>(values_.size());
  graph_.inputs.push_back({std::move(name), value, Shape::of(rows, width)});
  values_.push_back({Shape::of(rows, width), false});
  return value;
}

void GraphBuilder::output(std::string name, int value) {
  graph_.outputs.push_back({std::move(name), value, shape(value)});
}

int GraphBuilder::linear(int x, const std::string& name, Dims out_in, Values weight, Values bias,
                         Activation activation) {
  const std::size_t out = out_in.empty() ? 0 : out_in[0];
  const int w = add_weight(name + ".weight", std::move(out_in), weight);
  return add_node(Op::kLinear, {x}, {w, add_weight(name + ".bias", {out}, bias)}, {.activation = activation});
}

int GraphBuilder::expert_linear(int x, int gate, const std::string& name, Dims experts_out_in, Values weight,
                                Values bias, Activation activation) {
  if (experts_out_in.size() != 3) return fail("expert_linear: give {experts, out, in}"), 0;
  const Dims bias_shape{experts_out_in[0], experts_out_in[1]};
  const int w = add_weight(name + ".weight", std::move(experts_out_in), weight);
  return add_node(Op::kExpertLinear, {x, gate}, {w, add_weight(name + ".bias", bias_shape, bias)},
                  {.activation = activation});
}

int GraphBuilder::conv1d(int x, const std::string& name, Dims out_in_kernel, Values weight, Values bias, Conv conv,
                         Activation activation) {
  const std::size_t out = out_in_kernel.empty() ? 0 : out_in_kernel[0];
  const int w = add_weight(name + ".weight", std::move(out_in_kernel), weight);
  return add_node(
      Op::kConv1d, {x}, {w, add_weight(name + ".bias", {out}, bias)},
      {.activation = activation, .stride = conv.stride, .padding = conv.padding, .dilation = conv.dilation});
}

int GraphBuilder::gru_cell(int x, int h, const std::string& name, const CellWeights& weights) {
  const auto in = static_cast<std::size_t>(shape(x).width), hidden = static_cast<std::size_t>(shape(h).width);
  return add_node(Op::kGruCell, {x, h},
                  {add_weight(name + ".w_input", {3 * hidden, in}, weights.w_input),
                   add_weight(name + ".w_state", {3 * hidden, hidden}, weights.w_state),
                   add_weight(name + ".b_input", {3 * hidden}, weights.b_input),
                   add_weight(name + ".b_state", {3 * hidden}, weights.b_state)});
}

GraphBuilder::LstmOut GraphBuilder::lstm_cell(int x, int h, int c, const std::string& name,
                                              const CellWeights& weights) {
  const auto in = static_cast<std::size_t>(shape(x).width), hidden = static_cast<std::size_t>(shape(h).width);
  const int first = add_node(Op::kLstmCell, {x, h, c},
                             {add_weight(name + ".w_input", {4 * hidden, in}, weights.w_input),
                              add_weight(name + ".w_state", {4 * hidden, hidden}, weights.w_state),
                              add_weight(name + ".b_input", {4 * hidden}, weights.b_input),
                              add_weight(name + ".b_state", {4 * hidden}, weights.b_state)});
  return {first, error_ ? 0 : first + 1};
}

int GraphBuilder::embedding(int index, const std::string& name, Dims rows_width, Values table) {
  return add_node(Op::kEmbedding, {index}, {add_weight(name + ".table", std::move(rows_width), table)});
}
int GraphBuilder::activation(int x, Activation activation, float alpha) {
  return add_node(Op::kActivation, {x}, {}, {.activation = activation, .alpha = alpha});
}
int GraphBuilder::softmax(int x, int group) { return add_node(Op::kSoftmax, {x}, {}, {.group = group}); }
int GraphBuilder::layer_norm(int x, const std::string& name, Values gamma, Values beta, float epsilon) {
  const auto width = static_cast<std::size_t>(shape(x).width);
  return add_node(Op::kLayerNorm, {x},
                  {add_weight(name + ".gamma", {width}, gamma), add_weight(name + ".beta", {width}, beta)},
                  {.epsilon = epsilon});
}
int GraphBuilder::attention(int q, int k, int v, int heads, bool causal) {
  return add_node(Op::kAttention, {q, k, v}, {}, {.heads = heads, .causal = causal});
}
int GraphBuilder::add(int a, int b) { return add_node(Op::kAdd, {a, b}, {}); }
int GraphBuilder::argmin(int x) { return add_node(Op::kArgmin, {x}, {}); }
int GraphBuilder::divide(int a, int b) { return add_node(Op::kDivide, {a, b}, {}); }
int GraphBuilder::atan2(int y, int x) { return add_node(Op::kAtan2, {y, x}, {}); }
int GraphBuilder::subtract(int a, int b) { return add_node(Op::kSubtract, {a, b}, {}); }
int GraphBuilder::multiply(int a, int b) { return add_node(Op::kMultiply, {a, b}, {}); }
int GraphBuilder::film(int x, int scale, int shift, Activation activation) {
  return add_node(Op::kFilm, {x, scale, shift}, {}, {.activation = activation});
}
int GraphBuilder::concat(std::vector<int> values) { return add_node(Op::kConcat, std::move(values), {}); }
int GraphBuilder::slice(int x, int begin, int end) {
  return add_node(Op::kSlice, {x}, {}, {.begin = begin, .end = end});
}
int GraphBuilder::reshape(int x, const RowCount& rows, int width) {
  if (!rows.fixed()) return add_node(Op::kReshape, {x}, {}, {.width = width, .rows = rows});
  return add_node(Op::kReshape, {x}, {}, {.steps = *rows.fixed(), .width = width});
}
int GraphBuilder::transpose(int x) { return add_node(Op::kTranspose, {x}, {}); }
int GraphBuilder::normalize(int x, const std::string& name, Values mean, Values std) {
  const auto width = static_cast<std::size_t>(shape(x).width);
  return add_node(Op::kNormalize, {x},
                  {add_weight(name + ".mean", {width}, mean), add_weight(name + ".std", {width}, std)});
}
int GraphBuilder::denormalize(int x, const std::string& name, Values mean, Values std) {
  const auto width = static_cast<std::size_t>(shape(x).width);
  return add_node(Op::kDenormalize, {x},
                  {add_weight(name + ".mean", {width}, mean), add_weight(name + ".std", {width}, std)});
}
int GraphBuilder::phase_weights(int phase_turns) { return add_node(Op::kPhaseWeights, {phase_turns}, {}); }
int GraphBuilder::constant(const std::string& name, int steps, int width, Values values) {
  return add_node(Op::kConstant, {},
                  {add_weight(name, {static_cast<std::size_t>(steps), static_cast<std::size_t>(width)}, values)});
}

void GraphBuilder::set_metadata(std::string key, std::string text) {
  graph_.metadata.insert_or_assign(std::move(key), std::move(text));
}

Shape GraphBuilder::shape(int value) const {
  if (error_ || value < 0 || static_cast<std::size_t>(value) >= values_.size()) return {0, 0};
  return values_[static_cast<std::size_t>(value)].shape;
}

Result<Graph> GraphBuilder::build() && {
  if (error_) return std::move(*error_);
  ZOE_TRY(validate(graph_));
  return std::move(graph_);
}

}  // namespace zoe::nn
