// SPDX-License-Identifier: MIT
// Part of Zoetrope. Builder functions of operations along rows: attention in groups, norms, positions, pictures.
#include <fmt/format.h>

#include "zoe/nn/graph_builder.h"

namespace zoe::nn {

int GraphBuilder::attention(int q, int k, int v, const Attention& how) {
  std::vector<int> inputs{q, k, v};
  Attributes a;
  a.heads = how.heads, a.kv_heads = how.kv_heads, a.over = how.over, a.inner = how.inner;
  a.shared_keys = how.shared_keys, a.causal = how.causal;
  a.before = how.before, a.after = how.after, a.first = how.first;
  a.bias = how.bias >= 0, a.mask = how.mask >= 0, a.relations = how.relation >= 0;
  a.relation_values = how.relation_values >= 0;
  if (a.bias) inputs.push_back(how.bias);
  if (a.mask) inputs.push_back(how.mask);
  if (a.relations) inputs.insert(inputs.end(), {how.query_terms, how.key_terms, how.relation});
  if (a.relation_values) inputs.push_back(how.relation_values);
  return add_node(Op::kAttention, std::move(inputs), {}, a);
}

int GraphBuilder::relation_terms(int x, const std::string& name, int heads, int classes, Values table) {
  const auto width = static_cast<std::size_t>(shape(x).width), h = static_cast<std::size_t>(heads),
             rows = static_cast<std::size_t>(classes);
  if (heads < 1 || classes < 1 || width % h != 0 || (!table.empty() && table.size() != rows * width))
    return fail(
               fmt::format("relation_terms '{}': a table of {} classes by {} columns is needed", name, classes, width)),
           0;
  std::vector<float> blocks(table.empty() ? 0 : h * rows * width, 0.0F);
  const std::size_t d = width / h;
  for (std::size_t head = 0; head < h && !table.empty(); ++head) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t i = head * d; i < (head + 1) * d; ++i)
        blocks[(head * rows + r) * width + i] = table[r * width + i];
    }
  }
  return linear(x, name, {h * rows, width}, blocks, {});
}

int GraphBuilder::rms_norm(int x, const std::string& name, Values gamma, float epsilon) {
  const auto width = static_cast<std::size_t>(shape(x).width);
  return add_node(Op::kRmsNorm, {x}, {add_weight(name + ".gamma", {width}, gamma)}, {.epsilon = epsilon});
}
int GraphBuilder::group_norm(int x, int groups, const std::string& name, Values gamma, Values beta, float epsilon) {
  const auto width = static_cast<std::size_t>(shape(x).width);
  return add_node(Op::kGroupNorm, {x},
                  {add_weight(name + ".gamma", {width}, gamma), add_weight(name + ".beta", {width}, beta)},
                  {.epsilon = epsilon, .groups = groups});
}
int GraphBuilder::glu(int x, Activation gate) { return add_node(Op::kGlu, {x}, {}, {.activation = gate}); }
int GraphBuilder::softmax_rows(int x, const Axis& axis) {
  return add_node(Op::kSoftmaxRows, {x}, {}, {.over = axis.over, .inner = axis.inner});
}
int GraphBuilder::positions(int x, const Axis& axis) {
  return add_node(Op::kPositions, {x}, {}, {.over = axis.over, .inner = axis.inner});
}
int GraphBuilder::sinusoidal(int t, int width, float period) {
  return add_node(Op::kSinusoidal, {t}, {}, {.width = width, .period = period});
}
int GraphBuilder::rotary(int x, int positions, int heads, float period, bool interleaved) {
  return add_node(Op::kRotary, {x, positions}, {}, {.heads = heads, .period = period, .interleaved = interleaved});
}
int GraphBuilder::gather(int x, int index) { return add_node(Op::kGather, {x, index}, {}); }
int GraphBuilder::mean_rows(int x, const Axis& axis, int mask) {
  return add_node(Op::kPoolRows, mask < 0 ? std::vector{x} : std::vector{x, mask}, {},
                  {.over = axis.over, .inner = axis.inner});
}
int GraphBuilder::max_rows(int x, const Axis& axis, int mask) {
  return add_node(Op::kPoolRows, mask < 0 ? std::vector{x} : std::vector{x, mask}, {},
                  {.over = axis.over, .inner = axis.inner, .maximum = true});
}
int GraphBuilder::concat_rows(std::vector<int> values) { return add_node(Op::kConcatRows, std::move(values), {}); }
int GraphBuilder::slice_rows(int x, int begin, int end, const Axis& axis) {
  return add_node(Op::kSliceRows, {x}, {}, {.begin = begin, .end = end, .over = axis.over, .inner = axis.inner});
}
int GraphBuilder::repeat_rows(int x, const RowCount& copies, const RowCount& inner) {
  return add_node(Op::kRepeatRows, {x}, {}, {.over = copies, .inner = inner});
}
int GraphBuilder::conv2d(int x, const RowCount& line, const std::string& name, Dims weight_dims, Values weight,
                         Values bias, Conv2d conv, Activation activation) {
  const std::size_t out = weight_dims.empty() ? 0 : weight_dims[0];
  const int w = add_weight(name + ".weight", std::move(weight_dims), weight);
  return add_node(Op::kConv2d, {x}, {w, add_weight(name + ".bias", {out}, bias)},
                  {.activation = activation,
                   .stride = conv.stride,
                   .padding = conv.padding,
                   .dilation = conv.dilation,
                   .inner = line,
                   .groups = conv.groups});
}
int GraphBuilder::upsample(int x, const RowCount& line, int times, bool bilinear) {
  return add_node(Op::kUpsample, {x}, {}, {.stride = times, .inner = line, .bilinear = bilinear});
}

}  // namespace zoe::nn
