// SPDX-License-Identifier: MIT
#include "train/torch_operations.h"

#include <cmath>
#include <limits>

#include "train/row_groups.h"

namespace zoe::train {
namespace {

using nn::Op;

struct GroupSizes {
  std::int64_t outer = 1, over = 1, inner = 1;
};

GroupSizes sizes_of(const TorchNode& n) {
  const RowGroups groups = groups_of(nn::RowCount(static_cast<int>(n.in[0].size(1))), n.node.attributes);
  return {*groups.outer.fixed(), *groups.over.fixed(), *groups.inner.fixed()};
}
// [batch, outer, over, inner, width]
at::Tensor as_groups(const at::Tensor& x, const GroupSizes& sizes) {
  return x.reshape({x.size(0), sizes.outer, sizes.over, sizes.inner, x.size(2)});
}
at::Tensor as_index(const at::Tensor& x, std::int64_t count) {
  return x.round().clamp(0, static_cast<double>(count - 1)).to(at::kLong);
}

// Classes of relations as counts, [batch, queries, keys, classes].
at::Tensor relation_counts(const at::Tensor& relation, std::int64_t queries, std::int64_t classes) {
  const at::Tensor index = as_index(relation, classes);
  return at::one_hot(index, classes).sum(2).reshape({index.size(0), queries, -1, classes}).to(at::kFloat);
}

// 1 where a query does not read a key, [queries, keys].
at::Tensor outside_window(const nn::Attributes& a, std::int64_t queries, std::int64_t keys) {
  const at::Tensor i = at::arange(queries).unsqueeze(1), j = at::arange(keys).unsqueeze(0);
  at::Tensor outside = at::zeros({queries, keys}, at::kBool);
  if (a.causal) {
    outside = outside.logical_or(j > i);
  } else if (a.after >= 0) {
    outside = outside.logical_or(j > i + a.after);
  }
  if (a.before >= 0) outside = outside.logical_or(j < i - a.before);
  return outside.logical_and(j >= a.first).to(at::kFloat);
}

at::Tensor attention_in_groups(const TorchNode& n) {
  constexpr double kHidden = 1e30;  // As zoe::nn: a query without keys weighs them equally.
  const nn::Attributes& a = n.node.attributes;
  const GroupSizes g = sizes_of(n);
  const std::int64_t heads = a.heads, kv_heads = a.kv_heads == 0 ? heads : a.kv_heads;
  const std::int64_t keys = a.shared_keys ? n.in[1].size(1) : n.in[1].size(1) / (g.outer * g.inner);
  // To [batch, outer, inner, heads, rows of a group, columns of a head].
  const auto of_queries = [&](const at::Tensor& x) {
    return x.reshape({x.size(0), g.outer, g.over, g.inner, heads, -1}).permute({0, 1, 3, 4, 2, 5});
  };
  const auto of_keys = [&](const at::Tensor& x, std::int64_t parts) {
    const std::int64_t outer = a.shared_keys ? 1 : g.outer, inner = a.shared_keys ? 1 : g.inner;
    return x.reshape({x.size(0), outer, keys, inner, parts, -1}).permute({0, 1, 3, 4, 2, 5});
  };
  const auto for_heads = [&](const at::Tensor& x) {
    return of_keys(x, kv_heads).repeat_interleave(heads / kv_heads, 3);
  };
  const at::Tensor q = of_queries(n.in[0]), k = for_heads(n.in[1]), v = for_heads(n.in[2]);
  at::Tensor scores = at::matmul(q, k.transpose(-1, -2));
  std::size_t next = 3;
  const std::size_t bias = a.bias ? next++ : 0, mask = a.mask ? next++ : 0, terms = next;
  at::Tensor counts;
  if (a.relations) {
    const std::int64_t classes = n.in[terms].size(2) / heads;
    counts = relation_counts(n.in[terms + 2], g.over, classes);
    scores = scores + at::einsum("boihqc,bqkc->boihqk", {of_queries(n.in[terms]), counts}) +
             at::einsum("boihkc,bqkc->boihqk", {of_keys(n.in[terms + 1], heads), counts});
  }
  scores = scores / std::sqrt(static_cast<double>(q.size(-1)));
  if (a.bias) {
    const at::Tensor x = n.in[bias];
    scores = scores + x.reshape({x.size(0), 1, 1, g.over, keys, x.size(2)}).permute({0, 1, 2, 5, 3, 4});
  }
  scores = scores - kHidden * outside_window(a, g.over, keys);
  if (a.mask) scores = scores - kHidden * of_keys(n.in[mask], 1).transpose(-1, -2).gt(0).logical_not().to(at::kFloat);
  const at::Tensor weights = at::softmax(scores, -1);
  at::Tensor y = at::matmul(weights, v);
  if (a.relation_values) {
    const at::Tensor table = n.in[terms + 3];
    y = y + at::einsum("boihqk,bqkc,bchd->boihqd",
                       {weights, counts, table.reshape({table.size(0), table.size(1), heads, -1})});
  }
  return y.permute({0, 1, 4, 2, 3, 5}).reshape({n.batch, n.out.steps, n.out.width});
}

at::Tensor frequencies(const nn::Attributes& a, std::int64_t half) {
  const at::Tensor i = at::arange(half, at::kDouble);
  return at::pow(static_cast<double>(a.period), -i / static_cast<double>(half)).to(at::kFloat);
}

// Pairs of columns are complex numbers.
at::Tensor rotated(const TorchNode& n) {
  const nn::Attributes& a = n.node.attributes;
  const std::int64_t half = n.out.width / a.heads / 2;
  const at::Tensor x = a.interleaved ? n.in[0].reshape({n.batch, n.out.steps, a.heads, half, 2})
                                     : n.in[0].reshape({n.batch, n.out.steps, a.heads, 2, half}).transpose(3, 4);
  const at::Tensor angle = n.in[1].unsqueeze(3) * frequencies(a, half);  // [batch, rows, 1, half]
  const at::Tensor turned = at::complex(x.select(4, 0), x.select(4, 1)) * at::polar(at::ones_like(angle), angle);
  const at::Tensor pairs = at::stack({at::real(turned), at::imag(turned)}, a.interleaved ? 4 : 3);
  return pairs.reshape({n.batch, n.out.steps, n.out.width});
}

at::Tensor pooled(const TorchNode& n) {
  const GroupSizes sizes = sizes_of(n);
  const bool maximum = n.node.attributes.maximum;
  const at::Tensor x = as_groups(n.in[0], sizes);
  at::Tensor y;
  if (n.in.size() == 1) {
    y = maximum ? x.amax(2) : x.mean(2);
  } else {
    const at::Tensor counts = as_groups(n.in[1], sizes).gt(0);
    const at::Tensor number = counts.sum(2);
    y = maximum ? x.masked_fill(counts.logical_not(), -std::numeric_limits<float>::infinity()).amax(2)
                : x.masked_fill(counts.logical_not(), 0).sum(2) / number.clamp_min(1);
    y = y.masked_fill(number == 0, 0);
  }
  return y.reshape({n.batch, n.out.steps, n.out.width});
}

// Pixels are rows: [batch, channels, lines, columns].
at::Tensor as_picture(const at::Tensor& x, const GroupSizes& sizes) {
  return x.transpose(1, 2).reshape({x.size(0), x.size(2), sizes.over, sizes.inner});
}
at::Tensor as_pixels(const at::Tensor& picture) { return picture.flatten(2).transpose(1, 2); }

at::Tensor upsampled(const TorchNode& n) {
  const GroupSizes sizes = sizes_of(n);
  const std::int64_t times = n.node.attributes.stride;
  const std::vector<std::int64_t> size{sizes.over * times, sizes.inner * times};
  const at::Tensor x = as_picture(n.in[0], sizes);
  return as_pixels(n.node.attributes.bilinear ? at::upsample_bilinear2d(x, size, /*align_corners=*/false)
                                              : at::upsample_nearest2d(x, size));
}

// Catmull-Rom weights of the points before, at and after the phase, put where these points are.
at::Tensor spline_weights(const at::Tensor& phase) {
  const at::Tensor scaled = 4 * (phase - phase.floor()), point = scaled.floor(), m = scaled - point;
  const at::Tensor powers = at::cat({at::ones_like(m), m, m.square(), m.pow(3)}, 2);
  const at::Tensor basis =
      at::tensor({0., 1., 0., 0., -.5, 0., .5, 0., 1., -2.5, 2., -.5, -.5, 1.5, -1.5, .5}, at::kFloat).view({4, 4});
  const at::Tensor index = (point.to(at::kLong) + at::arange(3, 7)).remainder(4);
  return at::zeros_like(powers).scatter_add(2, index, at::matmul(powers, basis));
}

std::vector<at::Tensor> cell(const TorchNode& n) {
  const auto& w = n.weights;
  const at::Tensor x = n.in[0].squeeze(1), h = n.in[1].squeeze(1);
  // libtorch's cells have both biases or none.
  const auto bias = [&](std::size_t i) { return w[i].defined() ? w[i] : at::zeros({w[0].size(0)}); };
  if (n.node.op == Op::kGruCell) return {at::gru_cell(x, h, w[0], w[1], bias(2), bias(3)).unsqueeze(1)};
  const std::vector<at::Tensor> states{h, n.in[2].squeeze(1)};
  const auto [next_h, next_c] = at::lstm_cell(x, states, w[0], w[1], bias(2), bias(3));
  return {next_h.unsqueeze(1), next_c.unsqueeze(1)};
}

at::Tensor moved(const TorchNode& n) {
  const nn::Attributes& a = n.node.attributes;
  const at::Tensor& x = n.in[0];
  if (n.node.op == Op::kConcatRows) {
    std::vector<at::Tensor> parts;
    for (const at::Tensor& part : n.in) parts.push_back(part.expand({n.batch, -1, -1}));
    return at::cat(parts, 1);
  }
  if (n.node.op == Op::kGather) {
    const at::Tensor index = as_index(n.in[1], x.size(1)).expand({n.batch, -1, x.size(2)});
    return at::gather(x.expand({n.batch, -1, -1}), 1, index);
  }
  if (n.node.op == Op::kRepeatRows) {
    const std::int64_t inner = a.inner.empty() ? x.size(1) : *a.inner.fixed();
    return x.reshape({x.size(0), -1, inner, x.size(2)}).repeat_interleave(*a.over.fixed(), 1).flatten(1, 2);
  }
  const GroupSizes sizes = sizes_of(n);
  const std::int64_t end = a.end > 0 ? a.end : sizes.over + a.end;
  return as_groups(x, sizes).narrow(2, a.begin, end - a.begin).flatten(1, 3);
}

at::Tensor expert_outputs(const TorchNode& n) {
  at::Tensor y = at::einsum("bsi,eoi->bseo", {n.in[0], n.weights[0]});
  if (n.weights[1].defined()) y = y + n.weights[1];
  return activate((y * n.in[1].unsqueeze(3)).sum(2), n.node.attributes);
}

}  // namespace

at::Tensor activate(const at::Tensor& x, const nn::Attributes& attributes) {
  switch (attributes.activation) {
    case nn::Activation::kNone:
      return x;
    case nn::Activation::kRelu:
      return at::relu(x);
    case nn::Activation::kLeakyRelu:
      return at::leaky_relu(x, static_cast<double>(attributes.alpha));
    case nn::Activation::kElu:
      return at::elu(x);
    case nn::Activation::kSilu:
      return at::silu(x);
    case nn::Activation::kTanh:
      return at::tanh(x);
    case nn::Activation::kSigmoid:
      return at::sigmoid(x);
    case nn::Activation::kGelu:
      return at::gelu(x);
    case nn::Activation::kSine:
      return at::sin(x);
    case nn::Activation::kSquareRoot:
      return at::sqrt(x);
  }
  return x;
}

std::vector<at::Tensor> compute_along_rows(const TorchNode& n) {
  const nn::Attributes& a = n.node.attributes;
  const at::Tensor& x = n.in[0];
  const auto epsilon = static_cast<double>(a.epsilon);
  switch (n.node.op) {
    case Op::kExpertLinear:
      return {expert_outputs(n)};
    case Op::kConv1d:
      return {activate(
          at::conv1d(x.transpose(1, 2), n.weights[0], n.weights[1], a.stride, a.padding, a.dilation).transpose(1, 2),
          a)};
    case Op::kGruCell:
    case Op::kLstmCell:
      return cell(n);
    case Op::kEmbedding:
      return {at::embedding(n.weights[0], as_index(x.squeeze(2), n.weights[0].size(0)))};
    case Op::kArgmin:
      return {at::argmin(x, 2, true).to(at::kFloat)};
    case Op::kLayerNorm:
      return {at::layer_norm(x, {x.size(2)}, n.weights[0], n.weights[1], epsilon)};
    case Op::kAttention:
      return {attention_in_groups(n)};
    case Op::kReshape:
      return {x.reshape({n.batch, n.out.steps, n.out.width})};
    case Op::kTranspose:
      return {x.transpose(1, 2)};
    case Op::kPhaseWeights:
      return {spline_weights(x)};
    case Op::kRmsNorm: {
      const at::Tensor y = x * at::rsqrt(x.square().mean(2, true) + epsilon);
      return {n.weights[0].defined() ? y * n.weights[0] : y};
    }
    case Op::kGroupNorm:
      return {at::group_norm(x.transpose(1, 2), a.groups, n.weights[0], n.weights[1], epsilon).transpose(1, 2)};
    case Op::kGlu: {
      if (a.activation == nn::Activation::kSigmoid) return {at::glu(x, 2)};
      const std::vector<at::Tensor> halves = x.chunk(2, 2);
      return {halves[0] * activate(halves[1], a)};
    }
    case Op::kSoftmaxRows:
      return {at::softmax(as_groups(x, sizes_of(n)), 2).flatten(1, 3)};
    case Op::kPositions: {
      const GroupSizes sizes = sizes_of(n);
      const at::Tensor index = at::arange(sizes.over, at::kFloat).repeat_interleave(sizes.inner).repeat({sizes.outer});
      return {index.view({1, -1, 1}).expand({n.batch, -1, -1})};
    }
    case Op::kSinusoidal: {
      const at::Tensor angle = x * frequencies(a, n.out.width / 2);
      return {at::cat({angle.cos(), angle.sin()}, 2)};
    }
    case Op::kRotary:
      return {rotated(n)};
    case Op::kPoolRows:
      return {pooled(n)};
    case Op::kGather:
    case Op::kConcatRows:
    case Op::kSliceRows:
    case Op::kRepeatRows:
      return {moved(n)};
    case Op::kConv2d:
      return {activate(as_pixels(at::conv2d(as_picture(x, sizes_of(n)), n.weights[0], n.weights[1], a.stride, a.padding,
                                            a.dilation, a.groups)),
                       a)};
    case Op::kUpsample:
      return {upsampled(n)};
    default:
      break;
  }
  ZOE_CHECK(false, "TorchGraph computes this operation itself");
  return {};
}

}  // namespace zoe::train
