// SPDX-License-Identifier: MIT
// Part of Zoetrope. Operations that opset 15 does not have, built from others.
#include <cmath>
#include <limits>
#include <numbers>

#include "nn/onnx/emit.h"

namespace zoe::nn::onnx {

std::string Emitter::expert_linear(Shape out) {
  const Weight& w = *weight(0);
  const auto experts = static_cast<std::int64_t>(w.shape[0]), width = static_cast<std::int64_t>(w.shape[1]);
  const auto num_in = static_cast<std::int64_t>(w.shape[2]);
  // A gate with one row applies to all rows of x. Its axis of steps is then 1.
  const std::string gate = !single(out) ? with_steps(1) : in(1);
  if (options_.experts == OnnxOptions::Experts::kBlendWeights && single(in_shape(1))) {
    const std::string matrices =
        reshape(model_.node("MatMul", {in(1), tensor(0, {experts, width * num_in})}), {0, width, num_in});
    const std::string x = reshape(in(0), {0, rows_dim(out), num_in});
    const std::string turned = model_.node("Transpose", {matrices}, Attributes().integers("perm", {0, 2, 1}));
    std::string y = model_.node("MatMul", {x, turned});
    if (has(1)) y = model_.node("Add", {y, reshape(model_.node("MatMul", {in(1), tensor(1)}), {0, 1, width})});
    return settled(y, out);
  }
  // All experts side by side: [batch, (steps,) experts, width].
  std::string y;
  if (single(out)) {
    y = reshape(model_.node("Gemm", {in(0), tensor(0, {experts * width, num_in})}, Attributes().integer("transB", 1)),
                {0, experts, width});
  } else {
    y = reshape(model_.node("MatMul", {in(0), transposed(0)}), {0, rows_dim(out), experts, width});
  }
  if (has(1)) y = model_.node("Add", {y, tensor(1)});
  const Ints gate_dims = single(out) ? Ints{0, 1, experts} : Ints{0, rows_dim(in_shape(1)), 1, experts};
  y = model_.node("MatMul", {reshape(gate, gate_dims), y});  // [batch, (steps,) 1, width]
  return reshape(y, usual(out));
}

std::string Emitter::conv1d(Shape out) {
  const nn::Attributes& a = node_->attributes;
  const auto turn = Attributes().integers("perm", {0, 2, 1});
  Names inputs{model_.node("Transpose", {with_steps(0)}, turn), tensor(0)};
  if (has(1)) inputs.push_back(tensor(1));
  const std::string y = model_.node("Conv", inputs,
                                    Attributes()
                                        .integers("strides", {a.stride})
                                        .integers("pads", {a.padding, a.padding})
                                        .integers("dilations", {a.dilation}));
  return settled(model_.node("Transpose", {y}, turn), out);
}

std::string Emitter::gru_cell() {
  const std::int64_t n = in_shape(1).width;
  const std::string a = product(in(0), true, 0, 2), b = product(in(1), true, 1, 3);
  const auto sum = [&](std::int64_t gate) {
    return model_.node("Add", {columns(a, gate * n, (gate + 1) * n), columns(b, gate * n, (gate + 1) * n)});
  };
  const std::string reset = model_.node("Sigmoid", {sum(0)}), update = model_.node("Sigmoid", {sum(1)});
  const std::string held = model_.node("Mul", {reset, columns(b, 2 * n, 3 * n)});
  const std::string fresh = model_.node("Tanh", {model_.node("Add", {columns(a, 2 * n, 3 * n), held})});
  // (1 - update) * fresh + update * h
  return model_.node("Add", {fresh, model_.node("Mul", {update, model_.node("Sub", {in(1), fresh})})});
}

Names Emitter::lstm_cell() {
  const std::int64_t n = in_shape(1).width;
  const std::string all = model_.node("Add", {product(in(0), true, 0, 2), product(in(1), true, 1, 3)});
  const auto gate = [&](const char* function, std::int64_t g) {
    return model_.node(function, {columns(all, g * n, (g + 1) * n)});
  };
  const std::string kept = model_.node("Mul", {gate("Sigmoid", 1), in(2)});
  const std::string c = model_.node("Add", {kept, model_.node("Mul", {gate("Sigmoid", 0), gate("Tanh", 2)})});
  return {model_.node("Mul", {gate("Sigmoid", 3), model_.node("Tanh", {c})}), c};
}

std::string Emitter::embedding(Shape out) {
  const auto last = static_cast<float>(weight(0)->shape[0] - 1);
  const std::string clipped =
      model_.node("Clip", {model_.node("Round", {in(0)}), model_.scalar(0), model_.scalar(last)});
  const std::string index = model_.node("Cast", {clipped}, Attributes().integer("to", 7));  // int64
  const std::string rows = model_.node("Gather", {tensor(0), index}, Attributes().integer("axis", 0));
  return reshape(rows, usual(out));
}

std::string Emitter::softmax(Shape out) {
  const int group = node_->attributes.group;
  const Attributes last = Attributes().integer("axis", -1);
  if (group == 0 || group == out.width) return model_.node("Softmax", {in(0)}, last);
  const std::string grouped =
      reshape(in(0), {0, out.by_dims.empty() ? static_cast<std::int64_t>(out.size()) / group : -1, group});
  return reshape(model_.node("Softmax", {grouped}, last), usual(out));
}

std::string Emitter::layer_norm() {
  const std::string centred = model_.node("Sub", {in(0), mean_of(in(0), {-1})});
  const std::string variance = mean_of(model_.node("Mul", {centred, centred}), {-1});
  const std::string deviation =
      model_.node("Sqrt", {model_.node("Add", {variance, model_.scalar(node_->attributes.epsilon)})});
  return scaled(model_.node("Div", {centred, deviation}), 0, 1);
}

std::string Emitter::elementwise(Shape out) {
  // A single row beside several needs its axis of steps. Constants are broadcast as they are.
  const auto operand = [&](std::size_t i) {
    const bool constant = values_[static_cast<std::size_t>(node_->inputs[i])].constant;
    return !single(out) && single(in_shape(i)) && !constant ? with_steps(i) : in(i);
  };
  switch (node_->op) {
    case Op::kAdd:
      return model_.node("Add", {operand(0), operand(1)});
    case Op::kSubtract:
      return model_.node("Sub", {operand(0), operand(1)});
    case Op::kMultiply:
      return model_.node("Mul", {operand(0), operand(1)});
    case Op::kDivide:
      return model_.node("Div", {operand(0), operand(1)});
    case Op::kAtan2:
      return atan2(operand(0), operand(1));
    default:
      return model_.node("Add", {model_.node("Mul", {operand(0), operand(1)}), operand(2)});
  }
}

// Opset 15 has the arc tangent of one number: computed from the smaller part over the larger, then moved to its octant.
std::string Emitter::atan2(const std::string& y, const std::string& x) {
  const auto less = [&](const std::string& a, const std::string& b) { return model_.node("Less", {a, b}); };
  const auto where = [&](const std::string& c, const std::string& a, const std::string& b) {
    return model_.node("Where", {c, a, b});
  };
  const auto from = [&](float whole, const std::string& a) { return model_.node("Sub", {model_.scalar(whole), a}); };
  const std::string ax = model_.node("Abs", {x}), ay = model_.node("Abs", {y}), zero = model_.scalar(0);
  constexpr float kTiny = std::numeric_limits<float>::min();  // For (0, 0).
  const std::string high = model_.node("Max", {model_.node("Max", {ax, ay}), model_.scalar(kTiny)});
  std::string angle = model_.node("Atan", {model_.node("Div", {model_.node("Min", {ax, ay}), high})});
  angle = where(less(ax, ay), from(std::numbers::pi_v<float> / 2, angle), angle);
  angle = where(less(x, zero), from(std::numbers::pi_v<float>, angle), angle);
  return where(less(y, zero), from(0, angle), angle);
}

std::string Emitter::argmin(Shape out) {
  const std::string index = model_.node("ArgMin", {in(0)}, Attributes().integer("axis", -1).integer("keepdims", 1));
  return settled(model_.node("Cast", {index}, Attributes().integer("to", 1)), out, !single(in_shape(0)));
}

// Catmull-Rom as a kernel of the cyclic distance d from each of the four points, which needs no
// indices: 1 - 2.5 d^2 + 1.5 d^3 below 1, 2 - 4 d + 2.5 d^2 - 0.5 d^3 from 1 to 2.
std::string Emitter::phase_weights() {
  const auto number = [&](float v) { return model_.scalar(v); };
  const auto mul = [&](const std::string& a, const std::string& b) { return model_.node("Mul", {a, b}); };
  const auto add = [&](const std::string& a, const std::string& b) { return model_.node("Add", {a, b}); };
  const std::string turns = model_.node("Sub", {in(0), model_.node("Floor", {in(0)})});
  const std::string points = model_.floats("control_points", {4}, std::vector<float>{0, 1, 2, 3});
  const std::string u = model_.node("Sub", {mul(turns, number(4)), points});  // -3 to 4
  const std::string cycles = model_.node("Floor", {mul(add(u, number(2)), number(0.25F))});
  const std::string d = model_.node("Abs", {model_.node("Sub", {u, mul(cycles, number(4))})});
  const std::string d2 = mul(d, d);
  const std::string near = add(number(1), mul(d2, add(number(-2.5F), mul(d, number(1.5F)))));
  const std::string far = add(number(2), add(mul(d, number(-4)), mul(d2, add(number(2.5F), mul(d, number(-0.5F))))));
  return model_.node("Where", {model_.node("Less", {d, number(1)}), near, far});
}

}  // namespace zoe::nn::onnx
