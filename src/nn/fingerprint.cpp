// SPDX-License-Identifier: MIT
#include <array>
#include <vector>

#include "zoe/core/hash64.h"

#include "nn/plan.h"

namespace zoe::nn {

std::uint64_t fingerprint_of(const Graph& graph) {
  Hash64 hash;
  const auto add = [&](const auto& values) { hash.add(std::as_bytes(std::span(values))); };
  const auto add_counted = [&](const auto& values) {
    add(std::array{static_cast<std::uint64_t>(values.size())});  // 64 bits on every machine.
    add(values);
  };
  // Rows that depend on dimensions, and nothing for others: networks without dimensions keep their fingerprint.
  const auto add_rows = [&](const RowCount& rows) {
    if (!rows.empty()) add_counted(rows.text(graph.dims));
  };
  for (const auto* ports : {&graph.inputs, &graph.outputs}) {
    for (const Port& port : *ports) {
      add_counted(port.name);
      add(std::array{port.value, port.shape.steps, port.shape.width});
      add_rows(port.shape.by_dims);
    }
  }
  for (const Node& node : graph.nodes) {
    const Attributes& a = node.attributes;
    add_counted(node.inputs);
    add_counted(node.weights);
    add(std::array{static_cast<int>(node.op), static_cast<int>(a.activation), a.begin, a.end, a.group, a.heads,
                   a.causal ? 1 : 0, a.stride, a.padding, a.dilation, a.steps, a.width});
    add(std::array{a.alpha, a.epsilon});
    // Attributes that newer operations have. Networks without them keep their fingerprint.
    Attributes older;
    older.activation = a.activation, older.alpha = a.alpha, older.epsilon = a.epsilon, older.begin = a.begin;
    older.end = a.end, older.group = a.group, older.heads = a.heads, older.causal = a.causal, older.stride = a.stride;
    older.padding = a.padding, older.dilation = a.dilation, older.steps = a.steps, older.width = a.width;
    if (a != older) {
      for (const RowCount* rows : {&a.rows, &a.over, &a.inner}) add_counted(rows->text(graph.dims));
      add(std::array{a.kv_heads, a.before, a.after, a.first, a.groups});
      add(std::array{a.shared_keys, a.bias, a.mask, a.relations, a.relation_values, a.interleaved, a.maximum,
                     a.bilinear});
      add(std::array{a.period});
    }
  }
  for (const Weight& weight : graph.weights) {
    add(std::array{static_cast<int>(weight.type), weight.scale_axes});
    add_counted(std::vector<std::uint64_t>(weight.shape.begin(), weight.shape.end()));
    add_counted(weight.bytes);
    add_counted(weight.scales);
  }
  return hash.finish();
}

}  // namespace zoe::nn
