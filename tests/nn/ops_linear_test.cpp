// SPDX-License-Identifier: MIT
// Matrix products at the edges of vectors, panels and blocks, in every weight type, against sums in double.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/quantize.h"

#include "nn/blocks.h"
#include "nn/naive.h"

namespace zoe::nn {
namespace {

using test::kWeightTypes;
using test::random_values;
using test::Row;
using test::Rows;

// Weights such that outputs stay near one.
std::vector<float> weights(Random& random, std::size_t n, std::size_t in) {
  return random_values(random, n, 1.7F / std::sqrt(static_cast<float>(in)));
}

Graph linear_graph(std::size_t in, std::size_t out, bool bias, Activation activation, int steps = 1) {
  GraphBuilder b;
  Random random(in * 1000 + out);
  const std::vector<float> w = weights(random, in * out, in), c = random_values(random, out);
  const int x = b.input("x", static_cast<int>(in), steps);
  b.output("y", b.linear(x, "l", {out, in}, w, bias ? std::span(c) : std::span<const float>{}, activation));
  return std::move(b).build().value();
}
test::Naive naive_linear(const Graph& graph, std::size_t out, Activation activation) {
  return [w = test::weight_of(graph, "l.weight"), c = test::weight_of(graph, "l.bias"), out,
          activation](const std::vector<Rows>& in) {
    Rows y;
    for (const Row& row : in[0]) y.push_back(test::activated(activation, test::product(w, c, 0, out, row)));
    return y;
  };
}
std::string size_text(std::size_t in, std::size_t out) {
  return std::to_string(in) + " to " + std::to_string(out) + " columns";
}

TEST(LinearOp, WidthsAroundVectorsPanelsAndBlocks) {
  for (const std::size_t in : {1, 2, 3, 8, 15, 16, 33, 511, 512, 513}) {
    for (const std::size_t out : {1, 7, 31, 32, 33}) {
      const Graph graph = linear_graph(in, out, true, Activation::kNone);
      test::expect_computes(size_text(in, out), graph, naive_linear(graph, out, Activation::kNone),
                            {.batches = {1, 3, 14}, .every_target = in < 40});
    }
  }
}

TEST(LinearOp, EveryActivationIsAppliedAfterTheBias) {
  for (const Activation a :
       {Activation::kNone, Activation::kRelu, Activation::kLeakyRelu, Activation::kElu, Activation::kSilu,
        Activation::kTanh, Activation::kSigmoid, Activation::kGelu, Activation::kSine}) {
    const Graph graph = linear_graph(19, 35, true, a);
    test::expect_computes(to_string(a), graph, naive_linear(graph, 35, a));
  }
}

TEST(LinearOp, EveryWeightTypeWithAndWithoutBias) {
  for (const WeightType type : kWeightTypes) {
    for (const bool bias : {false, true}) {
      for (const std::size_t in : {1, 31, 130}) {
        const Graph graph = with_weight_type(linear_graph(in, 37, bias, Activation::kElu), type);
        ASSERT_EQ(graph.weights[0].type, type);
        test::expect_computes(std::string(to_string(type)) + ", " + size_text(in, 37), graph,
                              naive_linear(graph, 37, Activation::kElu), {.bound = test::bound_of(type)});
      }
    }
  }
}

TEST(LinearOp, RowsOfAnItemAreIndependent) {
  for (const WeightType type : kWeightTypes) {
    const Graph graph = with_weight_type(linear_graph(21, 9, true, Activation::kTanh, 11), type);
    test::expect_computes(to_string(type), graph, naive_linear(graph, 9, Activation::kTanh),
                          {.bound = test::bound_of(type), .batches = {1, 5, 40}});
  }
}

TEST(LinearOp, IsLinear) {
  const Graph graph = linear_graph(45, 50, false, Activation::kNone);
  const auto f = [&](const std::vector<float>& x) { return test::run_network(graph, 1, {x})[0]; };
  Random random(3);
  const std::vector<float> a = random_values(random, 45), b = random_values(random, 45);
  std::vector<float> mixed(45);
  for (std::size_t i = 0; i < 45; ++i) mixed[i] = 2 * a[i] - 3 * b[i];
  const std::vector<float> fa = f(a), fb = f(b), fm = f(mixed), zero = f(std::vector<float>(45));
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_NEAR(fm[i], 2 * fa[i] - 3 * fb[i], 1e-4);
    EXPECT_EQ(zero[i], 0);
  }
}

// Each unit vector picks a column of the matrix, exactly.
TEST(LinearOp, UnitVectorsPickColumns) {
  const Graph graph = linear_graph(33, 40, false, Activation::kNone);
  const std::vector<double> w = test::weight_of(graph, "l.weight");
  for (const std::size_t column : {0, 1, 15, 16, 31, 32}) {
    std::vector<float> x(33);
    x[column] = 1;
    const std::vector<float> y = test::run_network(graph, 1, {x})[0];
    for (std::size_t row = 0; row < 40; ++row) EXPECT_EQ(y[row], static_cast<float>(w[row * 33 + column]));
  }
}

Graph expert_graph(std::size_t experts, std::size_t in, std::size_t out, int steps, int gate_steps) {
  GraphBuilder b;
  Random random(experts * 100 + in);
  const int x = b.input("x", static_cast<int>(in), steps), g = b.input("g", static_cast<int>(experts), gate_steps);
  b.output("y", b.expert_linear(x, g, "e", {experts, out, in}, weights(random, experts * out * in, in),
                                random_values(random, experts * out), Activation::kElu));
  return std::move(b).build().value();
}
// The matrices are blended first: another order of sums than any kernel's.
test::Naive naive_experts(const Graph& graph, std::size_t out) {
  return [w = test::weight_of(graph, "e.weight"), c = test::weight_of(graph, "e.bias"), out](const auto& in) {
    Rows y;
    for (std::size_t s = 0; s < in[0].size(); ++s) {
      const Row &x = in[0][s], &gate = in[1][in[1].size() == 1 ? 0 : s];
      std::vector<double> matrix(out * x.size(), 0.0), bias(out, 0.0);
      for (std::size_t e = 0; e < gate.size(); ++e) {
        for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] += gate[e] * w[e * matrix.size() + i];
        for (std::size_t i = 0; i < out; ++i) bias[i] += gate[e] * c[e * out + i];
      }
      y.push_back(test::activated(Activation::kElu, test::product(matrix, bias, 0, out, x)));
    }
    return y;
  };
}

TEST(ExpertOp, BlendsMatricesInEveryWeightType) {
  for (const WeightType type : kWeightTypes) {
    for (const std::size_t experts : {1, 2, 8}) {
      for (const std::size_t in : {1, 17, 64}) {
        const Graph graph = with_weight_type(expert_graph(experts, in, 33, 1, 1), type);
        test::expect_computes(std::to_string(experts) + " experts, " + to_string(type), graph, naive_experts(graph, 33),
                              {.bound = 3 * test::bound_of(type)});
      }
    }
  }
}

TEST(ExpertOp, AGateMayServeAllRowsOrEachItsOwn) {
  for (const int gate_steps : {1, 6}) {
    const Graph graph = expert_graph(4, 12, 10, 6, gate_steps);
    test::expect_computes(std::to_string(gate_steps), graph, naive_experts(graph, 10), {.bound = 3e-5});
  }
}

// Gates of exactly zero are skipped: what stands in the other experts must not matter.
TEST(ExpertOp, OneHotGatesPickOneExpert) {
  Graph graph = expert_graph(3, 8, 5, 1, 1);
  for (int batch : {1, 4}) {
    std::vector<std::vector<float>> inputs = test::random_inputs(graph, batch, 5);
    for (std::size_t i = 0; i < inputs[1].size(); ++i) inputs[1][i] = i % 3 == 1 ? 1.0F : 0.0F;
    const auto y = test::run_network(graph, batch, inputs)[0];
    const std::vector<double> w = test::weight_of(graph, "e.weight"), c = test::weight_of(graph, "e.bias");
    for (int item = 0; item < batch; ++item) {
      const auto at = static_cast<std::size_t>(item);
      const Row x(inputs[0].begin() + item * 8, inputs[0].begin() + (item + 1) * 8);
      const Row expected = test::activated(Activation::kElu, test::product(w, c, 5, 5, x));
      for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(y[at * 5 + i], expected[i], 1e-5);
    }
  }
}

}  // namespace
}  // namespace zoe::nn
