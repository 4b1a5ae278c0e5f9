// SPDX-License-Identifier: MIT
// The rules of validate() about weights, ports and sizes, each broken alone; the reason is compared word by word.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "nn/rules.h"

namespace zoe::nn {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace)

TEST(Rules, Weights) {
  const auto spoiled = [](const std::function<void(Weight&)>& spoil) {
    Graph graph = one_node({{1, 3}}, Op::kLinear, {0}, {ones("w", {2, 3})}, {}, 2);
    spoil(graph.weights[0]);
    return graph;
  };
  const auto quantized = [&](const std::function<void(Weight&)>& spoil) {
    return spoiled([&](Weight& w) { spoil(w = int8("w", {2, 3}, 1, 2)); });
  };
  Graph twice = one_node({{1, 3}}, Op::kLinear, {0}, {ones("w", {2, 3}), ones("w", {2})});
  expect_refused({
      {"two weights are called 'w'", twice},
      {"weight 'w' has too many axes", spoiled([](Weight& w) {
         w.shape = {1, 1, 1, 2, 3};
       })},
      {"weight 'w' does not have as many numbers as its shape says", spoiled([](Weight& w) { w.bytes.pop_back(); })},
      {"weight 'w' does not have as many numbers as its shape says", spoiled([](Weight& w) {
         w.shape = {std::size_t{1} << 62, 16};
       })},
      {"weight 'w' is empty", spoiled([](Weight& w) {
         w.shape = {0, 3}, w.bytes.clear();
       })},
      {"weight 'w' holds an infinite number or NaN",
       spoiled([](Weight& w) { w.bytes[7] = std::byte{0x7f}, w.bytes[6] = std::byte{0x80}; })},
      {"weight 'w' holds an infinite number or NaN", spoiled([](Weight& w) {
         w = bfloat("w", {2, 3}), w.bytes[1] = std::byte{0xff}, w.bytes[0] = std::byte{0x80};
       })},
      {"weight 'w' is int8 and has no fitting scales", quantized([](Weight& w) { w.scale_axes = 0; })},
      {"weight 'w' is int8 and has no fitting scales", quantized([](Weight& w) { w.scale_axes = 2; })},
      {"weight 'w' has the wrong number of scales", quantized([](Weight& w) { w.scales.pop_back(); })},
      {"weight 'w' has a scale that is negative or no number", quantized([](Weight& w) { w.scales[1] = -1; })},
      {"weight 'w' has a scale that is negative or no number", quantized([](Weight& w) { w.scales[0] = NAN; })},
  });
}

TEST(Rules, PortsAndLimits) {
  const auto spoiled = [](const std::function<void(Graph&)>& spoil) {
    Graph graph = one_node({{1, 3}, {1, 3}}, Op::kAdd, {0, 1});
    spoil(graph);
    return graph;
  };
  const auto output = "output 'y' names no value of its shape, or is named twice";
  const auto many = "the network has too many nodes, weights, inputs or outputs";
  expect_refused({
      {"the network has no input or no output", spoiled([](Graph& g) { g.inputs.clear(); })},
      {"the network has no input or no output", spoiled([](Graph& g) { g.outputs.clear(); })},
      {"inputs are not the first values", spoiled([](Graph& g) { std::swap(g.inputs[0], g.inputs[1]); })},
      {"input 'in0' is empty, or named twice", spoiled([](Graph& g) { g.inputs[1].name = "in0"; })},
      {"input 'in1' is empty, or named twice", spoiled([](Graph& g) { g.inputs[1].shape.width = 0; })},
      {"input 'in1' is too large", spoiled([](Graph& g) {
         g.inputs[1].shape = {65537, 1};
       }),
       ErrorCode::kLimit},
      {"input 'in1' is too large", spoiled([](Graph& g) {
         g.inputs[1].shape = {1, 1048577};
       }),
       ErrorCode::kLimit},
      {"input 'in1' is too large", spoiled([](Graph& g) {
         g.inputs[1].shape = {65536, 1048576};
       }),
       ErrorCode::kLimit},
      {output, spoiled([](Graph& g) { g.outputs[0].value = 3; })},
      {output, spoiled([](Graph& g) { g.outputs[0].value = -1; })},
      {output, spoiled([](Graph& g) { g.outputs[0].shape.steps = 2; })},
      {output, spoiled([](Graph& g) { g.outputs.push_back(g.outputs[0]); })},
      {many, spoiled([](Graph& g) { g.nodes.resize(4097, g.nodes[0]); }), ErrorCode::kLimit},
      {many, spoiled([](Graph& g) { g.outputs.resize(257, g.outputs[0]); }), ErrorCode::kLimit},
  });
}

}  // namespace
}  // namespace zoe::nn
