// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "nn/op_table.h"

namespace zoe::nn {
namespace {

constexpr int kMaxSteps = 1 << 16, kMaxWidth = 1 << 20;
constexpr std::size_t kMaxItems = std::size_t{1} << 26;

Error bad(const Node& node, const std::string& what) {
  return {ErrorCode::kInvalid, fmt::format("{}: {}", to_string(node.op), what)};
}

std::string text(const std::vector<std::size_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

// Checks of one node. Holds the arguments of all rules.
class Rules {
 public:
  Rules(const Graph& graph, const Node& node, std::span<const ValueInfo> values)
      : graph_(graph), node_(node), values_(values) {}

  const ValueInfo& in(std::size_t i) const { return values_[static_cast<std::size_t>(node_.inputs[i])]; }
  std::size_t width(std::size_t i) const { return static_cast<std::size_t>(in(i).shape.width); }
  const Weight* weight(std::size_t i) const {
    const int index = node_.weights[i];
    return index < 0 ? nullptr : &graph_.weights[static_cast<std::size_t>(index)];
  }

  Result<void> check_numbers() const {
    const OpInfo& info = op_info(node_.op);
    const auto n = static_cast<int>(node_.inputs.size());
    if (n < info.min_inputs || n > info.max_inputs) return bad(node_, fmt::format("has {} inputs", n));
    for (const int value : node_.inputs) {
      if (value < 0 || static_cast<std::size_t>(value) >= values_.size()) {
        return bad(node_, fmt::format("reads value {}, which is not there yet", value));
      }
    }
    if (static_cast<int>(node_.weights.size()) != num_roles(info)) return bad(node_, "has the wrong number of weights");
    for (std::size_t i = 0; i < node_.weights.size(); ++i) {
      const int index = node_.weights[i];
      if (index >= static_cast<int>(graph_.weights.size()) || index < -1)
        return bad(node_, "names a weight that is not there");
      if (index < 0 && static_cast<int>(i) < info.num_required_weights) {
        return bad(node_, fmt::format("lacks its {}", info.weights[i]));
      }
    }
    return {};
  }

  // Checks that the weight has the given shape (it may be absent). Only matrices may be stored in fewer bits.
  Result<void> expect(std::size_t i, const std::vector<std::size_t>& shape, int scale_axes = 0) const {
    const Weight* w = weight(i);
    if (w == nullptr) return {};
    if (w->shape != shape) {
      return bad(node_, fmt::format("{} '{}' has shape {} where {} is needed", op_info(node_.op).weights[i], w->name,
                                    text(w->shape), text(shape)));
    }
    if (scale_axes == 0 && w->type != WeightType::kF32) {
      return bad(node_, fmt::format("{} '{}' must be float32", op_info(node_.op).weights[i], w->name));
    }
    if (w->type == WeightType::kI8 && w->scale_axes != scale_axes) {
      return bad(node_, fmt::format("'{}' needs one scale for each index of its first {} axes", w->name, scale_axes));
    }
    return {};
  }
  Result<void> expect_axes(std::size_t i, std::size_t axes) const {
    if (weight(i)->shape.size() == axes) return {};
    return bad(node_,
               fmt::format("'{}' has shape {}: {} axes are needed", weight(i)->name, text(weight(i)->shape), axes));
  }
  Result<void> expect_varying(std::size_t i) const {
    if (!in(i).constant) return {};
    return bad(node_, fmt::format("input {} may not be a constant", i));
  }

  Result<std::vector<ValueInfo>> one(std::size_t steps, std::size_t columns, bool constant = false) const {
    if (steps == 0 || columns == 0) return bad(node_, "would produce nothing");
    if (steps > kMaxSteps || columns > kMaxWidth || steps * columns > kMaxItems) {
      return Error{ErrorCode::kLimit,
                   fmt::format("{}: would produce {} x {} numbers", to_string(node_.op), steps, columns)};
    }
    return std::vector<ValueInfo>{{{static_cast<int>(steps), static_cast<int>(columns)}, constant}};
  }
  Result<std::vector<ValueInfo>> same(std::size_t i = 0) const {
    return one(static_cast<std::size_t>(in(i).shape.steps), width(i));
  }

  Result<std::vector<ValueInfo>> linear() const {
    ZOE_TRY(expect_varying(0));
    ZOE_TRY(expect_axes(0, 2));
    const std::size_t out = weight(0)->shape[0];
    ZOE_TRY(expect(0, {out, width(0)}, 1));
    ZOE_TRY(expect(1, {out}));
    return one(static_cast<std::size_t>(in(0).shape.steps), out);
  }
  Result<std::vector<ValueInfo>> expert_linear() const {
    ZOE_TRY(expect_varying(0));
    ZOE_TRY(expect_varying(1));
    ZOE_TRY(expect_axes(0, 3));
    const std::size_t experts = weight(0)->shape[0], out = weight(0)->shape[1];
    ZOE_TRY(expect(0, {experts, out, width(0)}, 2));
    ZOE_TRY(expect(1, {experts, out}));
    if (width(1) != experts || (in(1).shape.steps != 1 && in(1).shape.steps != in(0).shape.steps)) {
      return bad(node_, fmt::format("the gate has {} columns for {} experts", width(1), experts));
    }
    return one(static_cast<std::size_t>(in(0).shape.steps), out);
  }
  Result<std::vector<ValueInfo>> conv1d() const {
    ZOE_TRY(expect_varying(0));
    ZOE_TRY(expect_axes(0, 3));
    const std::size_t out = weight(0)->shape[0], kernel = weight(0)->shape[2];
    ZOE_TRY(expect(0, {out, width(0), kernel}, 1));
    ZOE_TRY(expect(1, {out}));
    const Attributes& a = node_.attributes;
    if (a.stride < 1 || a.dilation < 1 || a.padding < 0 || a.stride > kMaxSteps || a.dilation > kMaxSteps ||
        a.padding > kMaxSteps || kernel == 0 || kernel > kMaxSteps) {
      return bad(node_, "stride, dilation, padding or kernel out of range");
    }
    const auto padded = static_cast<long>(in(0).shape.steps) + 2L * a.padding;
    const long reach = static_cast<long>(a.dilation) * (static_cast<long>(kernel) - 1) + 1;
    if (padded < reach)
      return bad(node_, fmt::format("a kernel that spans {} steps on {} padded steps", reach, padded));
    return one(static_cast<std::size_t>((padded - reach) / a.stride + 1), out);
  }
  Result<std::vector<ValueInfo>> cell(std::size_t gates) const {
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
      ZOE_TRY(expect_varying(i));
      if (in(i).shape.steps != 1) return bad(node_, "takes single rows");
    }
    const std::size_t hidden = width(1);
    ZOE_TRY(expect(0, {gates * hidden, width(0)}, 1));
    ZOE_TRY(expect(1, {gates * hidden, hidden}, 1));
    ZOE_TRY(expect(2, {gates * hidden}));
    ZOE_TRY(expect(3, {gates * hidden}));
    if (gates == 4 && width(2) != hidden) return bad(node_, "h and c differ in width");
    std::vector<ValueInfo> outputs(gates == 4 ? 2 : 1, ValueInfo{{1, static_cast<int>(hidden)}, false});
    return outputs;
  }
  // a and b, either of them repeated along steps or batch.
  Result<ValueInfo> broadcast(const ValueInfo& a, const ValueInfo& b) const {
    if (a.shape.width != b.shape.width) {
      return bad(node_, fmt::format("operands have {} and {} columns", a.shape.width, b.shape.width));
    }
    if (a.shape.steps != b.shape.steps && a.shape.steps != 1 && b.shape.steps != 1) {
      return bad(node_, fmt::format("operands have {} and {} rows", a.shape.steps, b.shape.steps));
    }
    return ValueInfo{{std::max(a.shape.steps, b.shape.steps), a.shape.width}, a.constant && b.constant};
  }
  Result<std::vector<ValueInfo>> elementwise() const {
    ValueInfo info = in(0);
    for (std::size_t i = 1; i < node_.inputs.size(); ++i) {
      ZOE_TRY_ASSIGN(info, broadcast(info, in(i)));
    }
    if (info.constant) return bad(node_, "all operands are constants");
    return one(static_cast<std::size_t>(info.shape.steps), static_cast<std::size_t>(info.shape.width));
  }
  Result<std::vector<ValueInfo>> concat() const {
    int steps = 1;
    std::size_t columns = 0;
    bool constant = true;
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
      const Shape& shape = in(i).shape;
      if (shape.steps != steps && shape.steps != 1 && steps != 1) return bad(node_, "parts differ in rows");
      steps = std::max(steps, shape.steps);
      columns += width(i);
      constant = constant && in(i).constant;
    }
    if (constant) return bad(node_, "all parts are constants");
    return one(static_cast<std::size_t>(steps), columns);
  }
  Result<std::vector<ValueInfo>> attention() const {
    const Shape q = in(0).shape, k = in(1).shape, v = in(2).shape;
    const int heads = node_.attributes.heads;
    for (std::size_t i = 0; i < 3; ++i) ZOE_TRY(expect_varying(i));
    if (q.width != k.width || k.steps != v.steps) return bad(node_, "q and k differ in columns, or k and v in rows");
    if (heads < 1 || q.width % heads != 0 || v.width % heads != 0) {
      return bad(node_, fmt::format("{} heads cannot share {} and {} columns evenly", heads, q.width, v.width));
    }
    if (static_cast<std::size_t>(q.steps) * static_cast<std::size_t>(k.steps) > kMaxItems) {
      return Error{ErrorCode::kLimit, "attention: too many rows"};
    }
    return one(static_cast<std::size_t>(q.steps), static_cast<std::size_t>(v.width));
  }
  Result<std::vector<ValueInfo>> scaled() const {
    ZOE_TRY(expect_varying(0));
    ZOE_TRY(expect(0, {width(0)}));
    ZOE_TRY(expect(1, {width(0)}));
    if (node_.op != Op::kLayerNorm) {
      for (const float s : weight(1)->to_floats()) {
        if (!(s >= 1e-12F)) return bad(node_, fmt::format("'{}' holds {}, which is no deviation", weight(1)->name, s));
      }
    } else if (!(node_.attributes.epsilon > 0 && node_.attributes.epsilon < 1)) {
      return bad(node_, "epsilon must be between 0 and 1");
    }
    return same();
  }
  Result<std::vector<ValueInfo>> constant() const {
    const std::vector<std::size_t>& shape = weight(0)->shape;
    if (shape.size() != 2) return bad(node_, fmt::format("'{}' needs 2 axes: steps and width", weight(0)->name));
    ZOE_TRY(expect(0, shape));
    return one(shape[0], shape[1], true);
  }

  Result<std::vector<ValueInfo>> run() const {
    ZOE_TRY(check_numbers());
    const Attributes& a = node_.attributes;
    switch (node_.op) {
      case Op::kLinear:
        return linear();
      case Op::kExpertLinear:
        return expert_linear();
      case Op::kConv1d:
        return conv1d();
      case Op::kGruCell:
        return cell(3);
      case Op::kLstmCell:
        return cell(4);
      case Op::kAdd:
      case Op::kSubtract:
      case Op::kMultiply:
      case Op::kDivide:
      case Op::kAtan2:
      case Op::kFilm:
        return elementwise();
      case Op::kConcat:
        return concat();
      case Op::kAttention:
        return attention();
      case Op::kLayerNorm:
      case Op::kNormalize:
      case Op::kDenormalize:
        return scaled();
      case Op::kConstant:
        return constant();
      default:
        break;
    }
    ZOE_TRY(expect_varying(0));
    const Shape x = in(0).shape;
    switch (node_.op) {
      case Op::kEmbedding:
        ZOE_TRY(expect_axes(0, 2));
        ZOE_TRY(expect(0, weight(0)->shape, 1));
        if (x.width != 1 || weight(0)->shape[0] == 0) return bad(node_, "takes one column and a table with rows");
        return one(static_cast<std::size_t>(x.steps), weight(0)->shape[1]);
      case Op::kSoftmax:
        if (a.group < 0 || (a.group > 0 && x.width % a.group != 0)) {
          return bad(node_, fmt::format("groups of {} do not fit {} columns", a.group, x.width));
        }
        return same();
      case Op::kSlice:
        if (a.begin < 0 || a.end > x.width || a.begin >= a.end) {
          return bad(node_, fmt::format("columns {} to {} of {}", a.begin, a.end, x.width));
        }
        return one(static_cast<std::size_t>(x.steps), static_cast<std::size_t>(a.end - a.begin));
      case Op::kReshape:
        if (a.steps < 1 || a.width < 1 || Shape{a.steps, a.width}.size() != x.size()) {
          return bad(node_, fmt::format("{} x {} numbers as {} x {}", x.steps, x.width, a.steps, a.width));
        }
        return one(static_cast<std::size_t>(a.steps), static_cast<std::size_t>(a.width));
      case Op::kArgmin:
        return one(static_cast<std::size_t>(x.steps), 1);
      case Op::kTranspose:
        return one(width(0), static_cast<std::size_t>(x.steps));
      case Op::kPhaseWeights:
        if (x.width != 1) return bad(node_, "takes one column, the phase");
        return one(static_cast<std::size_t>(x.steps), 4);
      default:
        return same();
    }
  }

 private:
  const Graph& graph_;
  const Node& node_;
  std::span<const ValueInfo> values_;
};

}  // namespace

Result<std::vector<ValueInfo>> infer(const Graph& graph, const Node& node, std::span<const ValueInfo> values) {
  const Attributes& a = node.attributes;
  if (!std::isfinite(a.alpha) || !std::isfinite(a.epsilon)) return bad(node, "has an infinite attribute");
  return Rules(graph, node, values).run();
}

Result<std::vector<ValueInfo>> infer_all(const Graph& graph) {
  std::vector<ValueInfo> values;
  for (const Port& port : graph.inputs) values.push_back({port.shape, false});
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Result<std::vector<ValueInfo>> made = infer(graph, graph.nodes[i], values);
    if (!made) {
      Error error = std::move(made).error();
      error.message = fmt::format("node {}, {}", i, error.message);
      return error;
    }
    values.insert(values.end(), made->begin(), made->end());
  }
  return values;
}

}  // namespace zoe::nn
