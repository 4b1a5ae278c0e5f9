// SPDX-License-Identifier: MIT
// Part of Zoetrope. Attention: heads and groups become leading axes of matrix products.
#include <cmath>

#include "nn/onnx/emit.h"

namespace zoe::nn::onnx {
namespace {

// Low enough that its exponential is 0, yet finite: some engines turn -infinity into NaN.
constexpr float kNever = -1e30F;

}  // namespace

struct Emitter::Heads {
  RowAxis axis;
  RowCount keys;
  bool plain;             // One group: [batch, heads, rows, columns]. Else [batch, outer, inner, heads, rows, columns].
  std::size_t terms = 0;  // Position of relation inputs.
};

std::string Emitter::attention(Shape out) {
  const nn::Attributes& a = node_->attributes;
  const std::int64_t heads = a.heads, kv_heads = a.kv_heads == 0 ? heads : a.kv_heads;
  const std::int64_t d = in_shape(0).width / heads, dv = out.width / heads;
  Heads h{axis(), in_shape(1).rows(), false, 0};
  if (!a.shared_keys)
    h.keys = in_shape(1).rows() == in_shape(0).rows()
                 ? h.axis.over
                 : *in_shape(1).rows().divided(h.axis.inner)->divided(h.axis.outer);
  h.plain = h.axis.outer.is(1) && h.axis.inner.is(1);
  // turned: [columns, rows] at the end.
  const auto split = [&](std::size_t i, const RowCount& rows, std::int64_t count, std::int64_t width, bool turned,
                         bool shared) {
    const int w = static_cast<int>(width), n = static_cast<int>(count);
    std::string x;
    if (h.plain) {
      x = reshape_to(in(i), {0, rows, n, w});
      x = model_.node("Transpose", {x}, Attributes().integers("perm", turned ? Ints{0, 2, 3, 1} : Ints{0, 2, 1, 3}));
    } else {
      x = reshape_to(with_steps(i),
                     {0, shared ? RowCount(1) : h.axis.outer, rows, shared ? RowCount(1) : h.axis.inner, n, w});
      x = model_.node("Transpose", {x},
                      Attributes().integers("perm", turned ? Ints{0, 1, 3, 4, 5, 2} : Ints{0, 1, 3, 4, 2, 5}));
    }
    if (count == heads) return x;
    // Each head of keys serves several: repeated side by side.
    const int times = static_cast<int>(heads / count);
    const RowCount r = turned ? RowCount(w) : rows, c = turned ? rows : RowCount(w);
    if (h.plain) {
      x = model_.node("Expand", {reshape_to(x, {0, n, 1, r, c}), model_.integers({1, 1, times, 1, 1})});
      return reshape_to(x, {0, a.heads, r, c});
    }
    const RowCount outer = shared ? RowCount(1) : h.axis.outer, inner = shared ? RowCount(1) : h.axis.inner;
    x = model_.node("Expand",
                    {reshape_to(x, {0, outer, inner, n, 1, r, c}), model_.integers({1, 1, 1, 1, times, 1, 1})});
    return reshape_to(x, {0, outer, inner, a.heads, r, c});
  };
  const std::string q = split(0, h.axis.over, heads, d, false, false),
                    k = split(1, h.keys, kv_heads, d, true, a.shared_keys),
                    v = split(2, h.keys, kv_heads, dv, false, a.shared_keys);
  const float s = 1 / std::sqrt(static_cast<float>(d));
  std::string scores = model_.node("MatMul", {model_.node("Mul", {q, model_.scalar(s)}), k});
  const auto add = [&](const std::string& x) { scores = model_.node("Add", {scores, x}); };
  std::size_t next = 3;
  const std::size_t bias = a.bias ? next++ : 0, mask = a.mask ? next++ : 0;
  if (a.relations) h.terms = next;
  if (a.relations) add(model_.node("Mul", {relation_scores(h), model_.scalar(s)}));
  if (bias != 0) {
    // [batch or 1, (1, 1,) heads or 1, rows, keys]
    const bool constant = values_[static_cast<std::size_t>(node_->inputs[bias])].constant;
    const int columns = in_shape(bias).width;
    std::string x = reshape_to(in(bias), {constant ? 1 : 0, h.axis.over, h.keys, columns});
    x = model_.node("Transpose", {x}, Attributes().integers("perm", {0, 3, 1, 2}));
    add(h.plain ? x : reshape_to(x, {0, 1, 1, columns, h.axis.over, h.keys}));
  }
  if (mask != 0) {
    std::string x = model_.node("Less", {model_.scalar(0), in(mask)});
    x = model_.node("Where", {x, model_.scalar(0), model_.scalar(kNever)});
    if (h.plain || a.shared_keys) {
      x = h.plain ? reshape_to(x, {0, 1, 1, h.keys}) : reshape_to(x, {0, 1, 1, 1, 1, h.keys});
    } else {
      x = reshape_to(x, {0, h.axis.outer, h.keys, h.axis.inner});
      x = model_.node("Transpose", {x}, Attributes().integers("perm", {0, 1, 3, 2}));
      x = reshape_to(x, {0, h.axis.outer, h.axis.inner, 1, 1, h.keys});
    }
    add(x);
  }
  if (a.causal || a.before >= 0 || a.after >= 0) {
    const bool fixed = h.axis.over.fixed() && h.keys.fixed();
    const int after = a.causal ? 0 : a.after;
    if (fixed) {
      const std::int64_t rows = *h.axis.over.fixed(), keys = *h.keys.fixed();
      std::vector<float> never(static_cast<std::size_t>(rows * keys), 0.0F);
      for (std::int64_t t = 0; t < rows; ++t) {
        for (std::int64_t j = a.first; j < keys; ++j) {
          if ((after >= 0 && j > t + after) || (a.before >= 0 && j < t - a.before))
            never[static_cast<std::size_t>(t * keys + j)] = kNever;
        }
      }
      add(model_.floats("causal_mask", {rows, keys}, never));
    } else {
      const auto scalar = [&](const std::string& list) { return model_.node("Squeeze", {list, model_.integers({0})}); };
      const auto range = [&](const RowCount& size, const Ints& dims) {
        const std::string all =
            model_.node("Range", {scalar(model_.integers({0})), scalar(count(size)), scalar(model_.integers({1}))});
        return model_.node("Reshape",
                           {model_.node("Cast", {all}, Attributes().integer("to", kToFloat)), model_.integers(dims)});
      };
      const std::string t = range(h.axis.over, {-1, 1}), j = range(h.keys, {1, -1});
      const auto number = [&](int n) { return model_.scalar(static_cast<float>(n)); };
      const auto exclude = [&](const std::string& smaller, const std::string& larger) {
        const std::string low =
            model_.node("Where", {model_.node("Less", {smaller, larger}), model_.scalar(kNever), model_.scalar(0)});
        // The first keys are always read.
        add(a.first == 0 ? low
                         : model_.node("Where", {model_.node("Less", {j, number(a.first)}), model_.scalar(0), low}));
      };
      if (after >= 0) exclude(model_.node("Add", {t, number(after)}), j);
      if (a.before >= 0) exclude(j, model_.node("Sub", {t, number(a.before)}));
    }
  }
  const std::string seen = model_.node("Softmax", {scores}, Attributes().integer("axis", -1));
  std::string y = model_.node("MatMul", {seen, v});  // [batch, (outer, inner,) heads, rows, dv]
  if (a.relation_values) {
    // Weights of each class, then its values.
    const std::size_t at = h.terms + 3;
    const bool constant = values_[static_cast<std::size_t>(node_->inputs[at])].constant;
    const int classes = in_shape(at).steps, columns = in_shape(h.terms + 2).width;
    const bool fixed_relation = values_[static_cast<std::size_t>(node_->inputs[h.terms + 2])].constant;
    std::string index = reshape_to(in(h.terms + 2), {fixed_relation ? 1 : 0, h.axis.over, h.keys, columns});
    index = model_.node(
        "Clip", {model_.node("Round", {index}), model_.scalar(0), model_.scalar(static_cast<float>(classes - 1))});
    std::vector<float> numbers;
    for (int r = 0; r < classes; ++r) numbers.push_back(static_cast<float>(r));
    // [batch, rows, keys, columns, classes], added over columns.
    const std::string one_hot =
        model_.node("Cast",
                    {model_.node("Equal", {reshape_to(index, {0, h.axis.over, h.keys, columns, 1}),
                                           model_.floats("classes", {classes}, numbers)})},
                    Attributes().integer("to", kToFloat));
    std::string hot = model_.node(
        "Mul", {model_.node("ReduceMean", {one_hot}, Attributes().integers("axes", {3}).integer("keepdims", 0)),
                model_.scalar(static_cast<float>(columns))});  // [batch, rows, keys, classes]
    // Rows lead, so that each has a matrix of its own: [batch, (outer, inner,) heads, rows, 1, keys] times
    // [.., keys, classes].
    std::string table = reshape_to(in(at), {constant ? 1 : 0, classes, a.heads, static_cast<int>(dv)});
    table = model_.node("Transpose", {table}, Attributes().integers("perm", {0, 2, 1, 3}));
    std::string weights;
    if (h.plain) {
      weights = model_.node("MatMul", {reshape_to(seen, {0, a.heads, h.axis.over, 1, h.keys}),
                                       reshape_to(hot, {0, 1, h.axis.over, h.keys, classes})});
      weights = reshape_to(weights, {0, a.heads, h.axis.over, classes});
    } else {
      weights =
          model_.node("MatMul", {reshape_to(seen, {0, h.axis.outer, h.axis.inner, a.heads, h.axis.over, 1, h.keys}),
                                 reshape_to(hot, {0, 1, 1, 1, h.axis.over, h.keys, classes})});
      weights = reshape_to(weights, {0, h.axis.outer, h.axis.inner, a.heads, h.axis.over, classes});
      table = reshape_to(table, {0, 1, 1, a.heads, classes, static_cast<int>(dv)});
    }
    y = model_.node("Add", {y, model_.node("MatMul", {weights, table})});
  }
  y = model_.node("Transpose", {y}, Attributes().integers("perm", h.plain ? Ints{0, 2, 1, 3} : Ints{0, 1, 4, 2, 3, 5}));
  return reshape(y, usual(out));
}

// Terms of queries and keys, selected by class and added over the columns of relations: [batch, (outer, inner,) heads,
// rows, keys].
std::string Emitter::relation_scores(const Heads& h) {
  const nn::Attributes& a = node_->attributes;
  const int classes = in_shape(h.terms).width / a.heads, columns = in_shape(h.terms + 2).width;
  const bool constant = values_[static_cast<std::size_t>(node_->inputs[h.terms + 2])].constant;
  std::string index = reshape_to(in(h.terms + 2), {constant ? 1 : 0, h.axis.over, h.keys, columns});
  index = model_.node(
      "Clip", {model_.node("Round", {index}), model_.scalar(0), model_.scalar(static_cast<float>(classes - 1))});
  index =
      model_.node("Transpose", {index}, Attributes().integers("perm", {0, 3, 1, 2}));  // [batch, columns, rows, keys]
  std::string sum;
  for (int c = 0; c < columns; ++c) {
    std::string one =
        columns == 1
            ? index
            : model_.node("Slice", {index, model_.integers({c}), model_.integers({c + 1}), model_.integers({1})});
    const auto selected = [&](std::size_t i, const RowCount& rows, bool of_keys) {
      const bool shared = of_keys && a.shared_keys;
      // [batch, (outer, inner,) heads, rows, classes]
      std::string x;
      if (h.plain) {
        x = model_.node("Transpose", {reshape_to(in(i), {0, rows, a.heads, classes})},
                        Attributes().integers("perm", {0, 2, 1, 3}));
      } else {
        x = reshape_to(with_steps(i), {0, shared ? RowCount(1) : h.axis.outer, rows,
                                       shared ? RowCount(1) : h.axis.inner, a.heads, classes});
        x = model_.node("Transpose", {x}, Attributes().integers("perm", {0, 1, 3, 4, 2, 5}));
      }
      // Of keys the classes are looked up in [keys, rows].
      std::string at = of_keys ? model_.node("Transpose", {one}, Attributes().integers("perm", {0, 1, 3, 2})) : one;
      const RowCount other = of_keys ? h.axis.over : h.keys;
      if (!h.plain) at = reshape_to(at, {0, 1, 1, 1, rows, other});
      // GatherElements needs equal leading sizes.
      const std::string first_column = this->columns(x, 0, 1);
      const std::string zeros = model_.node("Cast", {model_.node("Less", {first_column, first_column})},
                                            Attributes().integer("to", kToFloat));
      at = model_.node("Cast", {model_.node("Add", {at, zeros})}, Attributes().integer("to", kToInt64));
      std::string y = model_.node("GatherElements", {x, at}, Attributes().integer("axis", -1));
      if (of_keys)
        y = model_.node("Transpose", {y},
                        Attributes().integers("perm", h.plain ? Ints{0, 1, 3, 2} : Ints{0, 1, 2, 3, 5, 4}));
      return y;
    };
    const std::string both =
        model_.node("Add", {selected(h.terms, h.axis.over, false), selected(h.terms + 1, h.keys, true)});
    sum = sum.empty() ? both : model_.node("Add", {sum, both});
  }
  return sum;
}

}  // namespace zoe::nn::onnx
