// SPDX-License-Identifier: MIT
// One graph for each rule of validate() about nodes, broken in that rule alone; the reason is compared word by word.
#include "nn/rules.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace zoe::nn {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace)

TEST(Rules, NumbersOfInputsAndWeights) {
  const Graph good = one_node({{1, 3}}, Op::kLinear, {0}, {ones("w", {2, 3}), ones("b", {2})});
  ASSERT_TRUE(validate(good));
  const auto spoiled = [&](const std::function<void(Graph&)>& spoil) {
    Graph graph = good;
    spoil(graph);
    return graph;
  };
  expect_refused({
      {"node 0, linear: has 2 inputs", spoiled([](Graph& g) {
         g.nodes[0].inputs = {0, 0};
       })},
      {"node 0, linear: has 0 inputs", spoiled([](Graph& g) { g.nodes[0].inputs.clear(); })},
      {"node 0, linear: reads value 7, which is not there yet", spoiled([](Graph& g) { g.nodes[0].inputs = {7}; })},
      {"node 0, linear: reads value -2, which is not there yet", spoiled([](Graph& g) { g.nodes[0].inputs = {-2}; })},
      {"node 0, linear: has the wrong number of weights", spoiled([](Graph& g) { g.nodes[0].weights = {0}; })},
      {"node 0, linear: names a weight that is not there", spoiled([](Graph& g) {
         g.nodes[0].weights = {0, 2};
       })},
      {"node 0, linear: names a weight that is not there", spoiled([](Graph& g) {
         g.nodes[0].weights = {0, -2};
       })},
      {"node 0, linear: lacks its weight", spoiled([](Graph& g) {
         g.nodes[0].weights = {-1, 1};
       })},
      {"node 0, linear: has an infinite attribute",
       spoiled([](Graph& g) { g.nodes[0].attributes.alpha = std::numeric_limits<float>::infinity(); })},
      {"node 0, linear: has an infinite attribute", spoiled([](Graph& g) { g.nodes[0].attributes.epsilon = NAN; })},
  });
}

TEST(Rules, ShapesAndTypesOfWeights) {
  const auto linear = [](Weight w, Weight b) {
    return one_node({{1, 3}}, Op::kLinear, {0}, {std::move(w), std::move(b)});
  };
  expect_refused({
      {"node 0, linear: weight 'w' has shape [2, 4] where [2, 3] is needed", linear(ones("w", {2, 4}), ones("b", {2}))},
      {"node 0, linear: bias 'b' has shape [3] where [2] is needed", linear(ones("w", {2, 3}), ones("b", {3}))},
      {"node 0, linear: 'w' has shape [6]: 2 axes are needed", linear(ones("w", {6}), ones("b", {2}))},
      {"node 0, linear: bias 'b' must be float32", linear(ones("w", {2, 3}), bfloat("b", {2}))},
      {"node 0, conv1d: 'w' needs one scale for each index of its first 1 axes",
       one_node({{4, 3}}, Op::kConv1d, {0}, {int8("w", {2, 3, 1}, 2, 6)}, {}, 2)},
  });
}

TEST(Rules, ExpertsAndConvolutions) {
  const auto conv = [](std::vector<std::size_t> shape, int steps, const std::function<void(Attributes&)>& set) {
    return one_node({{steps, 2}}, Op::kConv1d, {0}, {ones("w", std::move(shape))}, with(set), 2);
  };
  const auto range = "node 0, conv1d: stride, dilation, padding or kernel out of range";
  expect_refused({
      {"node 0, expert_linear: the gate has 2 columns for 4 experts",
       one_node({{1, 3}, {1, 2}}, Op::kExpertLinear, {0, 1}, {ones("w", {4, 5, 3})}, {}, 2)},
      {"node 0, expert_linear: the gate has 4 columns for 4 experts",  // But rows that fit nothing.
       one_node({{6, 3}, {2, 4}}, Op::kExpertLinear, {0, 1}, {ones("w", {4, 5, 3})}, {}, 2)},
      {"node 0, expert_linear: 'w' has shape [5, 3]: 3 axes are needed",
       one_node({{1, 3}, {1, 4}}, Op::kExpertLinear, {0, 1}, {ones("w", {5, 3})}, {}, 2)},
      {"node 0, expert_linear: bias 'b' has shape [5] where [4, 5] is needed",
       one_node({{1, 3}, {1, 4}}, Op::kExpertLinear, {0, 1}, {ones("w", {4, 5, 3}), ones("b", {5})})},
      {"node 0, conv1d: a kernel that spans 5 steps on 4 padded steps",
       conv({1, 2, 3}, 4, [](Attributes& a) { a.dilation = 2; })},
      {"node 0, conv1d: a kernel that spans 5 steps on 4 padded steps",
       conv({1, 2, 5}, 2, [](Attributes& a) { a.padding = 1; })},
      {range, conv({1, 2, 3}, 4, [](Attributes& a) { a.stride = 0; })},
      {range, conv({1, 2, 3}, 4, [](Attributes& a) { a.dilation = 0; })},
      {range, conv({1, 2, 3}, 4, [](Attributes& a) { a.padding = -1; })},
      {range, conv({1, 2, 3}, 4, [](Attributes& a) { a.stride = 65537; })},
      {"node 0, conv1d: weight 'w' has shape [1, 3, 3] where [1, 2, 3] is needed",
       conv({1, 3, 3}, 4, [](Attributes&) {})},
  });
}

TEST(Rules, Cells) {
  const auto gru = [](Shape x, Shape h, std::vector<std::size_t> w_input) {
    return one_node({x, h}, Op::kGruCell, {0, 1}, {ones("wi", std::move(w_input)), ones("wh", {12, 4})}, {}, 4);
  };
  ASSERT_TRUE(validate(gru({1, 3}, {1, 4}, {12, 3})));
  expect_refused({
      {"node 0, gru_cell: takes single rows", gru({2, 3}, {1, 4}, {12, 3})},
      {"node 0, gru_cell: takes single rows", gru({1, 3}, {2, 4}, {12, 3})},
      {"node 0, gru_cell: w_input 'wi' has shape [16, 3] where [12, 3] is needed", gru({1, 3}, {1, 4}, {16, 3})},
      {"node 0, gru_cell: lacks its w_state",
       one_node({{1, 3}, {1, 4}}, Op::kGruCell, {0, 1}, {ones("wi", {12, 3})}, {}, 4)},
      {"node 0, lstm_cell: h and c differ in width",
       one_node({{1, 3}, {1, 4}, {1, 5}}, Op::kLstmCell, {0, 1, 2}, {ones("wi", {16, 3}), ones("wh", {16, 4})}, {}, 4)},
  });
}

TEST(Rules, OperandsAndParts) {
  std::vector<int> many(65, 0);
  expect_refused({
      {"node 0, add: operands have 3 and 4 columns", one_node({{1, 3}, {1, 4}}, Op::kAdd, {0, 1})},
      {"node 0, multiply: operands have 2 and 3 rows", one_node({{2, 4}, {3, 4}}, Op::kMultiply, {0, 1})},
      {"node 0, film: operands have 4 and 5 columns", one_node({{1, 4}, {1, 4}, {1, 5}}, Op::kFilm, {0, 1, 2})},
      {"node 0, concat: parts differ in rows", one_node({{2, 3}, {3, 3}}, Op::kConcat, {0, 1})},
      {"node 0, concat: has 65 inputs", one_node({{1, 1}}, Op::kConcat, many)},
      {"node 0, concat: has 0 inputs", one_node({{1, 1}}, Op::kConcat, {})},
      {"node 0, attention: q and k differ in columns, or k and v in rows",
       one_node({{2, 4}, {3, 6}, {3, 4}}, Op::kAttention, {0, 1, 2})},
      {"node 0, attention: q and k differ in columns, or k and v in rows",
       one_node({{2, 4}, {3, 4}, {2, 4}}, Op::kAttention, {0, 1, 2})},
      {"node 0, attention: 3 heads cannot share 4 and 6 columns evenly",
       one_node({{2, 4}, {3, 4}, {3, 6}}, Op::kAttention, {0, 1, 2}, {}, with([](Attributes& a) { a.heads = 3; }))},
      {"node 0, attention: 0 heads cannot share 4 and 4 columns evenly",
       one_node({{2, 4}, {3, 4}, {3, 4}}, Op::kAttention, {0, 1, 2}, {}, with([](Attributes& a) { a.heads = 0; }))},
      {"node 0, attention: too many rows", one_node({{65536, 1}, {2048, 1}, {2048, 1}}, Op::kAttention, {0, 1, 2}),
       ErrorCode::kLimit},
  });
}

TEST(Rules, ConstantsHaveNoBatch) {
  const auto with_constants = [](Op op, std::vector<int> reads, std::vector<Weight> more = {}, std::size_t roles = 0) {
    Graph graph = one_node({{1, 3}}, op, std::move(reads), std::move(more), {}, roles);
    graph.weights.push_back(ones("c", {1, 3}));
    const Node constant{Op::kConstant, {}, {static_cast<int>(graph.weights.size()) - 1}, {}};
    graph.nodes.insert(graph.nodes.begin(), constant);  // Value 1.
    return graph;
  };
  expect_refused({
      {"node 1, linear: input 0 may not be a constant", with_constants(Op::kLinear, {1}, {ones("w", {2, 3})}, 2)},
      {"node 1, softmax: input 0 may not be a constant", with_constants(Op::kSoftmax, {1})},
      {"node 1, attention: input 2 may not be a constant", with_constants(Op::kAttention, {0, 0, 1})},
      {"node 1, add: all operands are constants", with_constants(Op::kAdd, {1, 1})},
      {"node 1, concat: all parts are constants", with_constants(Op::kConcat, {1, 1})},
      {"node 0, constant: 'c' needs 2 axes: steps and width", one_node({{1, 3}}, Op::kConstant, {}, {ones("c", {3})})},
      {"node 0, constant: value 'c' must be float32", one_node({{1, 3}}, Op::kConstant, {}, {bfloat("c", {1, 3})})},
  });
  Graph as_output = one_node({{1, 3}}, Op::kConstant, {}, {ones("c", {1, 3})});
  as_output.outputs[0].value = 1;
  expect_refused({{"output 'y' names no value of its shape, or is named twice", as_output}});
}

TEST(Rules, AttributesThatDoNotFit) {
  const auto on_row = [](Op op, const std::function<void(Attributes&)>& set) {
    return one_node({{2, 6}}, op, {0}, {}, with(set));
  };
  const auto slice = [&](int begin, int end) {
    return on_row(Op::kSlice, [&](Attributes& a) { a.begin = begin, a.end = end; });
  };
  Weight zero = ones("std", {6});
  std::fill(zero.bytes.begin(), zero.bytes.end(), std::byte{});
  expect_refused({
      {"node 0, softmax: groups of 4 do not fit 6 columns", on_row(Op::kSoftmax, [](Attributes& a) { a.group = 4; })},
      {"node 0, softmax: groups of -1 do not fit 6 columns", on_row(Op::kSoftmax, [](Attributes& a) { a.group = -1; })},
      {"node 0, slice: columns -1 to 3 of 6", slice(-1, 3)},
      {"node 0, slice: columns 3 to 3 of 6", slice(3, 3)},
      {"node 0, slice: columns 4 to 7 of 6", slice(4, 7)},
      {"node 0, reshape: 2 x 6 numbers as 3 x 5",
       on_row(Op::kReshape, [](Attributes& a) { a.steps = 3, a.width = 5; })},
      {"node 0, reshape: 2 x 6 numbers as -2 x -6",
       on_row(Op::kReshape, [](Attributes& a) { a.steps = -2, a.width = -6; })},
      {"node 0, phase_weights: takes one column, the phase", one_node({{1, 2}}, Op::kPhaseWeights, {0})},
      {"node 0, embedding: takes one column and a table with rows",
       one_node({{1, 2}}, Op::kEmbedding, {0}, {ones("t", {4, 3})})},
      {"node 0, normalize: 'std' holds 0, which is no deviation",
       one_node({{1, 6}}, Op::kNormalize, {0}, {ones("mean", {6}), zero})},
      {"node 0, layer_norm: epsilon must be between 0 and 1",
       one_node({{1, 6}}, Op::kLayerNorm, {0}, {}, with([](Attributes& a) { a.epsilon = 0; }), 2)},
      {"node 0, layer_norm: epsilon must be between 0 and 1",
       one_node({{1, 6}}, Op::kLayerNorm, {0}, {}, with([](Attributes& a) { a.epsilon = 1; }), 2)},
      {"node 0, transpose: would produce 131072 x 1 numbers", one_node({{1, 1 << 17}}, Op::kTranspose, {0}),
       ErrorCode::kLimit},
  });
}

}  // namespace
}  // namespace zoe::nn
