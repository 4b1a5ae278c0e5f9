// SPDX-License-Identifier: MIT
#include <array>

#include "zoe/core/hash64.h"

#include "nn/plan.h"

namespace zoe::nn {

std::uint64_t fingerprint_of(const Graph& graph) {
  Hash64 hash;
  const auto add = [&](const auto& values) { hash.add(std::as_bytes(std::span(values))); };
  const auto add_counted = [&](const auto& values) {
    add(std::array{values.size()});
    add(values);
  };
  for (const auto* ports : {&graph.inputs, &graph.outputs}) {
    for (const Port& port : *ports) {
      add_counted(port.name);
      add(std::array{port.value, port.shape.steps, port.shape.width});
    }
  }
  for (const Node& node : graph.nodes) {
    const Attributes& a = node.attributes;
    add_counted(node.inputs);
    add_counted(node.weights);
    add(std::array{static_cast<int>(node.op), static_cast<int>(a.activation), a.begin, a.end, a.group, a.heads,
                   a.causal ? 1 : 0, a.stride, a.padding, a.dilation, a.steps, a.width});
    add(std::array{a.alpha, a.epsilon});
  }
  for (const Weight& weight : graph.weights) {
    add(std::array{static_cast<int>(weight.type), weight.scale_axes});
    add_counted(weight.shape);
    add_counted(weight.bytes);
    add_counted(weight.scales);
  }
  return hash.finish();
}

}  // namespace zoe::nn
