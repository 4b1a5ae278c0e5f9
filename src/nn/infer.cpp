// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "nn/op_table.h"

namespace zoe::nn {
namespace {

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
  Result<std::vector<ValueInfo>> one(const RowCount& rows, std::size_t columns, bool constant = false) const {
    if (rows.fixed()) return one(static_cast<std::size_t>(std::max(*rows.fixed(), 0)), columns, constant);
    if (!rows.valid()) return bad(node_, "would produce rows of too many terms");
    if (columns == 0) return bad(node_, "would produce nothing");
    if (columns > kMaxWidth) {
      return Error{ErrorCode::kLimit, fmt::format("{}: would produce {} columns", to_string(node_.op), columns)};
    }
    return std::vector<ValueInfo>{{Shape::of(rows, static_cast<int>(columns)), constant}};
  }
  Result<std::vector<ValueInfo>> same(std::size_t i = 0) const { return one(in(i).shape.rows(), width(i)); }
  std::string text_of(const RowCount& rows) const { return rows.text(graph_.dims); }
  RowCount rows(std::size_t i) const { return in(i).shape.rows(); }

  Result<std::vector<ValueInfo>> linear() const {
    ZOE_TRY(expect_varying(0));
    ZOE_TRY(expect_axes(0, 2));
    const std::size_t out = weight(0)->shape[0];
    ZOE_TRY(expect(0, {out, width(0)}, 1));
    ZOE_TRY(expect(1, {out}));
    return one(rows(0), out);
  }
  Result<std::vector<ValueInfo>> expert_linear() const {
    ZOE_TRY(expect_varying(0));
    ZOE_TRY(expect_varying(1));
    ZOE_TRY(expect_axes(0, 3));
    const std::size_t experts = weight(0)->shape[0], out = weight(0)->shape[1];
    ZOE_TRY(expect(0, {experts, out, width(0)}, 2));
    ZOE_TRY(expect(1, {experts, out}));
    if (width(1) != experts || (!rows(1).is(1) && rows(1) != rows(0))) {
      return bad(node_, fmt::format("the gate has {} columns for {} experts", width(1), experts));
    }
    return one(rows(0), out);
  }
  // Steps of a convolution over `steps`; attributes and kernel are in range.
  Result<RowCount> convolved(const RowCount& steps, std::size_t kernel) const {
    const Attributes& a = node_.attributes;
    const long reach = static_cast<long>(a.dilation) * (static_cast<long>(kernel) - 1) + 1;
    if (steps.fixed()) {
      const long padded = static_cast<long>(*steps.fixed()) + 2L * a.padding;
      if (padded < reach)
        return bad(node_, fmt::format("a kernel that spans {} steps on {} padded steps", reach, padded));
      return RowCount(static_cast<int>((padded - reach) / a.stride + 1));
    }
    if (reach > kMaxSteps) return bad(node_, fmt::format("a kernel that spans {} steps", reach));
    const RowCount last = steps + RowCount(2 * a.padding) - RowCount(static_cast<int>(reach));
    const std::optional<RowCount> strides = last.floor_divided(a.stride);
    if (!strides) return bad(node_, fmt::format("a stride of {} does not divide {} steps", a.stride, text_of(steps)));
    return *strides + RowCount(1);
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
    ZOE_TRY_ASSIGN(const RowCount steps, convolved(rows(0), kernel));
    return one(steps, out);
  }
  Result<std::vector<ValueInfo>> cell(std::size_t gates) const {
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
      ZOE_TRY(expect_varying(i));
      if (!rows(i).is(1)) return bad(node_, "takes single rows");
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
    const RowCount one = a.shape.rows(), other = b.shape.rows();
    if (one != other && !one.is(1) && !other.is(1)) {
      return bad(node_, fmt::format("operands have {} and {} rows", text_of(one), text_of(other)));
    }
    return ValueInfo{Shape::of(one.is(1) ? other : one, a.shape.width), a.constant && b.constant};
  }
  Result<std::vector<ValueInfo>> elementwise() const {
    ValueInfo info = in(0);
    for (std::size_t i = 1; i < node_.inputs.size(); ++i) {
      ZOE_TRY_ASSIGN(info, broadcast(info, in(i)));
    }
    if (info.constant) return bad(node_, "all operands are constants");
    return one(info.shape.rows(), static_cast<std::size_t>(info.shape.width));
  }
  Result<std::vector<ValueInfo>> concat() const {
    RowCount steps = 1;
    std::size_t columns = 0;
    bool constant = true;
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
      if (rows(i) != steps && !rows(i).is(1) && !steps.is(1)) return bad(node_, "parts differ in rows");
      if (steps.is(1)) steps = rows(i);
      columns += width(i);
      constant = constant && in(i).constant;
    }
    if (constant) return bad(node_, "all parts are constants");
    return one(steps, columns);
  }
  // The axis that the attributes describe.
  Result<RowAxis> axis(std::size_t i = 0) const {
    const std::optional<RowAxis> found = row_axis(rows(i), node_.attributes);
    if (found) return *found;
    const Attributes& a = node_.attributes;
    return bad(node_, fmt::format("{} rows are no groups of {} rows, {} apart", text_of(rows(i)),
                                  a.over.empty() ? "some" : text_of(a.over), a.inner.empty() ? "1" : text_of(a.inner)));
  }
  Result<std::vector<ValueInfo>> attention() const {
    const Attributes& a = node_.attributes;
    const Shape q = in(0).shape, k = in(1).shape, v = in(2).shape;
    const int heads = a.heads, kv_heads = a.kv_heads == 0 ? heads : a.kv_heads;
    for (std::size_t i = 0; i < 3; ++i) ZOE_TRY(expect_varying(i));
    if (kv_heads < 1 || heads < 1 || heads % kv_heads != 0)
      return heads < 1
                 ? bad(node_, fmt::format("{} heads cannot share {} and {} columns evenly", heads, q.width, v.width))
                 : bad(node_, fmt::format("{} heads cannot read {} heads of keys", heads, kv_heads));
    if (static_cast<long>(q.width) * kv_heads != static_cast<long>(k.width) * heads || rows(1) != rows(2))
      return bad(node_, "q and k differ in columns, or k and v in rows");
    if (q.width % heads != 0 || v.width % kv_heads != 0) {
      return bad(node_, fmt::format("{} heads cannot share {} and {} columns evenly", heads, q.width, v.width));
    }
    if (a.before < -1 || a.after < -1 || a.first < 0) return bad(node_, "before, after or first is out of range");
    ZOE_TRY_ASSIGN(const RowAxis axis, this->axis());
    ZOE_TRY_ASSIGN(const RowCount keys, keys_of(axis));
    if (q.by_dims.empty() && k.by_dims.empty() &&
        static_cast<std::size_t>(q.steps) * static_cast<std::size_t>(k.steps) > kMaxItems && axis.outer.is(1) &&
        axis.inner.is(1)) {
      return Error{ErrorCode::kLimit, "attention: too many rows"};
    }
    ZOE_TRY(attention_extras(axis, keys));
    return one(rows(0), static_cast<std::size_t>(v.width / kv_heads * heads));
  }
  // Keys of one group.
  Result<RowCount> keys_of(const RowAxis& axis) const {
    if (node_.attributes.shared_keys) return rows(1);
    if (rows(1) == rows(0)) return axis.over;
    std::optional<RowCount> keys = rows(1).divided(axis.inner);
    if (keys) keys = keys->divided(axis.outer);
    if (!keys) {
      return bad(node_, fmt::format("{} rows of keys do not fit {} groups", text_of(rows(1)),
                                    text_of(axis.outer * axis.inner)));
    }
    return *keys;
  }
  Result<void> attention_extras(const RowAxis& axis, const RowCount& keys) const {
    const Attributes& a = node_.attributes;
    const std::size_t count =
        3U + (a.bias ? 1U : 0U) + (a.mask ? 1U : 0U) + (a.relations ? 3U : 0U) + (a.relation_values ? 1U : 0U);
    if (node_.inputs.size() != count) return bad(node_, fmt::format("has {} inputs", node_.inputs.size()));
    if (a.relation_values && !a.relations) return bad(node_, "relation_values need relations");
    const auto heads = static_cast<std::size_t>(a.heads);
    std::size_t next = 3;
    if (a.bias) {
      if (rows(next) != axis.over * keys || (width(next) != heads && width(next) != 1))
        return bad(node_, "the bias needs a row for each query and key of a group, and a column for each head");
      ++next;
    }
    if (a.mask) {
      ZOE_TRY(expect_varying(next));
      if (rows(next) != rows(1) || width(next) != 1) return bad(node_, "the mask needs one column and the rows of k");
      ++next;
    }
    if (!a.relations) return {};
    const std::size_t terms = width(next);
    for (std::size_t i = next; i < next + 2; ++i) {
      ZOE_TRY(expect_varying(i));
      if (rows(i) != rows(i - next) || width(i) != terms || terms % heads != 0)
        return bad(node_, "relation terms need the rows of q and of k, and the same columns for each head");
    }
    if (terms / heads > 65536) return bad(node_, "relations have at most 65,536 classes");
    if (rows(next + 2) != axis.over * keys) return bad(node_, "relations need a row for each query and key of a group");
    if (!a.relation_values) return {};
    const auto columns = width(2) / static_cast<std::size_t>(a.kv_heads == 0 ? a.heads : a.kv_heads) * heads;
    if (!rows(next + 3).is(static_cast<int>(terms / heads)) || width(next + 3) != columns)
      return bad(node_, "relation_values need a row for each class and the columns of the result");
    return {};
  }
  Result<std::vector<ValueInfo>> scaled() const {
    ZOE_TRY(expect_varying(0));
    ZOE_TRY(expect(0, {width(0)}));
    if (node_.op != Op::kRmsNorm) ZOE_TRY(expect(1, {width(0)}));
    if (node_.op == Op::kNormalize || node_.op == Op::kDenormalize) {
      for (const float s : weight(1)->to_floats()) {
        if (!(s >= 1e-12F)) return bad(node_, fmt::format("'{}' holds {}, which is no deviation", weight(1)->name, s));
      }
    } else if (!(node_.attributes.epsilon > 0 && node_.attributes.epsilon < 1)) {
      return bad(node_, "epsilon must be between 0 and 1");
    }
    const int groups = node_.attributes.groups;
    if (node_.op == Op::kGroupNorm && (groups < 1 || in(0).shape.width % groups != 0))
      return bad(node_, fmt::format("{} groups do not fit {} columns", groups, width(0)));
    return same();
  }
  Result<std::vector<ValueInfo>> two_inputs() const {
    const Attributes& a = node_.attributes;
    ZOE_TRY(expect_varying(0));
    ZOE_TRY(expect_varying(1));
    if (width(1) != 1) return bad(node_, "the second input has one column");
    if (node_.op == Op::kGather) return one(rows(1), width(0));
    if (a.heads < 1 || in(0).shape.width % a.heads != 0 || in(0).shape.width / a.heads % 2 != 0 || !(a.period > 1))
      return bad(node_, "each head needs an even number of columns, and the period must exceed 1");
    if (rows(1) != rows(0) && !rows(1).is(1)) return bad(node_, "x and its positions differ in rows");
    return same();
  }
  Result<std::vector<ValueInfo>> along_rows() const {
    const Attributes& a = node_.attributes;
    ZOE_TRY(expect_varying(0));
    if (node_.op == Op::kRepeatRows) {
      const RowCount inner = a.inner.empty() ? rows(0) : a.inner;
      if (a.over.empty() || !rows(0).divided(inner) || (a.over.fixed() && *a.over.fixed() < 1))
        return bad(node_, "needs the number of copies, and rows that are groups of `inner`");
      return one(rows(0) * a.over, width(0));
    }
    ZOE_TRY_ASSIGN(const RowAxis axis, this->axis());
    if (node_.op == Op::kSoftmaxRows) return same();
    if (node_.op == Op::kPositions) return one(rows(0), 1);
    if (node_.op == Op::kPoolRows) {
      if (node_.inputs.size() == 2) {
        ZOE_TRY(expect_varying(1));
        if (rows(1) != rows(0) || width(1) != 1) return bad(node_, "the mask needs one column and the rows of x");
      }
      return one(axis.outer * axis.inner, width(0));
    }
    if (a.begin < 0 || a.begin > kMaxSteps || a.end < -kMaxSteps || a.end > kMaxSteps)
      return bad(node_, "begin or end is out of range");
    const RowCount count = (a.end > 0 ? RowCount(a.end) : axis.over + RowCount(a.end)) - RowCount(a.begin);
    if (axis.over.fixed() && (*axis.over.fixed() < a.end || count.fixed().value_or(0) < 1))
      return bad(node_, fmt::format("elements {} to {} of {}", a.begin, a.end, *axis.over.fixed()));
    if (count.fixed() && *count.fixed() < 1) return bad(node_, "would produce nothing");
    return one(axis.outer * count * axis.inner, width(0));
  }
  Result<std::vector<ValueInfo>> concat_rows() const {
    RowCount total = 0;
    bool constant = true;
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
      if (width(i) != width(0)) return bad(node_, "parts differ in columns");
      total = total + rows(i);
      constant = constant && in(i).constant;
    }
    if (constant) return bad(node_, "all parts are constants");
    return one(total, width(0));
  }
  // Rows are the pixels of lines of `inner`.
  Result<std::vector<ValueInfo>> picture() const {
    const Attributes& a = node_.attributes;
    ZOE_TRY(expect_varying(0));
    if (a.inner.empty() || !a.over.empty()) return bad(node_, "needs the number of pixels in a line, `inner`, alone");
    ZOE_TRY_ASSIGN(const RowAxis axis, this->axis());
    if (node_.op == Op::kUpsample) {
      if (a.stride < 1 || a.stride > 64) return bad(node_, "stride must be 1 to 64");
      return one(rows(0) * RowCount(a.stride * a.stride), width(0));
    }
    ZOE_TRY(expect_axes(0, 4));
    const std::vector<std::size_t>& shape = weight(0)->shape;
    const auto groups = static_cast<std::size_t>(std::max(a.groups, 1));
    if (a.groups < 1 || width(0) % groups != 0 || shape[0] % groups != 0)
      return bad(node_, fmt::format("{} groups cannot share {} and {} channels", a.groups, width(0), shape[0]));
    ZOE_TRY(expect(0, {shape[0], width(0) / groups, shape[2], shape[3]}, 1));
    ZOE_TRY(expect(1, {shape[0]}));
    if (a.stride < 1 || a.dilation < 1 || a.padding < 0 || a.stride > kMaxSteps || a.dilation > kMaxSteps ||
        a.padding > kMaxSteps || shape[2] > kMaxSteps || shape[3] > kMaxSteps) {
      return bad(node_, "stride, dilation, padding or kernel out of range");
    }
    ZOE_TRY_ASSIGN(const RowCount lines, convolved(axis.over, shape[2]));
    ZOE_TRY_ASSIGN(const RowCount line, convolved(axis.inner, shape[3]));
    return one(lines * line, shape[0]);
  }
  Result<std::vector<ValueInfo>> reshape_by_dims() const {
    const Attributes& a = node_.attributes;
    const RowCount to = a.rows.empty() ? RowCount(a.steps) : a.rows;
    if (a.width < 1 || a.width > kMaxWidth || rows(0) * RowCount(in(0).shape.width) != to * RowCount(a.width)) {
      return bad(node_,
                 fmt::format("{} x {} numbers as {} x {}", text_of(rows(0)), in(0).shape.width, text_of(to), a.width));
    }
    return one(to, static_cast<std::size_t>(a.width));
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
      case Op::kRmsNorm:
      case Op::kGroupNorm:
      case Op::kNormalize:
      case Op::kDenormalize:
        return scaled();
      case Op::kConstant:
        return constant();
      case Op::kRotary:
      case Op::kGather:
        return two_inputs();
      case Op::kPoolRows:
      case Op::kSliceRows:
      case Op::kRepeatRows:
      case Op::kSoftmaxRows:
      case Op::kPositions:
        return along_rows();
      case Op::kConcatRows:
        return concat_rows();
      case Op::kConv2d:
      case Op::kUpsample:
        return picture();
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
        return one(rows(0), weight(0)->shape[1]);
      case Op::kSoftmax:
        if (a.group < 0 || (a.group > 0 && x.width % a.group != 0)) {
          return bad(node_, fmt::format("groups of {} do not fit {} columns", a.group, x.width));
        }
        return same();
      case Op::kSlice:
        if (a.begin < 0 || a.end > x.width || a.begin >= a.end) {
          return bad(node_, fmt::format("columns {} to {} of {}", a.begin, a.end, x.width));
        }
        return one(rows(0), static_cast<std::size_t>(a.end - a.begin));
      case Op::kReshape:
        if (!a.rows.empty() || !x.by_dims.empty()) return reshape_by_dims();
        if (a.steps < 1 || a.width < 1 || Shape{a.steps, a.width}.size() != x.size()) {
          return bad(node_, fmt::format("{} x {} numbers as {} x {}", x.steps, x.width, a.steps, a.width));
        }
        return one(static_cast<std::size_t>(a.steps), static_cast<std::size_t>(a.width));
      case Op::kArgmin:
        return one(rows(0), 1);
      case Op::kTranspose:
        if (!x.by_dims.empty()) return bad(node_, "takes a fixed number of rows");
        return one(width(0), static_cast<std::size_t>(x.steps));
      case Op::kGlu:
        if (x.width % 2 != 0) return bad(node_, fmt::format("{} columns have no two halves", x.width));
        return one(rows(0), width(0) / 2);
      case Op::kSinusoidal:
        if (x.width != 1 || a.width < 2 || a.width % 2 != 0 || !(a.period > 1))
          return bad(node_, "takes one column, an even width and a period above 1");
        return one(rows(0), static_cast<std::size_t>(a.width));
      case Op::kPhaseWeights:
        if (x.width != 1) return bad(node_, "takes one column, the phase");
        return one(rows(0), 4);
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
  if (!std::isfinite(a.alpha) || !std::isfinite(a.epsilon) || !std::isfinite(a.period))
    return bad(node, "has an infinite attribute");
  for (const RowCount* rows : {&a.rows, &a.over, &a.inner}) {
    if (!rows->valid() || !uses_only(*rows, graph.dims.size())) return bad(node, "names a dimension that is not there");
  }
  return Rules(graph, node, values).run();
}

std::optional<RowAxis> row_axis(const RowCount& rows, const Attributes& a) {
  const RowCount inner = a.inner.empty() ? RowCount(1) : a.inner;
  const std::optional<RowCount> groups = rows.divided(inner);
  if (!groups) return std::nullopt;
  if (a.over.empty()) return RowAxis{1, *groups, inner};
  const std::optional<RowCount> outer = groups->divided(a.over);
  if (!outer) return std::nullopt;
  return RowAxis{*outer, a.over, inner};
}

bool uses_only(const RowCount& rows, std::size_t num_dims) {
  for (const RowCount::Term& term : rows.terms()) {
    for (int dim = static_cast<int>(num_dims); dim < RowCount::kMaxDims; ++dim) {
      if (term.power(dim) != 0) return false;
    }
  }
  return true;
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
