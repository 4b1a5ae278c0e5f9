// SPDX-License-Identifier: MIT
// The matrix unit against sums in double precision of the same rounded numbers. Few machines have one.
#include "nn/kernels/amx.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/core/half.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/quantize.h"

#include "nn/blocks.h"

namespace zoe::nn {
namespace {

float rounded(float x) { return bfloat16_to_float(float_to_bfloat16(x)); }

struct Sizes {
  std::size_t experts, in, out;
};

Graph graph_of(const Sizes& s, Activation activation = Activation::kRelu) {
  Random random(7);
  GraphBuilder b;
  const int x = b.input("x", static_cast<int>(s.in));
  const auto weight = test::random_values(random, s.experts * s.out * s.in, 1.7F / std::sqrt(static_cast<float>(s.in)));
  const auto bias = test::random_values(random, s.experts * s.out);
  if (s.experts == 1) {
    b.output("y", b.linear(x, "l", {s.out, s.in}, weight, bias, activation));
  } else {
    const int gate = b.input("g", static_cast<int>(s.experts));
    b.output("y", b.expert_linear(x, gate, "l", {s.experts, s.out, s.in}, weight, bias, activation));
  }
  return with_weight_type(std::move(b).build().value(), WeightType::kBF16);
}

// Rows times gate, rounded; the weights are bfloat16 as they are.
std::vector<float> expected(const Graph& graph, const Sizes& s, std::size_t batch,
                            const std::vector<std::vector<float>>& inputs) {
  const std::vector<float> weight = graph.weights[0].to_floats(), bias = graph.weights[1].to_floats();
  std::vector<float> y;
  for (std::size_t item = 0; item < batch; ++item) {
    for (std::size_t n = 0; n < s.out; ++n) {
      double sum = 0;
      for (std::size_t e = 0; e < s.experts; ++e) {
        const float gate = s.experts == 1 ? 1.0F : inputs[1][item * s.experts + e];
        sum += static_cast<double>(gate) * static_cast<double>(bias[e * s.out + n]);
        for (std::size_t k = 0; k < s.in; ++k) {
          sum += static_cast<double>(rounded(gate * inputs[0][item * s.in + k])) *
                 static_cast<double>(weight[(e * s.out + n) * s.in + k]);
        }
      }
      y.push_back(static_cast<float>(std::max(sum, 0.0)));
    }
  }
  return y;
}

#define ZOE_NEED_AMX() \
  if (!kernels::use_amx()) GTEST_SKIP() << "this processor has no AMX, or the system does not lend it"

TEST(Amx, EqualsSumsOfTheRoundedNumbers) {
  ZOE_NEED_AMX();
  for (const Sizes& s : {Sizes{1, 7, 1},
                         {1, 32, 32},
                         {1, 33, 45},
                         {1, 64, 363},
                         {1, 513, 31},
                         {1, 1465, 33},
                         {3, 53, 41},
                         {2, 544, 64},
                         {1, 8250, 3},
                         {3, 4000, 5}}) {
    const Graph graph = graph_of(s);
    for (const int batch : {1, 4, 15, 16, 17, 31, 32, 33, 48, 64, 301}) {
      if (s.in > 2000 && batch != 1 && batch != 33) continue;  // Several groups of columns: slow to check.
      const auto inputs = test::random_inputs(graph, batch, static_cast<std::uint64_t>(batch));
      EXPECT_LT(test::largest_difference(test::run_network(graph, batch, inputs),
                                         {expected(graph, s, static_cast<std::size_t>(batch), inputs)}),
                1e-4F)
          << s.experts << " x " << s.out << " x " << s.in << ", batch " << batch;
    }
  }
}

// What rounding the rows costs, in units of the outputs' own spread: as much as rounding the weights did.
TEST(Amx, CostsAboutAsMuchAsTheWeights) {
  ZOE_NEED_AMX();
  const Graph graph = graph_of({1, 512, 256});
  const auto inputs = test::random_inputs(graph, 64, 3);
  const auto fast = test::run_network(graph, 64, inputs)[0];
  const kernels::WithoutAmx without;
  const auto exact = test::run_network(graph, 64, inputs)[0];
  double error = 0, spread = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += std::pow(static_cast<double>(fast[i] - exact[i]), 2);
    spread += std::pow(static_cast<double>(exact[i]), 2);
  }
  EXPECT_GT(error, 0);  // It did run.
  EXPECT_LT(std::sqrt(error / spread), 5e-3);
}

TEST(Amx, NotANumberStaysInItsRow) {
  ZOE_NEED_AMX();
  const Graph graph = graph_of({1, 40, 33}, Activation::kNone);
  auto inputs = test::random_inputs(graph, 20, 1);
  inputs[0][40 * 18 + 39] = std::numeric_limits<float>::quiet_NaN();
  const auto y = test::run_network(graph, 20, inputs)[0];
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_EQ(std::isfinite(y[i]), i / 33 != 18) << i;
  }
}

}  // namespace
}  // namespace zoe::nn
