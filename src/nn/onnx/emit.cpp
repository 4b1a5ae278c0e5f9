// SPDX-License-Identifier: MIT
#include "nn/onnx/emit.h"

#include <cmath>

#include "nn/op_table.h"

namespace zoe::nn::onnx {
namespace {

Ints dims_of(Shape shape) {
  if (!shape.by_dims.empty()) return {-1, -2, shape.width};
  return shape.steps == 1 ? Ints{-1, shape.width} : Ints{-1, shape.steps, shape.width};
}
Ints weight_dims(const Weight& weight) { return {weight.shape.begin(), weight.shape.end()}; }

}  // namespace

const Weight* Emitter::weight(std::size_t i) const {
  return node_->weights[i] < 0 ? nullptr : &graph_.weights[static_cast<std::size_t>(node_->weights[i])];
}

std::string Emitter::tensor(std::size_t i, Ints dims) {
  if (dims.empty()) dims = weight_dims(*weight(i));
  std::string& name = tensors_[{node_->weights[i], dims}];
  if (name.empty()) name = model_.floats(weight(i)->name, dims, weight(i)->to_floats());
  return name;
}

std::string Emitter::transposed(std::size_t i) {
  std::string& name = transposes_[node_->weights[i]];
  if (!name.empty()) return name;
  const std::vector<float> values = weight(i)->to_floats();
  const std::size_t columns = weight(i)->shape.back(), rows = values.size() / columns;
  std::vector<float> turned(values.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) turned[c * rows + r] = values[r * columns + c];
  }
  const Ints dims{static_cast<std::int64_t>(columns), static_cast<std::int64_t>(rows)};
  return name = model_.floats(weight(i)->name + ".transposed", dims, turned);
}

std::string Emitter::reshape(const std::string& x, Ints dims) {
  return model_.node("Reshape", {x, model_.integers(dims)});
}

std::string Emitter::with_steps(std::size_t i) {
  const Shape s = in_shape(i);
  return !single(s) ? in(i) : reshape(in(i), {0, 1, s.width});
}

std::string Emitter::settled(const std::string& x, Shape s, bool has_steps_axis) {
  return has_steps_axis == !single(s) ? x : reshape(x, usual(s));
}

std::string Emitter::activate(const std::string& x) {
  const nn::Attributes& a = node_->attributes;
  switch (a.activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return model_.node("Relu", {x});
    case Activation::kLeakyRelu:
      return model_.node("LeakyRelu", {x}, Attributes().real("alpha", a.alpha));
    case Activation::kElu:
      return model_.node("Elu", {x}, Attributes().real("alpha", 1));
    case Activation::kSilu:
      return model_.node("Mul", {x, model_.node("Sigmoid", {x})});
    case Activation::kTanh:
      return model_.node("Tanh", {x});
    case Activation::kSigmoid:
      return model_.node("Sigmoid", {x});
    case Activation::kSine:
      return model_.node("Sin", {x});
    case Activation::kSquareRoot:
      return model_.node("Sqrt", {x});
    case Activation::kGelu: {
      const std::string erf = model_.node("Erf", {model_.node("Mul", {x, model_.scalar(std::sqrt(0.5F))})});
      const std::string half = model_.node("Mul", {x, model_.scalar(0.5F)});
      return model_.node("Mul", {half, model_.node("Add", {erf, model_.scalar(1)})});
    }
  }
  return x;
}

// x · weight^T + bias.
std::string Emitter::product(const std::string& x, bool single_row, std::size_t w, std::size_t b) {
  if (single_row) {
    Names inputs{x, tensor(w)};
    if (has(b)) inputs.push_back(tensor(b));
    return model_.node("Gemm", inputs, Attributes().integer("transB", 1));
  }
  const std::string y = model_.node("MatMul", {x, transposed(w)});
  return has(b) ? model_.node("Add", {y, tensor(b)}) : y;
}

std::string Emitter::columns(const std::string& x, std::int64_t begin, std::int64_t end) {
  return model_.node("Slice", {x, model_.integers({begin}), model_.integers({end}), model_.integers({-1})});
}

std::string Emitter::repeated(std::size_t i, Shape out) {
  const ValueInfo& info = values_[static_cast<std::size_t>(node_->inputs[i])];
  if (!info.constant) {
    if (info.shape.rows() == out.rows()) return in(i);
    return model_.node("Expand", {with_steps(i), sizes({1, out.rows(), info.shape.width})});
  }
  const std::string rest =
      single(out) ? model_.integers({info.shape.width}) : sizes({out.rows(), RowCount(info.shape.width)});
  const std::string dims = model_.node("Concat", {batch(), rest}, Attributes().integer("axis", 0));
  return model_.node("Expand", {in(i), dims});
}

std::string Emitter::batch() {
  // Known from an input only when the model runs.
  const std::string all = model_.node("Shape", {names_[0]});
  return model_.node("Slice", {all, model_.integers({0}), model_.integers({1}), model_.integers({0})});
}

Result<std::string> Emitter::run() {
  for (const Port& port : graph_.inputs) names_.push_back(model_.fresh(port.name));
  for (const Port& port : graph_.inputs)
    model_.input(names_[static_cast<std::size_t>(port.value)], dims_of(port.shape),
                 port.shape.rows().text(graph_.dims));
  Names outputs;
  for (const Port& port : graph_.outputs) outputs.push_back(model_.fresh(port.name));
  ZOE_TRY(solve_dims());
  for (const Node& node : graph_.nodes) {
    node_ = &node;
    const Names made = emit(shape(static_cast<int>(names_.size())));
    names_.insert(names_.end(), made.begin(), made.end());
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    model_.identity(names_[static_cast<std::size_t>(graph_.outputs[i].value)], outputs[i]);
    const Shape port = graph_.outputs[i].shape;
    model_.output(outputs[i], dims_of(port), port.rows().text(graph_.dims));
  }
  for (const auto& [key, text] : graph_.metadata) model_.metadata(key, text);
  return model_.finish();
}

Names Emitter::emit(Shape out) {
  const nn::Attributes& a = node_->attributes;
  switch (node_->op) {
    case Op::kLinear:
      return {activate(product(in(0), single(out), 0, 1))};
    case Op::kExpertLinear:
      return {activate(expert_linear(out))};
    case Op::kConv1d:
      return {activate(conv1d(out))};
    case Op::kGruCell:
      return {gru_cell()};
    case Op::kLstmCell:
      return lstm_cell();
    case Op::kEmbedding:
      return {embedding(out)};
    case Op::kActivation:
      return {a.activation == Activation::kNone ? model_.node("Identity", {in(0)}) : activate(in(0))};
    case Op::kSoftmax:
      return {softmax(out)};
    case Op::kLayerNorm:
      return {layer_norm()};
    case Op::kAttention:
      return {attention(out)};
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kAtan2:
    case Op::kFilm:
      return {activate(elementwise(out))};
    case Op::kArgmin:
      return {argmin(out)};
    case Op::kConcat: {
      Names parts;
      for (std::size_t i = 0; i < node_->inputs.size(); ++i) parts.push_back(repeated(i, out));
      return {model_.node("Concat", parts, Attributes().integer("axis", -1))};
    }
    case Op::kSlice:
      return {columns(in(0), a.begin, a.end)};
    case Op::kReshape:
      return {reshape(in(0), usual(out))};
    case Op::kTranspose:
      return {settled(model_.node("Transpose", {with_steps(0)}, Attributes().integers("perm", {0, 2, 1})), out)};
    case Op::kNormalize:
      return {model_.node("Div", {model_.node("Sub", {in(0), tensor(0)}), tensor(1)})};
    case Op::kDenormalize:
      return {model_.node("Add", {model_.node("Mul", {in(0), tensor(1)}), tensor(0)})};
    case Op::kPhaseWeights:
      return {phase_weights()};
    case Op::kConstant: {
      const Weight& w = *weight(0);
      return {model_.floats(w.name, out.steps > 1 ? weight_dims(w) : Ints{out.width}, w.to_floats())};
    }
    default:
      return {emit_along_rows(out)};
  }
}

}  // namespace zoe::nn::onnx
