// SPDX-License-Identifier: MIT
// Part of Zoetrope. Operations along rows and on pictures, and sizes that depend on dimensions.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "nn/onnx/emit.h"

namespace zoe::nn::onnx {
namespace {

constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

}  // namespace

// Each dimension from the rows of an input: rows = a * dim + b, where a and b depend on dimensions that are known.
Result<void> Emitter::solve_dims() {
  dims_.resize(graph_.dims.size());
  std::size_t solved = 0;
  for (bool found = true; found && solved < dims_.size();) {
    found = false;
    for (const Port& port : graph_.inputs) {
      int unknown = -1, unknowns = 0, highest = 0;
      RowCount a, b = 0;
      for (int dim = 0; dim < static_cast<int>(dims_.size()); ++dim) {
        int power = 0;
        for (const RowCount::Term& term : port.shape.by_dims.terms()) power = std::max(power, term.power(dim));
        if (power > 0 && dims_[static_cast<std::size_t>(dim)].empty()) unknown = dim, ++unknowns, highest = power;
      }
      if (unknowns != 1 || highest != 1) continue;
      for (const RowCount::Term& term : port.shape.by_dims.terms()) {
        RowCount part = term.factor;
        for (int dim = 0; dim < static_cast<int>(dims_.size()); ++dim) {
          for (int i = 0; i < term.power(dim) && dim != unknown; ++i) part = part * RowCount::dim(dim);
        }
        if (term.power(unknown) > 0) {
          a = a.empty() ? part : a + part;
        } else {
          b = b + part;
        }
      }
      const std::string all = model_.node("Shape", {names_[static_cast<std::size_t>(port.value)]});
      std::string size = model_.node("Slice", {all, model_.integers({1}), model_.integers({2}), model_.integers({0})});
      if (!b.is(0)) size = model_.node("Sub", {size, count(b)});
      if (!a.is(1)) size = model_.node("Div", {size, count(a)});
      dims_[static_cast<std::size_t>(unknown)] = size;
      ++solved, found = true;
    }
  }
  for (std::size_t i = 0; i < dims_.size(); ++i) {
    if (dims_[i].empty()) {
      return Error{ErrorCode::kInvalid,
                   fmt::format("no input tells the dimension '{}': add one with that number of rows, or give it a size "
                               "with bind_dims()",
                               graph_.dims[i])};
    }
  }
  return {};
}

std::string Emitter::count(const RowCount& rows) {
  if (rows.fixed()) return model_.integers({*rows.fixed()});
  std::string sum;
  for (const RowCount::Term& term : rows.terms()) {
    std::string product;
    for (int dim = 0; dim < RowCount::kMaxDims; ++dim) {
      for (int i = 0; i < term.power(dim); ++i) {
        const std::string& size = dims_[static_cast<std::size_t>(dim)];
        product = product.empty() ? size : model_.node("Mul", {product, size});
      }
    }
    const std::string factor = model_.integers({term.factor});
    if (product.empty()) {
      product = factor;
    } else if (term.factor != 1) {
      product = model_.node("Mul", {product, factor});
    }
    sum = sum.empty() ? product : model_.node("Add", {sum, product});
  }
  return sum;
}

std::string Emitter::sizes(const std::vector<RowCount>& all) {
  Names parts;
  Ints numbers;
  const auto flush = [&] {
    if (!numbers.empty()) parts.push_back(model_.integers(numbers));
    numbers.clear();
  };
  for (const RowCount& rows : all) {
    if (rows.fixed()) {
      numbers.push_back(*rows.fixed());
    } else {
      flush();
      parts.push_back(count(rows));
    }
  }
  flush();
  return parts.size() == 1 ? parts[0] : model_.node("Concat", parts, Attributes().integer("axis", 0));
}

std::string Emitter::reshape_to(const std::string& x, const std::vector<RowCount>& all) {
  // One size may follow from the others.
  std::vector<RowCount> known = all;
  std::size_t free = 0;
  for (const RowCount& rows : all) free += rows.fixed() ? 0 : 1;
  for (RowCount& rows : known) {
    if (free == 1 && !rows.fixed()) rows = RowCount(-1);
  }
  return model_.node("Reshape", {x, sizes(known)});
}

RowAxis Emitter::axis() const { return *row_axis(in_shape(0).rows(), node_->attributes); }

std::string Emitter::grouped(std::size_t i) {
  const RowAxis a = axis();
  return reshape_to(with_steps(i), {0, a.outer, a.over, a.inner, in_shape(i).width});
}

std::string Emitter::mean_of(const std::string& x, const Ints& axes) {
  return model_.node("ReduceMean", {x}, Attributes().integers("axes", axes).integer("keepdims", 1));
}

std::string Emitter::scaled(const std::string& x, std::size_t gamma, std::size_t beta) {
  const std::string y = has(gamma) ? model_.node("Mul", {x, tensor(gamma)}) : x;
  return beta < node_->weights.size() && has(beta) ? model_.node("Add", {y, tensor(beta)}) : y;
}

std::string Emitter::group_norm(Shape out) {
  const std::int64_t groups = node_->attributes.groups;
  const std::string x = reshape(with_steps(0), {0, rows_dim(out), groups, out.width / groups});
  const std::string centred = model_.node("Sub", {x, mean_of(x, {1, 3})});
  const std::string variance = mean_of(model_.node("Mul", {centred, centred}), {1, 3});
  const std::string deviation =
      model_.node("Sqrt", {model_.node("Add", {variance, model_.scalar(node_->attributes.epsilon)})});
  return scaled(ungrouped(model_.node("Div", {centred, deviation}), out), 0, 1);
}

std::string Emitter::positions(Shape out) {
  const RowAxis a = axis();
  // Zeros with the input's batch, whatever the input holds.
  const std::string column = columns(grouped(0), 0, 1);
  const std::string zeros =
      model_.node("Cast", {model_.node("Less", {column, column})}, Attributes().integer("to", kToFloat));
  std::string index;
  if (a.over.fixed()) {
    std::vector<float> numbers;
    for (int i = 0; i < *a.over.fixed(); ++i) numbers.push_back(static_cast<float>(i));
    index = model_.floats("positions", {*a.over.fixed(), 1, 1}, numbers);
  } else {
    const auto scalar = [&](const std::string& list) { return model_.node("Squeeze", {list, model_.integers({0})}); };
    const std::string range =
        model_.node("Range", {scalar(model_.integers({0})), scalar(count(a.over)), scalar(model_.integers({1}))});
    index = model_.node(
        "Reshape", {model_.node("Cast", {range}, Attributes().integer("to", kToFloat)), model_.integers({-1, 1, 1})});
  }
  return ungrouped(model_.node("Add", {zeros, index}), out);
}

std::string Emitter::waves(Shape out) {
  const nn::Attributes& a = node_->attributes;
  const bool rotary = node_->op == Op::kRotary;
  const std::int64_t heads = rotary ? a.heads : 1, half = out.width / heads / 2;
  std::vector<float> frequencies;
  for (std::int64_t i = 0; i < half; ++i) {
    frequencies.push_back(static_cast<float>(
        std::pow(static_cast<double>(a.period), -static_cast<double>(i) / static_cast<double>(half))));
  }
  const std::string t = rotary ? with_steps(1) : in(0);
  const std::string angles = model_.node("Mul", {t, model_.floats("frequencies", {half}, frequencies)});
  std::string cosine = model_.node("Cos", {angles}), sine = model_.node("Sin", {angles});
  const Attributes last = Attributes().integer("axis", -1);
  if (!rotary) return model_.node("Concat", {cosine, sine}, last);
  // [batch, rows, 1, half], against [batch, rows, heads, half].
  cosine = reshape(cosine, {0, 0, 1, half}), sine = reshape(sine, {0, 0, 1, half});
  const std::string x = reshape(with_steps(0), {0, 0, heads, 2 * half});
  const auto part = [&](std::int64_t begin, std::int64_t end, std::int64_t step) {
    return model_.node(
        "Slice", {x, model_.integers({begin}), model_.integers({end}), model_.integers({-1}), model_.integers({step})});
  };
  const std::string p = a.interleaved ? part(0, kToTheEnd, 2) : part(0, half, 1),
                    q = a.interleaved ? part(1, kToTheEnd, 2) : part(half, 2 * half, 1);
  const auto mul = [&](const std::string& l, const std::string& r) { return model_.node("Mul", {l, r}); };
  std::string first = model_.node("Sub", {mul(p, cosine), mul(q, sine)}),
              second = model_.node("Add", {mul(p, sine), mul(q, cosine)});
  if (a.interleaved) {
    first = reshape(first, {0, 0, heads, half, 1});
    second = reshape(second, {0, 0, heads, half, 1});
  }
  return ungrouped(model_.node("Concat", {first, second}, last), out);
}

std::string Emitter::gather() {
  const std::string last = model_.node(
      "Sub",
      {model_.node("Cast", {count(in_shape(0).rows())}, Attributes().integer("to", kToFloat)), model_.scalar(1)});
  const std::string index =
      model_.node("Min", {model_.node("Max", {model_.node("Round", {with_steps(1)}), model_.scalar(0)}), last});
  const std::string rows =
      model_.node("GatherND", {with_steps(0), model_.node("Cast", {index}, Attributes().integer("to", kToInt64))},
                  Attributes().integer("batch_dims", 1));
  return rows;
}

std::string Emitter::pool_rows(Shape out) {
  const bool maximum = node_->attributes.maximum, masked = node_->inputs.size() > 1;
  const auto reduced = [&](const char* op, const std::string& x) {
    return model_.node(op, {x}, Attributes().integers("axes", {2}).integer("keepdims", 1));
  };
  std::string x = grouped(0);
  if (!masked) return ungrouped(reduced(maximum ? "ReduceMax" : "ReduceMean", x), out);
  const std::string counts = model_.node("Less", {model_.scalar(0), grouped(1)});
  const std::string share = reduced("ReduceMean", model_.node("Cast", {counts}, Attributes().integer("to", kToFloat)));
  constexpr float kLow = -3e38F, kTiny = 1e-20F;
  x = model_.node("Where", {counts, x, model_.scalar(maximum ? kLow : 0)});
  x = reduced(maximum ? "ReduceMax" : "ReduceMean", x);
  if (maximum) {
    x = model_.node("Where", {model_.node("Less", {model_.scalar(0), share}), x, model_.scalar(0)});
  } else {
    x = model_.node("Div", {x, model_.node("Max", {share, model_.scalar(kTiny)})});
  }
  return ungrouped(x, out);
}

std::string Emitter::concat_rows() {
  Names parts;
  for (std::size_t i = 0; i < node_->inputs.size(); ++i) {
    const Shape own = in_shape(i);
    const bool constant = values_[static_cast<std::size_t>(node_->inputs[i])].constant;
    const std::string part = constant ? repeated(i, own) : in(i);
    parts.push_back(single(own) ? reshape(part, {0, 1, own.width}) : part);
  }
  return model_.node("Concat", parts, Attributes().integer("axis", 1));
}

std::string Emitter::picture(Shape out) {
  const nn::Attributes& a = node_->attributes;
  const RowAxis pixels = axis();
  const std::string x =
      model_.node("Transpose", {reshape_to(with_steps(0), {0, pixels.over, pixels.inner, in_shape(0).width})},
                  Attributes().integers("perm", {0, 3, 1, 2}));
  std::string y;
  if (node_->op == Op::kConv2d) {
    Names inputs{x, tensor(0)};
    if (has(1)) inputs.push_back(tensor(1));
    y = model_.node("Conv", inputs,
                    Attributes()
                        .integers("strides", {a.stride, a.stride})
                        .integers("pads", {a.padding, a.padding, a.padding, a.padding})
                        .integers("dilations", {a.dilation, a.dilation})
                        .integer("group", a.groups));
  } else {
    const auto times = static_cast<float>(a.stride);
    const std::string scales = model_.floats("scales", {4}, std::vector<float>{1, 1, times, times});
    Attributes how = Attributes()
                         .text("mode", a.bilinear ? "linear" : "nearest")
                         .text("coordinate_transformation_mode", a.bilinear ? "half_pixel" : "asymmetric");
    if (!a.bilinear) how.text("nearest_mode", "floor");
    y = model_.node("Resize", {x, "", scales}, how);
  }
  y = model_.node("Transpose", {y}, Attributes().integers("perm", {0, 2, 3, 1}));
  return activate(ungrouped(y, out));
}

std::string Emitter::emit_along_rows(Shape out) {
  const nn::Attributes& a = node_->attributes;
  switch (node_->op) {
    case Op::kRmsNorm: {
      const std::string square = mean_of(model_.node("Mul", {in(0), in(0)}), {-1});
      const std::string root = model_.node("Sqrt", {model_.node("Add", {square, model_.scalar(a.epsilon)})});
      return scaled(model_.node("Div", {in(0), root}), 0, 1);
    }
    case Op::kGroupNorm:
      return group_norm(out);
    case Op::kGlu:
      return model_.node("Mul", {columns(in(0), 0, out.width), activate(columns(in(0), out.width, 2 * out.width))});
    case Op::kSoftmaxRows:
      return ungrouped(model_.node("Softmax", {grouped(0)}, Attributes().integer("axis", 2)), out);
    case Op::kPositions:
      return positions(out);
    case Op::kSinusoidal:
    case Op::kRotary:
      return waves(out);
    case Op::kGather:
      return settled(gather(), out);
    case Op::kPoolRows:
      return pool_rows(out);
    case Op::kConcatRows:
      return settled(concat_rows(), out);
    case Op::kSliceRows: {
      const std::int64_t end = a.end == 0 ? kToTheEnd : a.end;
      return ungrouped(
          model_.node("Slice", {grouped(0), model_.integers({a.begin}), model_.integers({end}), model_.integers({2})}),
          out);
    }
    case Op::kRepeatRows: {
      const RowCount inner = a.inner.empty() ? in_shape(0).rows() : a.inner;
      const RowCount outer = *in_shape(0).rows().divided(inner);
      const std::string x = reshape_to(with_steps(0), {0, outer, 1, inner, out.width});
      return ungrouped(model_.node("Expand", {x, sizes({1, 1, a.over, 1, 1})}), out);
    }
    default:
      return picture(out);
  }
}

}  // namespace zoe::nn::onnx
