// SPDX-License-Identifier: MIT
#include "zoe/nn/reference.h"

#include <algorithm>
#include <cmath>

#include "nn/op_table.h"
#include "nn/reference_rows.h"

namespace zoe::nn {

double reference::activate(double x, const Attributes& a) {
  switch (a.activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return std::max(x, 0.0);
    case Activation::kLeakyRelu:
      return x < 0 ? a.alpha * x : x;
    case Activation::kElu:
      return x < 0 ? std::expm1(x) : x;
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::kGelu:
      return 0.5 * x * (1 + std::erf(x * std::sqrt(0.5)));
    case Activation::kSine:
      return std::sin(x);
    case Activation::kSquareRoot:
      return std::sqrt(x);
  }
  return x;
}

namespace {

using reference::activate;
using reference::Row;

// rows[item * steps + step]; a constant has the rows of one item.
struct Table {
  ValueInfo info;
  std::vector<Row> rows;
  const Row& at(int item, int step) const {
    const int steps = info.shape.steps;
    return rows[static_cast<std::size_t>((info.constant ? 0 : item) * steps + (steps == 1 ? 0 : step))];
  }
};

class Evaluator {
 public:
  Evaluator(const Graph& graph, int batch) : graph_(graph), batch_(batch) {
    for (const Weight& weight : graph.weights) weights_.push_back(weight.to_floats());
  }

  std::vector<Table> tables;

  void add(const Node& node) {
    node_ = &node;
    std::vector<ValueInfo> infos;
    for (const Table& table : tables) infos.push_back(table.info);
    const std::vector<ValueInfo> made = infer(graph_, node, infos).value();
    const ValueInfo info = made[0];
    Table out{info, {}};
    Table second{info, {}};
    for (int item = 0; item < (info.constant ? 1 : batch_); ++item) {
      if (reference::is_along_rows(node.op)) {
        std::vector<Shape> shapes;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) shapes.push_back(in(i).info.shape);
        const auto row_of = [&](std::size_t i, int r) -> const Row& { return in(i).at(item, r); };
        for (Row& row : reference::compute({graph_, node, weights_, info.shape, std::move(shapes), row_of}))
          out.rows.push_back(std::move(row));
        continue;
      }
      if (node.op == Op::kReshape || node.op == Op::kTranspose) {
        for (Row& row : rearranged(item, info.shape)) out.rows.push_back(std::move(row));
        continue;
      }
      for (int step = 0; step < info.shape.steps; ++step) {
        if (node.op == Op::kLstmCell) {
          auto [h, c] = lstm(item);
          out.rows.push_back(std::move(h));
          second.rows.push_back(std::move(c));
        } else {
          out.rows.push_back(row(item, step, static_cast<std::size_t>(info.shape.width)));
        }
      }
    }
    tables.push_back(std::move(out));
    if (made.size() > 1) tables.push_back(std::move(second));
  }

 private:
  const Table& in(std::size_t i) const { return tables[static_cast<std::size_t>(node_->inputs[i])]; }
  const std::vector<float>* weight(std::size_t i) const {
    return node_->weights[i] < 0 ? nullptr : &weights_[static_cast<std::size_t>(node_->weights[i])];
  }
  double weight_at(std::size_t i, std::size_t at, double otherwise) const {
    return weight(i) == nullptr ? otherwise : static_cast<double>((*weight(i))[at]);
  }

  // matrix[first_row .. first_row + count) · x
  Row product(std::size_t w, std::size_t first_row, std::size_t count, const Row& x) const {
    Row out(count, 0.0);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t k = 0; k < x.size(); ++k)
        out[r] += static_cast<double>((*weight(w))[(first_row + r) * x.size() + k]) * x[k];
    }
    return out;
  }

  Row linear(int item, int step, std::size_t width) const {
    Row y = product(0, 0, width, in(0).at(item, step));
    for (std::size_t n = 0; n < width; ++n) y[n] += weight_at(1, n, 0);
    return y;
  }
  Row expert_linear(int item, int step, std::size_t width) const {
    const Row& gate = in(1).at(item, step);
    Row y(width, 0.0);
    for (std::size_t e = 0; e < gate.size(); ++e) {
      const Row part = product(0, e * width, width, in(0).at(item, step));
      for (std::size_t n = 0; n < width; ++n) y[n] += gate[e] * (part[n] + weight_at(1, e * width + n, 0));
    }
    return y;
  }
  Row conv(int item, int step, std::size_t width) const {
    const Weight& w = graph_.weights[static_cast<std::size_t>(node_->weights[0])];
    const std::size_t channels = w.shape[1], kernel = w.shape[2];
    const Attributes& a = node_->attributes;
    Row y(width, 0.0);
    for (std::size_t n = 0; n < width; ++n) {
      y[n] = weight_at(1, n, 0);
      for (std::size_t j = 0; j < kernel; ++j) {
        const long t = static_cast<long>(step) * a.stride - a.padding + static_cast<long>(j) * a.dilation;
        if (t < 0 || t >= in(0).info.shape.steps) continue;
        const Row& x = in(0).at(item, static_cast<int>(t));
        for (std::size_t c = 0; c < channels; ++c)
          y[n] += static_cast<double>((*weight(0))[(n * channels + c) * kernel + j]) * x[c];
      }
    }
    return y;
  }
  static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
  Row gru(int item) const {
    const Row &x = in(0).at(item, 0), &h = in(1).at(item, 0);
    const std::size_t n = h.size();
    const Row a = product(0, 0, 3 * n, x), b = product(1, 0, 3 * n, h);
    Row out(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto from_x = [&](std::size_t gate) { return a[gate * n + i] + weight_at(2, gate * n + i, 0); };
      const auto from_h = [&](std::size_t gate) { return b[gate * n + i] + weight_at(3, gate * n + i, 0); };
      const double reset = sigmoid(from_x(0) + from_h(0)), update = sigmoid(from_x(1) + from_h(1));
      const double fresh = std::tanh(from_x(2) + reset * from_h(2));
      out[i] = (1 - update) * fresh + update * h[i];
    }
    return out;
  }
  std::pair<Row, Row> lstm(int item) const {
    const Row &x = in(0).at(item, 0), &h = in(1).at(item, 0), &c = in(2).at(item, 0);
    const std::size_t n = h.size();
    const Row a = product(0, 0, 4 * n, x), b = product(1, 0, 4 * n, h);
    Row new_h(n), new_c(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto gate = [&](std::size_t g) {
        return a[g * n + i] + weight_at(2, g * n + i, 0) + b[g * n + i] + weight_at(3, g * n + i, 0);
      };
      new_c[i] = sigmoid(gate(1)) * c[i] + sigmoid(gate(0)) * std::tanh(gate(2));
      new_h[i] = sigmoid(gate(3)) * std::tanh(new_c[i]);
    }
    return {new_h, new_c};
  }
  Row softmax(Row x) const {
    const std::size_t group =
        node_->attributes.group > 0 ? static_cast<std::size_t>(node_->attributes.group) : x.size();
    for (std::size_t first = 0; first < x.size(); first += group) softmax_range(x, first, first + group);
    return x;
  }
  static void softmax_range(Row& x, std::size_t first, std::size_t last) {
    double high = x[first], sum = 0;
    for (std::size_t i = first; i < last; ++i) high = std::max(high, x[i]);
    for (std::size_t i = first; i < last; ++i) sum += x[i] = std::exp(x[i] - high);
    for (std::size_t i = first; i < last; ++i) x[i] /= sum;
  }
  Row layer_norm(const Row& x) const {
    const auto n = static_cast<double>(x.size());
    double mean = 0, variance = 0;
    for (const double v : x) mean += v / n;
    for (const double v : x) variance += (v - mean) * (v - mean) / n;
    Row y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[i] = (x[i] - mean) / std::sqrt(variance + static_cast<double>(node_->attributes.epsilon)) * weight_at(0, i, 1) +
             weight_at(1, i, 0);
    }
    return y;
  }
  std::vector<Row> rearranged(int item, Shape shape) const {
    const Shape from = in(0).info.shape;
    Row flat;
    for (int s = 0; s < from.steps; ++s) flat.insert(flat.end(), in(0).at(item, s).begin(), in(0).at(item, s).end());
    std::vector<Row> rows(static_cast<std::size_t>(shape.steps), Row(static_cast<std::size_t>(shape.width)));
    for (std::size_t s = 0; s < rows.size(); ++s) {
      for (std::size_t i = 0; i < rows[s].size(); ++i) {
        rows[s][i] = node_->op == Op::kReshape ? flat[s * rows[s].size() + i] : flat[i * rows.size() + s];
      }
    }
    return rows;
  }
  // PFNN's cyclic Catmull-Rom over four control points: weights of the points around 4 * phase.
  static Row phase_weights(double phase) {
    const double at = 4 * (phase - std::floor(phase)), mu = at - std::floor(at);
    const auto k1 = static_cast<std::size_t>(at) % 4;
    Row w(4, 0.0);
    w[(k1 + 3) % 4] += -0.5 * mu + mu * mu - 0.5 * mu * mu * mu;
    w[k1] += 1 - 2.5 * mu * mu + 1.5 * mu * mu * mu;
    w[(k1 + 1) % 4] += 0.5 * mu + 2 * mu * mu - 1.5 * mu * mu * mu;
    w[(k1 + 2) % 4] += -0.5 * mu * mu + 0.5 * mu * mu * mu;
    return w;
  }
  Row row(int item, int step, std::size_t width) const {
    const Attributes& a = node_->attributes;
    Row y;
    switch (node_->op) {
      case Op::kLinear:
        y = linear(item, step, width);
        break;
      case Op::kExpertLinear:
        y = expert_linear(item, step, width);
        break;
      case Op::kConv1d:
        y = conv(item, step, width);
        break;
      case Op::kGruCell:
        return gru(item);
      case Op::kSoftmax:
        return softmax(in(0).at(item, step));
      case Op::kLayerNorm:
        return layer_norm(in(0).at(item, step));
      case Op::kPhaseWeights:
        return phase_weights(in(0).at(item, step)[0]);
      case Op::kArgmin: {
        const Row& x = in(0).at(item, step);
        return {static_cast<double>(std::min_element(x.begin(), x.end()) - x.begin())};
      }
      case Op::kActivation:
        y = in(0).at(item, step);
        break;
      case Op::kSlice:
        return Row(in(0).at(item, step).begin() + a.begin, in(0).at(item, step).begin() + a.end);
      case Op::kConcat:
        for (std::size_t i = 0; i < node_->inputs.size(); ++i)
          y.insert(y.end(), in(i).at(item, step).begin(), in(i).at(item, step).end());
        return y;
      default:
        y.resize(width);
        break;
    }
    for (std::size_t i = 0; i < width; ++i) {
      const auto x = [&](std::size_t k) { return in(k).at(item, step)[i]; };
      switch (node_->op) {
        case Op::kAdd:
          y[i] = x(0) + x(1);
          break;
        case Op::kSubtract:
          y[i] = x(0) - x(1);
          break;
        case Op::kMultiply:
          y[i] = x(0) * x(1);
          break;
        case Op::kDivide:
          y[i] = x(0) / x(1);
          break;
        case Op::kAtan2:
          y[i] = std::atan2(x(0) + 0.0, x(1) + 0.0);
          break;  // -0 + 0 is 0.
        case Op::kFilm:
          y[i] = x(0) * x(1) + x(2);
          break;
        case Op::kNormalize:
          y[i] = (x(0) - weight_at(0, i, 0)) / weight_at(1, i, 1);
          break;
        case Op::kDenormalize:
          y[i] = x(0) * weight_at(1, i, 1) + weight_at(0, i, 0);
          break;
        case Op::kConstant:
          y[i] = weight_at(0, static_cast<std::size_t>(step) * width + i, 0);
          break;
        case Op::kEmbedding: {
          const double rows = static_cast<double>(weight(0)->size() / width);
          const double index = std::clamp(std::nearbyint(in(0).at(item, step)[0]), 0.0, rows - 1);
          y[i] = weight_at(0, static_cast<std::size_t>(index) * width + i, 0);
          break;
        }
        default:
          break;
      }
      y[i] = activate(y[i], a);
    }
    return y;
  }

  const Graph& graph_;
  int batch_;
  const Node* node_ = nullptr;
  std::vector<std::vector<float>> weights_;
};

}  // namespace

std::vector<std::vector<float>> run_reference(const Graph& graph, int batch,
                                              std::span<const std::span<const float>> inputs) {
  ZOE_CHECK(inputs.size() == graph.inputs.size(), "one span per input");
  ZOE_CHECK(graph.dims.empty(), "bind_dims() gives a graph that can run");
  Evaluator evaluator(graph, batch);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Shape shape = graph.inputs[i].shape;
    ZOE_CHECK(inputs[i].size() == shape.size() * static_cast<std::size_t>(batch), "an input has the wrong size");
    Table table{{shape, false}, {}};
    const auto width = static_cast<std::size_t>(shape.width);
    for (std::size_t at = 0; at < inputs[i].size(); at += width) {
      table.rows.emplace_back(inputs[i].begin() + static_cast<long>(at),
                              inputs[i].begin() + static_cast<long>(at + width));
    }
    evaluator.tables.push_back(std::move(table));
  }
  for (const Node& node : graph.nodes) evaluator.add(node);
  std::vector<std::vector<float>> outputs;
  for (const Port& port : graph.outputs) {
    std::vector<float>& out = outputs.emplace_back();
    for (const Row& row : evaluator.tables[static_cast<std::size_t>(port.value)].rows) {
      for (const double v : row) out.push_back(static_cast<float>(v));
    }
  }
  return outputs;
}

}  // namespace zoe::nn
