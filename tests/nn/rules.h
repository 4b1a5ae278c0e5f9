// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Graphs of one node for the rules of validate(), and the comparison of the reason.
#pragma once

#include <functional>

#include <gtest/gtest.h>

#include "zoe/nn/graph.h"

namespace zoe::nn::test {

inline Weight ones(const std::string& name, std::vector<std::size_t> shape) {
  std::size_t count = 1;
  for (const std::size_t dim : shape) count *= dim;
  return make_weight(name, std::move(shape), std::vector<float>(count, 1.0F));
}
inline Weight int8(const std::string& name, std::vector<std::size_t> shape, int scale_axes, std::size_t scales) {
  Weight weight = ones(name, std::move(shape));
  weight.bytes.resize(weight.bytes.size() / 4);
  weight.type = WeightType::kI8;
  weight.scale_axes = scale_axes;
  weight.scales.assign(scales, 1.0F);
  return weight;
}
inline Weight bfloat(const std::string& name, std::vector<std::size_t> shape) {
  Weight weight = ones(name, std::move(shape));
  weight.bytes.resize(weight.bytes.size() / 2);
  weight.type = WeightType::kBF16;
  return weight;
}

// Inputs of these shapes and one node on them.
inline Graph one_node(const std::vector<Shape>& inputs, Op op, std::vector<int> reads, std::vector<Weight> weights = {},
                      const Attributes& attributes = {}, std::size_t roles = 0) {
  Graph graph;
  for (const Shape& shape : inputs) {
    const auto value = static_cast<int>(graph.inputs.size());
    graph.inputs.push_back({"in" + std::to_string(value), value, shape});
  }
  std::vector<int> indices;
  for (std::size_t i = 0; i < std::max(roles, weights.size()); ++i) {
    indices.push_back(i < weights.size() ? static_cast<int>(i) : -1);
  }
  graph.weights = std::move(weights);
  graph.nodes.push_back({op, std::move(reads), std::move(indices), attributes});
  graph.outputs.push_back({"y", 0, graph.inputs[0].shape});
  return graph;
}
inline Attributes with(const std::function<void(Attributes&)>& set) {
  Attributes attributes;
  set(attributes);
  return attributes;
}

struct Broken {
  const char* message;
  Graph graph;
  ErrorCode code = ErrorCode::kInvalid;
};
inline void expect_refused(const std::vector<Broken>& all) {
  for (const Broken& broken : all) {
    const auto checked = validate(broken.graph);
    ASSERT_FALSE(checked) << broken.message;
    EXPECT_EQ(checked.error().message, broken.message);
    EXPECT_EQ(checked.error().code, broken.code) << broken.message;
  }
}

}  // namespace zoe::nn::test
