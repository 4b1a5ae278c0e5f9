// SPDX-License-Identifier: MIT
#include "train/operation_graphs.h"

#include <cmath>

#include "zoe/core/index.h"
#include "zoe/nn/graph_builder.h"

#include "nn/blocks.h"

namespace zoe::test {
namespace {

using nn::Activation;
using nn::Axis;
using nn::GraphBuilder;
using nn::Op;
using nn::RowCount;

class OperationMaker {
 public:
  explicit OperationMaker(Random& random) : random_(random) {}

  // No default: a new operation must be added here.
  void add(Op op) {
    switch (op) {
      case Op::kLinear: {
        x(rows(), wide());
        const std::size_t columns = idx(size());
        return out(
            b.linear(x_, "w", {columns, width()}, w(columns * width(), width()), maybe(columns), any_activation()));
      }
      case Op::kExpertLinear:
        return expert_linear();
      case Op::kConv1d:
        return conv1d();
      case Op::kGruCell:
      case Op::kLstmCell:
        return cell(op);
      case Op::kEmbedding: {
        const std::size_t count = idx(size()), columns = idx(size());
        return out(b.embedding(b.input("index", 1, rows()), "e", {count, columns}, v(count * columns)));
      }
      case Op::kActivation:
        x(rows(), wide());
        if (chance()) return out(b.activation(b.multiply(x_, x_), Activation::kSquareRoot));
        return out(b.activation(x_, any_activation(), 0.3F));
      case Op::kSoftmax: {
        const int group = size(), groups = 1 + below(3);
        return out(b.softmax(x(rows(), group * groups), chance() ? group : 0));
      }
      case Op::kArgmin:
        return out(b.argmin(b.input(chance() ? "tied" : "x", wide(), rows())));
      case Op::kLayerNorm:
        x(rows(), 2 + wide());
        return out(b.layer_norm(x_, "n", maybe(width()), maybe(width()), chance() ? 1e-5F : 1e-3F));
      case Op::kAttention:
        return attention();
      case Op::kAdd:
        return two([&](int l, int r) { return b.add(l, r); });
      case Op::kSubtract:
        return two([&](int l, int r) { return b.subtract(l, r); });
      case Op::kMultiply:
        return two([&](int l, int r) { return b.multiply(l, r); });
      case Op::kDivide: {
        x(rows(), wide());
        const int steps = chance() ? 1 : b.shape(x_).steps;
        std::vector<float> by = v(idx(steps) * width());
        for (float& one : by) one = 0.5F + std::abs(one);
        return out(b.divide(x_, b.constant("c", steps, b.shape(x_).width, by)));
      }
      case Op::kAtan2: {
        const int steps = rows(), columns = wide();
        const int y = b.input("y_part", columns, steps);
        return out(b.atan2(y, b.input("x_part", columns, chance() ? 1 : steps)));
      }
      case Op::kFilm: {
        x(rows(), wide());
        const int columns = b.shape(x_).width, steps = b.shape(x_).steps;
        const int scale = b.input("scale", columns, chance() ? 1 : steps);
        const int shift =
            chance() ? b.input("shift", columns) : b.constant("shift", steps, columns, v(width() * idx(steps)));
        return out(b.film(x_, scale, shift, any_activation()));
      }
      case Op::kConcat: {
        x(rows(), wide());
        std::vector<int> parts{x_, b.input("y", wide()), b.constant("c", 1, 2, v(2)), x_};
        if (chance()) parts.erase(parts.begin() + 1);
        return out(b.concat(parts));
      }
      case Op::kSlice: {
        x(rows(), wide());
        const int begin = below(b.shape(x_).width);
        return out(b.slice(x_, begin, begin + 1 + below(b.shape(x_).width - begin)));
      }
      case Op::kReshape: {
        const int r = size(), c = size(), k = 1 + below(4);
        return out(b.reshape(x(r * k, c), r, c * k));
      }
      case Op::kTranspose:
        return out(b.transpose(x(rows(), wide())));
      case Op::kNormalize:
      case Op::kDenormalize: {
        x(rows(), wide());
        std::vector<float> spread = v(width());
        for (float& one : spread) one = 0.5F + std::abs(one);
        return out(op == Op::kNormalize ? b.normalize(x_, "n", v(width()), spread)
                                        : b.denormalize(x_, "n", v(width()), spread));
      }
      case Op::kPhaseWeights:
        return out(b.phase_weights(b.input("phase", 1, rows())));
      case Op::kConstant: {
        const int steps = rows(), columns = wide();
        x(1, columns);
        return out(b.add(x_, b.constant("c", steps, columns, v(idx(steps * columns)))));
      }
      case Op::kRmsNorm:
        x(rows(), wide());
        return out(b.rms_norm(x_, "n", maybe(width()), 1e-3F));
      case Op::kGroupNorm: {
        const int groups = 1 + below(4);
        x(1 + rows(), groups * (1 + size()));
        return out(b.group_norm(x_, groups, "n", maybe(width()), maybe(width())));
      }
      case Op::kGlu:
        return out(b.glu(x(rows(), 2 * size()), chance() ? Activation::kSigmoid : any_activation()));
      case Op::kSoftmaxRows:
        return out(b.softmax_rows(grouped(), axis_));
      case Op::kPositions:
        return out(b.positions(grouped(), axis_));
      case Op::kSinusoidal:
        return out(b.sinusoidal(b.input("t", 1, rows()), 2 * size(), chance() ? 10000.0F : 50.0F));
      case Op::kRotary: {
        const int heads = 1 + below(4);
        x(rows(), 2 * heads * size());
        const int t = b.input("t", 1, chance() ? 1 : b.shape(x_).steps);
        return out(b.rotary(x_, t, heads, 300, chance()));
      }
      case Op::kGather:
        x(rows(), wide());
        return out(b.gather(x_, b.input("index", 1, rows())));
      case Op::kPoolRows: {
        grouped();
        const int mask = chance() ? b.input("mask", 1, b.shape(x_).steps) : -1;
        return out(chance() ? b.mean_rows(x_, axis_, mask) : b.max_rows(x_, axis_, mask));
      }
      case Op::kConcatRows: {
        x(rows(), wide());
        const int columns = b.shape(x_).width, more = 1 + below(3), y = b.input("y", columns, rows());
        return out(b.concat_rows({b.constant("c", more, columns, v(idx(more) * width())), x_, y, x_}));
      }
      case Op::kSliceRows: {
        grouped();
        const int over = axis_.over.empty() ? b.shape(x_).steps / inner_ : *axis_.over.fixed();
        const int begin = below(over), end = begin + 1 + below(over - begin);
        return out(b.slice_rows(x_, begin, chance() ? end : end - over, axis_));
      }
      case Op::kRepeatRows: {
        grouped();
        return out(b.repeat_rows(x_, 1 + below(4), chance() ? RowCount{} : RowCount(inner_)));
      }
      case Op::kConv2d:
        return conv2d();
      case Op::kUpsample: {
        const int lines = size(), line = size();
        return out(b.upsample(x(lines * line, wide()), line, 1 + below(4), chance()));
      }
    }
  }

  GraphBuilder b;

 private:
  int below(int n) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(n))); }
  bool chance() { return below(2) == 0; }
  int size() { return 1 + below(9); }
  int wide() { return 1 + below(40); }
  int rows() { return chance() ? 1 : size(); }
  std::vector<float> v(std::size_t n) { return random_values(random_, n); }
  std::vector<float> maybe(std::size_t n) { return chance() ? v(n) : std::vector<float>{}; }
  std::vector<float> w(std::size_t n, std::size_t in) {
    return random_values(random_, n, 1.7F / std::sqrt(static_cast<float>(in)));
  }
  Activation any_activation() { return static_cast<Activation>(below(static_cast<int>(Activation::kSquareRoot))); }
  int x(int steps, int columns) { return x_ = b.input("x", columns, steps); }
  std::size_t width() const { return idx(b.shape(x_).width); }
  void out(int value) { b.output("y", value); }

  // Rows as [outer, over, inner].
  int grouped() {
    const int outer = 1 + below(3), over = 1 + below(5);
    inner_ = 1 + below(3);
    axis_ = {};
    if (inner_ > 1) axis_.inner = inner_;
    if (outer > 1 || chance()) axis_.over = over;
    return x(outer * over * inner_, wide());
  }
  template <typename Make>
  void two(const Make& make) {
    x(rows(), wide());
    const int columns = b.shape(x_).width, steps = b.shape(x_).steps;
    const int other = chance() ? b.input("y", columns, chance() ? 1 : steps)
                               : b.constant("c", steps, columns, v(width() * idx(steps)));
    out(chance() ? make(x_, other) : make(other, x_));
  }
  void expert_linear() {
    const std::size_t experts = idx(1 + below(5)), columns = idx(size());
    x(rows(), wide());
    const int gate = b.softmax(b.input("g", static_cast<int>(experts), chance() ? 1 : b.shape(x_).steps));
    out(b.expert_linear(x_, gate, "e", {experts, columns, width()}, w(experts * columns * width(), width()),
                        maybe(experts * columns), any_activation()));
  }
  void conv1d() {
    const int kernel = 1 + below(4), dilation = 1 + below(2), columns = size();
    x(dilation * (kernel - 1) + size(), wide());
    out(b.conv1d(x_, "c", {idx(columns), width(), idx(kernel)},
                 w(idx(columns * kernel) * width(), width() * idx(kernel)), maybe(idx(columns)),
                 {.stride = 1 + below(3), .padding = below(3), .dilation = dilation}, any_activation()));
  }
  void conv2d() {
    const int groups = 1 + below(3), dilation = 1 + below(2), high = 1 + below(3), long_ = 1 + below(3);
    const int lines = dilation * (high - 1) + size(), line = dilation * (long_ - 1) + size();
    const std::size_t in = idx(size()), columns = idx(groups * size());
    x(lines * line, groups * static_cast<int>(in));
    const std::size_t per_output = in * idx(high * long_);
    out(b.conv2d(x_, line, "c", {columns, in, idx(high), idx(long_)}, w(columns * per_output, per_output),
                 maybe(columns), {.stride = 1 + below(2), .padding = below(3), .dilation = dilation, .groups = groups},
                 any_activation()));
  }
  void cell(Op op) {
    const int hidden = wide();
    x(1, wide());
    const int h = b.input("h", hidden);
    const std::size_t gates = idx(hidden) * (op == Op::kGruCell ? 3 : 4);
    const std::vector<float> wi = w(gates * width(), width()), ws = w(gates * idx(hidden), idx(hidden)),
                             bi = maybe(gates), bs = maybe(gates);
    const GraphBuilder::CellWeights weights{wi, ws, bi, bs};
    if (op == Op::kGruCell) return out(b.gru_cell(x_, h, "g", weights));
    const auto made = b.lstm_cell(x_, h, b.input("c", hidden), "g", weights);
    b.output("c'", made.c);
    out(made.h);
  }

  void attention() {
    GraphBuilder::Attention how{.heads = 1 + below(3)};
    const int outer = 1 + below(3), over = 1 + below(5), inner = 1 + below(3), d = size(), dv = size();
    if (outer > 1 || chance()) how.over = over;
    if (inner > 1) how.inner = inner;
    how.shared_keys = below(3) == 0;
    int kv_heads = how.heads;
    if (below(3) == 0) how.kv_heads = kv_heads = 1;
    const int keys = chance() ? over : 1 + below(6);
    const int query_rows = outer * over * inner, key_rows = how.shared_keys ? keys : outer * keys * inner;
    const int q = b.input("q", d * how.heads, query_rows), k = b.input("k", d * kv_heads, key_rows),
              value = b.input("v", dv * kv_heads, key_rows);
    if (chance()) how.causal = true;
    if (!how.causal && chance()) how.after = below(3);
    if (chance()) how.before = below(3), how.first = below(3);
    const int bias_columns = chance() ? 1 : how.heads;  // Inputs come before constants.
    const bool biased = chance(), constant_bias = chance();
    if (biased && !constant_bias) how.bias = b.input("bias", bias_columns, over * keys);
    if (chance()) how.mask = b.input("mask", 1, key_rows);
    if (chance()) {
      const int classes = 1 + below(5), kinds = 1 + below(3);
      how.query_terms = b.input("qt", classes * how.heads, query_rows);
      how.key_terms = b.input("kt", classes * how.heads, key_rows);
      how.relation = b.input("relation", kinds, over * keys);
      if (chance()) {
        const int columns = dv * how.heads;
        how.relation_values = b.constant("rv", classes, columns, v(idx(classes * columns)));
      }
    }
    if (biased && constant_bias)
      how.bias = b.constant("bias", over * keys, bias_columns, v(idx(over * keys * bias_columns)));
    out(b.attention(q, k, value, how));
  }

  Random& random_;
  int x_ = 0, inner_ = 1;
  Axis axis_;
};

}  // namespace

nn::Graph random_operation(nn::Op op, Random& random) {
  OperationMaker maker(random);
  maker.add(op);
  return std::move(maker.b).build().value();
}

}  // namespace zoe::test
