// SPDX-License-Identifier: MIT
// Weights in fewer bits: exact decoding, bounds of rounding, and what an error in weights may cost at the output.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/quantize.h"

#include "nn/blocks.h"
#include "nn/naive.h"

namespace zoe::nn {
namespace {

Graph layer(std::size_t out, std::size_t in, std::span<const float> weight) {
  GraphBuilder b;
  b.output("y", b.linear(b.input("x", static_cast<int>(in)), "l", {out, in}, weight, {}));
  return std::move(b).build().value();
}

TEST(Weights, FloatsOfEveryTypeAreThoseOfTheBytes) {
  for (const test::Block& block : test::all_blocks()) {
    for (const WeightType type : test::kWeightTypes) {
      const Graph graph = with_weight_type(block.graph, type);
      for (const Weight& weight : graph.weights) {
        const std::vector<float> got = weight.to_floats();
        const std::vector<double> expected = test::weight_of(graph, weight.name);
        ASSERT_EQ(got.size(), expected.size());
        ASSERT_EQ(weight.num_items(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<float>(expected[i]));
      }
    }
  }
}

TEST(Weights, TheLargestOfAChannelBecomes127) {
  const std::vector<float> w{0.5F, -2, 1, 0.001F, 0.002F, -0.004F};
  const Weight small = with_weight_type(layer(2, 3, w), WeightType::kI8).weights[0];
  ASSERT_EQ(small.scales.size(), 2U);
  EXPECT_FLOAT_EQ(small.scales[0], 2.0F / 127);
  EXPECT_FLOAT_EQ(small.scales[1], 0.004F / 127);
  const auto q = [&](std::size_t i) { return static_cast<int>(static_cast<std::int8_t>(small.bytes[i])); };
  EXPECT_EQ(q(1), -127);
  EXPECT_EQ(q(0), 32);  // 31.75
  EXPECT_EQ(q(5), -127);
  EXPECT_EQ(q(4), 64);  // 63.5, to even.
}

TEST(Weights, NoInt8IsMinus128) {
  Random random(8);
  for (int round = 0; round < 50; ++round) {
    const std::vector<float> w = test::random_values(random, 40 * 9, std::exp(random.uniform(-20.0F, 20.0F)));
    const Weight small = with_weight_type(layer(40, 9, w), WeightType::kI8).weights[0];
    for (const std::byte b : small.bytes) ASSERT_NE(static_cast<std::int8_t>(b), -128);
  }
}

TEST(Weights, ConvertingTwiceChangesNothing) {
  Random random(5);
  const Graph graph = layer(17, 12, test::random_values(random, 17 * 12));
  for (const WeightType type : test::kWeightTypes) {
    const Graph once = with_weight_type(graph, type), twice = with_weight_type(once, type);
    EXPECT_EQ(once.weights[0].bytes, twice.weights[0].bytes);
    EXPECT_EQ(once.weights[0].scales, twice.weights[0].scales);
    // By way of floats as well: int8 values are whole multiples of their scale.
    const Graph back = with_weight_type(with_weight_type(once, WeightType::kF32), type);
    EXPECT_EQ(once.weights[0].bytes, back.weights[0].bytes) << to_string(type);
  }
}

// |sum of (w' - w) x| is at most the sum of half steps times |x|.
TEST(Weights, OutputsAreOffByNoMoreThanTheirRounding) {
  Random random(6);
  for (const std::size_t in : {1, 24, 200}) {
    const std::vector<float> w = test::random_values(random, 30 * in);
    const Graph exact = layer(30, in, w);
    for (const WeightType type : {WeightType::kBF16, WeightType::kI8}) {
      const Graph small = with_weight_type(exact, type);
      const auto inputs = test::random_inputs(exact, 8, in);
      const auto a = test::run_network(exact, 8, inputs)[0], b = test::run_network(small, 8, inputs)[0];
      for (std::size_t item = 0; item < 8; ++item) {
        for (std::size_t row = 0; row < 30; ++row) {
          double bound = 1e-4;
          for (std::size_t k = 0; k < in; ++k) {
            const double step = type == WeightType::kI8 ? static_cast<double>(small.weights[0].scales[row])
                                                        : std::abs(static_cast<double>(w[row * in + k])) / 128;
            // Rows are rounded to bfloat16 too where a matrix unit multiplies them.
            const double x = std::abs(static_cast<double>(inputs[0][item * in + k]));
            bound += 0.5 * step * x;
            if (type == WeightType::kBF16) bound += x / 256 * std::abs(static_cast<double>(w[row * in + k]));
          }
          ASSERT_LE(std::abs(a[item * 30 + row] - b[item * 30 + row]), bound) << to_string(type);
        }
      }
    }
  }
}

TEST(Weights, SizesInBytes) {
  Random random(6);
  const Graph graph = layer(64, 32, test::random_values(random, 64 * 32));
  EXPECT_EQ(with_weight_type(graph, WeightType::kF32).weights[0].bytes.size(), 64U * 32 * 4);
  EXPECT_EQ(with_weight_type(graph, WeightType::kBF16).weights[0].bytes.size(), 64U * 32 * 2);
  EXPECT_EQ(with_weight_type(graph, WeightType::kI8).weights[0].bytes.size(), 64U * 32);
}

// A weight that serves a table in one node and a bias in another has no way of its own to be stored.
TEST(Weights, UsedInTwoWaysStayFloats) {
  GraphBuilder b;
  Random random(1);
  const int x = b.input("x", 3);
  b.output("y", b.linear(x, "l", {3, 3}, test::random_values(random, 9), test::random_values(random, 3)));
  Graph graph = std::move(b).build().value();
  graph.weights.push_back(make_weight("shared", {1, 3}, test::random_values(random, 3)));
  graph.nodes.push_back({Op::kConstant, {}, {2}, {}});
  graph.nodes.push_back({Op::kSlice, {0}, {}, {}});
  graph.nodes.back().attributes.end = 1;
  graph.nodes.push_back({Op::kEmbedding, {3}, {2}, {}});
  ASSERT_TRUE(validate(graph));
  const Graph small = with_weight_type(graph, WeightType::kI8);
  EXPECT_EQ(small.weights[0].type, WeightType::kI8);
  EXPECT_EQ(small.weights[2].type, WeightType::kF32);
  EXPECT_TRUE(validate(small));
}

TEST(MadeUpInputs, FollowWhatTheNetworkSaysAboutThem) {
  GraphBuilder b;
  const std::vector<float> mean{10, -4}, deviation{2, 0.5F}, table(5 * 2, 1);
  const int x = b.input("x", 2), index = b.input("index", 1), phase = b.input("phase", 1), free = b.input("free", 2);
  b.output("a", b.normalize(x, "n", mean, deviation));
  b.output("b", b.embedding(index, "t", {5, 2}, table));
  b.output("c", b.phase_weights(phase));
  b.output("d", b.activation(free, Activation::kTanh));
  const Graph graph = std::move(b).build().value();
  constexpr int kCount = 4000;
  const auto inputs = made_up_inputs(graph, kCount, 3);
  ASSERT_EQ(inputs.size(), 4U);
  const auto moments = [&](const std::vector<float>& v, std::size_t column, std::size_t width) {
    double sum = 0, square = 0;
    for (std::size_t i = column; i < v.size(); i += width) sum += v[i], square += static_cast<double>(v[i]) * v[i];
    const double n = static_cast<double>(v.size() / width), m = sum / n;
    return std::pair(m, std::sqrt(square / n - m * m));
  };
  const auto near = [](std::pair<double, double> got, double m, double d) {
    EXPECT_NEAR(got.first, m, 5 * d / std::sqrt(kCount));
    EXPECT_NEAR(got.second, d, 5 * d / std::sqrt(kCount));
  };
  near(moments(inputs[0], 0, 2), 10, 2);
  near(moments(inputs[0], 1, 2), -4, 0.5);
  near(moments(inputs[3], 0, 2), 0, 1);
  std::vector<int> seen(5);
  for (const float v : inputs[1]) ++seen.at(static_cast<std::size_t>(v));
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), kCount / 7);
  for (const float v : inputs[2]) EXPECT_TRUE(v >= 0 && v < 1);
  EXPECT_EQ(made_up_inputs(graph, 9, 3), made_up_inputs(graph, 9, 3));
  EXPECT_NE(made_up_inputs(graph, 9, 3), made_up_inputs(graph, 9, 4));
}

}  // namespace
}  // namespace zoe::nn
