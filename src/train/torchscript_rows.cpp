// SPDX-License-Identifier: MIT
// Part of Zoetrope. Operations along rows and on pictures in TorchScript.
#include <cmath>

#include "zoe/core/check.h"

#include "train/torchscript_writer.h"

namespace zoe::train {

using nn::Op;
using nn::RowCount;

std::string TorchScriptWriter::as_groups(std::size_t i) const {
  const RowGroups g = groups();
  return in(i) + ".reshape([-1, " + count(g.outer) + ", " + count(g.over) + ", " + count(g.inner) + ", " +
         std::to_string(shape(i).width) + "])";
}

// Queries, keys and values are [batch, outer, inner, heads, rows of a group, columns of a head].
void TorchScriptWriter::add_attention() {
  const nn::Attributes& a = node_->attributes;
  const RowGroups g = groups();
  const std::string keys = count(keys_of(g, shape(0).rows(), shape(1).rows(), a.shared_keys));
  const std::string one = "1", queries = count(g.over);
  const std::string outer = count(g.outer), inner = count(g.inner);
  const auto split = [](const std::string& x, const std::string& o, const std::string& rows, const std::string& i,
                        int heads) {
    return x + ".reshape([" + x + ".size(0), " + o + ", " + rows + ", " + i + ", " + std::to_string(heads) +
           ", -1]).permute([0, 1, 3, 4, 2, 5])";
  };
  const auto of_queries = [&](std::size_t i) { return split(in(i), outer, queries, inner, a.heads); };
  const auto of_keys = [&](std::size_t i, int heads) {
    return split(in(i), a.shared_keys ? one : outer, keys, a.shared_keys ? one : inner, heads);
  };
  const int kv_heads = a.kv_heads == 0 ? a.heads : a.kv_heads;
  const auto for_heads = [&](std::size_t i) {
    const std::string x = of_keys(i, kv_heads);
    return kv_heads == a.heads ? x : x + ".repeat_interleave(" + std::to_string(a.heads / kv_heads) + ", 3)";
  };
  const double scale = 1 / std::sqrt(static_cast<double>(shape(0).width / a.heads));
  line("q", of_queries(0));
  line("s", "torch.matmul(q, (" + for_heads(1) + ").transpose(4, 5))");
  std::size_t next = 3;
  const std::size_t bias = a.bias ? next++ : 0, mask = a.mask ? next++ : 0, terms = next;
  const int num_related = a.relations ? shape(terms + 2).width : 0;
  if (a.relations) {
    const int classes = shape(terms).width / a.heads;
    line("qt", of_queries(terms));
    line("kt", of_keys(terms + 1, a.heads));
    // [batch, 1, 1, 1, queries, keys, relations]
    line("related", index_of(in(terms + 2), std::to_string(classes)) + ".reshape([-1, 1, 1, 1, " + queries + ", " +
                        keys + ", " + std::to_string(num_related) + "])");
    for (int c = 0; c < num_related; ++c) {
      line("r", "related[:, :, :, :, :, :, " + std::to_string(c) + "].expand([s.size(0), s.size(1), s.size(2), " +
                    std::to_string(a.heads) + ", -1, -1])");
      line("s",
           "s + torch.gather(qt, 5, r) + torch.gather(kt.expand([s.size(0), s.size(1), s.size(2), -1, -1, -1]), "
           "5, r.transpose(4, 5)).transpose(4, 5)");
    }
  }
  line("s", "s * " + number(scale));
  if (a.bias) {
    line("s", "s + " + in(bias) + ".reshape([-1, 1, 1, " + queries + ", " + keys + ", " +
                  std::to_string(shape(bias).width) + "]).permute([0, 1, 2, 5, 3, 4])");
  }
  if (a.causal || a.before >= 0 || a.after >= 0) {
    line("i", "torch.arange(" + queries + ", device=s.device).unsqueeze(1)");
    line("j", "torch.arange(" + keys + ", device=s.device).unsqueeze(0)");
    std::string outside;
    if (a.causal || a.after >= 0) outside = "(j > i + " + std::to_string(a.causal ? 0 : a.after) + ")";
    if (a.before >= 0) outside += (outside.empty() ? "(j < i - " : " | (j < i - ") + std::to_string(a.before) + ")";
    line("s", "s - 1e30 * ((" + outside + ") & (j >= " + std::to_string(a.first) + ")).to(s.dtype)");
  }
  if (a.mask) line("s", "s - 1e30 * torch.logical_not(" + of_keys(mask, 1) + ".transpose(4, 5) > 0).to(s.dtype)");
  line("s", "torch.softmax(s, 5)");
  line("y", "torch.matmul(s, " + for_heads(2) + ")");
  if (a.relation_values) {
    // Weights of each class, then the classes' rows.
    const int classes = shape(terms + 3).rows().fixed().value_or(0);
    line("per_class", "torch.zeros([s.size(0), s.size(1), s.size(2), s.size(3), s.size(4), " + std::to_string(classes) +
                          "], device=s.device, dtype=s.dtype)");
    for (int c = 0; c < num_related; ++c)
      line("per_class", "per_class.scatter_add(5, related[:, :, :, :, :, :, " + std::to_string(c) +
                            "].expand([s.size(0), s.size(1), s.size(2), s.size(3), -1, -1]), s)");
    line("y", "y + torch.matmul(per_class, " + in(terms + 3) + ".reshape([-1, 1, 1, " + std::to_string(classes) + ", " +
                  std::to_string(a.heads) + ", " + std::to_string(out().width / a.heads) +
                  "]).permute([0, 1, 2, 4, 3, 5]))");
  }
  result("y.permute([0, 1, 4, 2, 3, 5]).reshape(" + sizes(out()) + ")");
}

void TorchScriptWriter::add_moved() {
  const nn::Attributes& a = node_->attributes;
  switch (node_->op) {
    case Op::kGather:
      line("index",
           index_of(batched(1), count(shape(0).rows())) + ".expand([-1, -1, " + std::to_string(shape(0).width) + "])");
      return result("torch.gather(" + batched(0) + ", 1, index)");
    case Op::kConcatRows: {
      std::string parts;
      for (std::size_t i = 0; i < node_->inputs.size(); ++i) parts += (i > 0 ? ", " : "") + batched(i);
      return result("torch.cat([" + parts + "], 1)");
    }
    case Op::kRepeatRows: {
      const std::string inner = count(a.inner.empty() ? shape(0).rows() : a.inner);
      return result(in(0) + ".reshape([v0.size(0), -1, 1, " + inner + ", " + std::to_string(shape(0).width) +
                    "]).expand([-1, -1, " + count(a.over) + ", -1, -1]).reshape(" + sizes(out()) + ")");
    }
    default:
      break;
  }
  ZOE_CHECK(node_->op == Op::kSliceRows, "another operation");
  const std::string end = a.end > 0 ? std::to_string(a.end) : count(groups().over + RowCount(a.end));
  result(as_groups(0) + "[:, :, " + std::to_string(a.begin) + ":" + end + "].reshape(" + sizes(out()) + ")");
}

void TorchScriptWriter::add_along_rows() {
  const nn::Attributes& a = node_->attributes;
  const std::string width = std::to_string(out().width), epsilon = number(static_cast<double>(a.epsilon));
  const auto rates = [&](int half) {  // period^(-i / half)
    return "torch.exp(torch.arange(" + std::to_string(half) + ", device=" + in(0) + ".device).to(" + in(0) +
           ".dtype) * " + number(-std::log(static_cast<double>(a.period)) / half) + ")";
  };
  const auto picture = [&] {
    const RowGroups g = groups();
    return in(0) + ".transpose(1, 2).reshape([-1, " + std::to_string(shape(0).width) + ", " + count(g.over) + ", " +
           count(g.inner) + "])";
  };
  const auto pair = [](int value) { return "[" + std::to_string(value) + ", " + std::to_string(value) + "]"; };
  switch (node_->op) {
    case Op::kRmsNorm:
      return result(in(0) + " * torch.rsqrt(torch.mean(" + in(0) + " * " + in(0) + ", [2], True) + " + epsilon + ")" +
                    (has(0) ? " * " + weight(0) : ""));
    case Op::kGroupNorm:
      return result("torch.group_norm(" + in(0) + ".transpose(1, 2), " + std::to_string(a.groups) + ", " +
                    weight_or_none(0) + ", " + weight_or_none(1) + ", " + epsilon + ").transpose(1, 2)");
    case Op::kGlu:
      line("t", in(0) + "[:, :, " + width + ":]");
      return result(in(0) + "[:, :, :" + width + "] * (" + activated("t", a) + ")");
    case Op::kSoftmaxRows:
      return result("torch.softmax(" + as_groups(0) + ", 2).reshape(" + sizes(out()) + ")");
    case Op::kPositions: {
      const RowGroups g = groups();
      return result("torch.arange(" + count(g.over) + ", device=" + in(0) + ".device).to(" + in(0) +
                    ".dtype).reshape([1, 1, -1, 1, 1]).expand([v0.size(0), " + count(g.outer) + ", -1, " +
                    count(g.inner) + ", 1]).reshape(" + sizes(out()) + ")");
    }
    case Op::kSinusoidal:
      line("angle", in(0) + " * " + rates(out().width / 2));
      return result("torch.cat([torch.cos(angle), torch.sin(angle)], 2)");
    case Op::kRotary: {
      const int half = out().width / a.heads / 2;
      const std::string parts = std::to_string(a.heads) + ", " +
                                (a.interleaved ? std::to_string(half) + ", 2" : "2, " + std::to_string(half));
      const std::string last = a.interleaved ? "4" : "3";
      line("angle", "(" + in(1) + " * " + rates(half) + ").unsqueeze(2)");  // [batch, rows, 1, half]
      line("p", in(0) + ".reshape([-1, " + count(out().rows()) + ", " + parts + "])");
      line("a", "torch.select(p, " + last + ", 0)");
      line("b", "torch.select(p, " + last + ", 1)");
      return result(
          "torch.stack([a * torch.cos(angle) - b * torch.sin(angle), a * torch.sin(angle) + b * "
          "torch.cos(angle)], " +
          last + ").reshape(" + sizes(out()) + ")");
    }
    case Op::kPoolRows: {
      const std::string y = a.maximum ? "torch.amax(t, [2])" : "torch.mean(t, [2])";
      line("t", as_groups(0));
      if (node_->inputs.size() == 1) return result(y + ".reshape(" + sizes(out()) + ")");
      line("m", "(" + as_groups(1) + " > 0).to(t.dtype)");
      line("n", "torch.sum(m, [2])");
      const std::string high = "torch.amax(t * m - 1e38 * (1.0 - m), [2]) * torch.clamp(n, 0.0, 1.0)";
      return result("(" + (a.maximum ? high : "torch.sum(t * m, [2]) / torch.clamp(n, 1.0)") + ").reshape(" +
                    sizes(out()) + ")");
    }
    case Op::kConv2d:
      line("t", "torch.conv2d(" + picture() + ", " + weight(0) + ", " + weight_or_none(1) + ", " + pair(a.stride) +
                    ", " + pair(a.padding) + ", " + pair(a.dilation) + ", " + std::to_string(a.groups) + ")");
      return result("t.reshape([t.size(0), t.size(1), -1]).transpose(1, 2)", a);
    case Op::kUpsample: {
      const RowGroups g = groups();
      const std::string times = std::to_string(a.stride);
      const std::string size = "[" + count(g.over) + " * " + times + ", " + count(g.inner) + " * " + times + "]";
      line("t", a.bilinear ? "torch.upsample_bilinear2d(" + picture() + ", " + size + ", False)"
                           : "torch.upsample_nearest2d(" + picture() + ", " + size + ")");
      return result("t.reshape([t.size(0), t.size(1), -1]).transpose(1, 2)");
    }
    default:
      break;
  }
  ZOE_CHECK(false, "another operation");
}

}  // namespace zoe::train
