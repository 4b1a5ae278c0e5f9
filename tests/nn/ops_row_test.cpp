// SPDX-License-Identifier: MIT
// Operations on rows: softmax, norms, attention, tables and phases, against double and against what must hold.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/quantize.h"

#include "nn/blocks.h"
#include "nn/naive.h"

namespace zoe::nn {
namespace {

using test::random_values;
using test::Row;
using test::Rows;

// A graph of one input and one operation on it.
template <typename Make>
Graph on_input(int width, int steps, Make make) {
  GraphBuilder b;
  b.output("y", make(b, b.input("x", width, steps)));
  return std::move(b).build().value();
}

TEST(SoftmaxOp, OfRowsAndGroups) {
  for (const int width : {1, 2, 12, 31, 33, 64}) {
    for (const int group : {0, 1, width}) {
      const Graph graph = on_input(width, 3, [&](GraphBuilder& b, int x) { return b.softmax(x, group); });
      test::expect_computes(std::to_string(width) + " in groups of " + std::to_string(group), graph,
                            [&](const auto& in) {
                              Rows y = in[0];
                              for (Row& row : y) row = group == 1 ? Row(row.size(), 1.0) : test::softmax_of(row);
                              return y;
                            });
    }
  }
  const Graph graph = on_input(12, 2, [](GraphBuilder& b, int x) { return b.softmax(x, 4); });
  test::expect_computes("groups of 4", graph, [](const auto& in) {
    Rows y;
    for (const Row& row : in[0]) {
      Row out;
      for (auto at = row.begin(); at != row.end(); at += 4) {
        const Row part = test::softmax_of(Row(at, at + 4));
        out.insert(out.end(), part.begin(), part.end());
      }
      y.push_back(out);
    }
    return y;
  });
}

TEST(SoftmaxOp, IsNotMovedByAConstantAndSumsToOne) {
  const Graph graph = on_input(37, 1, [](GraphBuilder& b, int x) { return b.softmax(x); });
  Random random(4);
  const std::vector<float> x = random_values(random, 37, 3);
  std::vector<float> moved = x;
  for (float& v : moved) v += 60;
  const std::vector<float> a = test::run_network(graph, 1, {x})[0], b = test::run_network(graph, 1, {moved})[0];
  EXPECT_NEAR(std::accumulate(a.begin(), a.end(), 0.0), 1, 1e-6);
  for (std::size_t i = 0; i < 37; ++i) {
    EXPECT_NEAR(a[i], b[i], 1e-5);
    EXPECT_GT(a[i], 0);
  }
  EXPECT_EQ(std::max_element(a.begin(), a.end()) - a.begin(), std::max_element(x.begin(), x.end()) - x.begin());
}

TEST(LayerNormOp, AgainstDouble) {
  for (const int width : {1, 2, 15, 48, 65}) {
    for (const bool affine : {false, true}) {
      Random random(9);
      const auto n = static_cast<std::size_t>(width);
      const std::vector<float> gamma = random_values(random, n), beta = random_values(random, n);
      const Graph graph = on_input(width, 2, [&](GraphBuilder& b, int x) {
        return affine ? b.layer_norm(x, "n", gamma, beta, 1e-3F) : b.layer_norm(x, "n", {}, {}, 1e-3F);
      });
      test::expect_computes(std::to_string(width), graph,
                            [&](const auto& in) {
                              Rows y = in[0];
                              for (Row& row : y) {
                                const double mean = std::accumulate(row.begin(), row.end(), 0.0) / width;
                                double square = 0;
                                for (const double v : row) square += v * v / width;
                                const double deviation = std::sqrt(square - mean * mean + 1e-3);
                                for (std::size_t i = 0; i < row.size(); ++i) {
                                  row[i] = (row[i] - mean) / deviation;
                                  if (affine) row[i] = row[i] * gamma[i] + beta[i];
                                }
                              }
                              return y;
                            },
                            {.bound = 3e-5});
    }
  }
}

TEST(ArgminOp, IsTheFirstOfTheLeast) {
  const Graph graph = on_input(5, 1, [](GraphBuilder& b, int x) { return b.argmin(x); });
  const auto least = [&](std::vector<float> x) { return test::run_network(graph, 1, {std::move(x)})[0][0]; };
  EXPECT_EQ(least({3, 1, 2, 5, 4}), 1);
  EXPECT_EQ(least({7, 2, 9, 2, 2}), 1);
  EXPECT_EQ(least({0, 0, 0, 0, 0}), 0);
  EXPECT_EQ(least({1, 2, 3, 4, -1e30F}), 4);
  const Graph wide = on_input(67, 4, [](GraphBuilder& b, int x) { return b.argmin(x); });
  test::expect_computes("67 columns", wide,
                        [](const auto& in) {
                          Rows y;
                          for (const Row& row : in[0]) {
                            y.push_back({static_cast<double>(std::min_element(row.begin(), row.end()) - row.begin())});
                          }
                          return y;
                        },
                        {.bound = 0});
}

TEST(EmbeddingOp, RoundsAndClampsItsIndex) {
  Random random(2);
  const std::vector<float> table = random_values(random, 7 * 3);
  for (const WeightType type : test::kWeightTypes) {
    const Graph graph = with_weight_type(on_input(1, 1,
                                                  [&](GraphBuilder& b, int x) {
                                                    return b.embedding(x, "t", {7, 3}, table);
                                                  }),
                                         type);
    const std::vector<double> rows = test::weight_of(graph, "t.table");
    ASSERT_EQ(rows.size(), 21U);
    for (const auto& [index, row] : std::vector<std::pair<float, std::size_t>>{
             {0, 0}, {1, 1}, {6, 6}, {-3, 0}, {99, 6}, {2.4F, 2}, {2.6F, 3}, {-1e20F, 0}, {1e20F, 6}}) {
      const std::vector<float> y = test::run_network(graph, 1, {{index}})[0];
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(y[i], static_cast<float>(rows[row * 3 + i])) << index;
    }
  }
}

TEST(AttentionOp, AgainstDouble) {
  for (const bool causal : {false, true}) {
    for (const int heads : {1, 2, 4}) {
      for (const auto& [rows, keys] : {std::pair{1, 1}, {1, 9}, {7, 7}, {5, 17}}) {
        GraphBuilder b;
        const int q = b.input("q", 8, rows), k = b.input("k", 8, keys), v = b.input("v", 12, keys);
        b.output("y", b.attention(q, k, v, heads, causal));
        const Graph graph = std::move(b).build().value();
        test::expect_computes(std::to_string(heads) + " heads", graph, [&](const auto& in) {
          const std::size_t d = 8 / static_cast<std::size_t>(heads), dv = 12 / static_cast<std::size_t>(heads);
          Rows y(in[0].size(), Row(12, 0.0));
          for (std::size_t t = 0; t < in[0].size(); ++t) {
            for (std::size_t h = 0; h < static_cast<std::size_t>(heads); ++h) {
              const std::size_t seen = causal ? std::min(t + 1, in[1].size()) : in[1].size();
              Row scores(seen, 0.0);
              for (std::size_t s = 0; s < seen; ++s) {
                for (std::size_t i = h * d; i < (h + 1) * d; ++i) scores[s] += in[0][t][i] * in[1][s][i];
                scores[s] /= std::sqrt(static_cast<double>(d));
              }
              scores = test::softmax_of(scores);
              for (std::size_t s = 0; s < seen; ++s) {
                for (std::size_t i = h * dv; i < (h + 1) * dv; ++i) y[t][i] += scores[s] * in[2][s][i];
              }
            }
          }
          return y;
        });
      }
    }
  }
}

TEST(AttentionOp, TheOrderOfKeysDoesNotMatter) {
  GraphBuilder b;
  const int q = b.input("q", 6, 2), k = b.input("k", 6, 4), v = b.input("v", 6, 4);
  b.output("y", b.attention(q, k, v, 2));
  const Graph graph = std::move(b).build().value();
  auto inputs = test::random_inputs(graph, 1, 8);
  const auto before = test::run_network(graph, 1, inputs);
  for (const std::size_t i : {1, 2}) std::rotate(inputs[i].begin(), inputs[i].begin() + 6, inputs[i].end());
  EXPECT_LT(test::largest_difference(before, test::run_network(graph, 1, inputs)), 1e-6F);
}

TEST(PhaseOp, IsACyclicSplineOverFourPoints) {
  const Graph graph = on_input(1, 1, [](GraphBuilder& b, int x) { return b.phase_weights(x); });
  std::vector<float> phases;
  for (int i = -40; i < 90; ++i) phases.push_back(static_cast<float>(i) / 37);
  // As a kernel of the distance round the circle: 1 - 2.5 d² + 1.5 d³ within one point, then 2 - 4 d + 2.5 d² - d³ / 2.
  test::expect_computes(
      "phase", graph,
      [](const auto& in) {
        Row w;
        for (int point = 0; point < 4; ++point) {
          const double d = std::abs(std::remainder(4 * in[0][0][0] - point, 4.0));
          w.push_back(d < 1 ? 1 - 2.5 * d * d + 1.5 * d * d * d : 2 - 4 * d + 2.5 * d * d - 0.5 * d * d * d);
        }
        return Rows{w};
      },
      {.batches = {130}, .inputs = {phases}});
  const auto weights = [&](float phase) { return test::run_network(graph, 1, {{phase}})[0]; };
  for (int i = 0; i < 101; ++i) {
    const std::vector<float> w = weights(static_cast<float>(i) / 100);
    EXPECT_NEAR(w[0] + w[1] + w[2] + w[3], 1, 1e-6);
  }
  EXPECT_NEAR(weights(0.25F)[1], 1, 1e-6);
  EXPECT_NEAR(weights(0.75F)[3], 1, 1e-6);
}

TEST(NormalizeOp, AndBackIsTheIdentity) {
  Random random(3);
  std::vector<float> mean = random_values(random, 19, 10), deviation = random_values(random, 19);
  for (float& d : deviation) d = 0.1F + std::abs(d);
  const Graph there = on_input(19, 2, [&](GraphBuilder& b, int x) { return b.normalize(x, "n", mean, deviation); });
  test::expect_computes("there", there, [&](const auto& in) {
    Rows y = in[0];
    for (Row& row : y) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = (row[i] - mean[i]) / deviation[i];
    }
    return y;
  });
  const Graph both = on_input(
      19, 2, [&](GraphBuilder& b, int x) { return b.denormalize(b.normalize(x, "n", mean, deviation), "n", {}, {}); });
  test::expect_computes("and back", both, [](const auto& in) { return in[0]; }, {.bound = 2e-5});
}

}  // namespace
}  // namespace zoe::nn
