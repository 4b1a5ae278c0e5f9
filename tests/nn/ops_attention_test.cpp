// SPDX-License-Identifier: MIT
// Attention in groups, against what must hold and against plain loops that share no code with the module.
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

#include "nn/blocks.h"
#include "nn/naive.h"

namespace zoe::nn {
namespace {

using test::Row;
using test::Rows;

Row plain(const Row& q, const Rows& k, const Rows& v, std::size_t heads, const std::vector<Row>& added) {
  const std::size_t d = q.size() / heads, dv = v[0].size() / heads;
  Row y(v[0].size(), 0.0);
  for (std::size_t h = 0; h < heads; ++h) {
    Row scores;
    for (std::size_t j = 0; j < k.size(); ++j) {
      double sum = 0;
      for (std::size_t i = h * d; i < (h + 1) * d; ++i) sum += q[i] * k[j][i];
      scores.push_back(sum / std::sqrt(static_cast<double>(d)) + (added.empty() ? 0 : added[h][j]));
    }
    scores = test::softmax_of(scores);
    for (std::size_t j = 0; j < k.size(); ++j)
      for (std::size_t i = h * dv; i < (h + 1) * dv; ++i) y[i] += scores[j] * v[j][i];
  }
  return y;
}

// A table of 4 frames x 5 joints, over each axis.
TEST(GroupedAttention, IsPlainAttentionOfEachGroup) {
  for (const bool over_frames : {false, true}) {
    GraphBuilder b;
    const int q = b.input("q", 8, 20), k = b.input("k", 8, 20), v = b.input("v", 6, 20);
    b.output("y", b.attention(q, k, v,
                              over_frames ? GraphBuilder::Attention{.heads = 2, .inner = 5}
                                          : GraphBuilder::Attention{.heads = 2, .over = 5}));
    test::expect_computes("grouped", std::move(b).build().value(), [&](const auto& in) {
      Rows y;
      for (std::size_t f = 0; f < 4; ++f) {
        for (std::size_t j = 0; j < 5; ++j) {
          Rows keys, values;
          for (std::size_t o = 0; o < (over_frames ? 4U : 5U); ++o) {
            const std::size_t row = over_frames ? o * 5 + j : f * 5 + o;
            keys.push_back(in[1][row]), values.push_back(in[2][row]);
          }
          y.push_back(plain(in[0][f * 5 + j], keys, values, 2, {}));
        }
      }
      return y;
    });
  }
}

// score_ij += (q_i Eq[r] + k_j Ek[r]) / sqrt(d), by products of the tables themselves.
TEST(GroupedAttention, RelationsAreProductsWithTables) {
  Random random(6);
  const std::vector<float> eq = test::random_values(random, 3 * 8), ek = test::random_values(random, 3 * 8);
  GraphBuilder b;
  const int q = b.input("q", 8, 10), k = b.input("k", 8, 10), v = b.input("v", 6, 10), r = b.input("relation", 1, 25);
  b.output("y", b.attention(q, k, v,
                            {.heads = 2,
                             .over = 5,
                             .query_terms = b.relation_terms(q, "eq", 2, 3, eq),
                             .key_terms = b.relation_terms(k, "ek", 2, 3, ek),
                             .relation = r}));
  test::expect_computes("relations", std::move(b).build().value(), [&](const auto& in) {
    Rows y;
    for (std::size_t row = 0; row < 10; ++row) {
      const std::size_t first = row / 5 * 5, i = row % 5;
      std::vector<Row> added(2);
      for (std::size_t h = 0; h < 2; ++h) {
        for (std::size_t j = 0; j < 5; ++j) {
          const auto c = static_cast<std::size_t>(std::min(2.0, std::max(0.0, std::nearbyint(in[3][i * 5 + j][0]))));
          double sum = 0;
          for (std::size_t e = h * 4; e < (h + 1) * 4; ++e) {
            sum += in[0][row][e] * static_cast<double>(eq[c * 8 + e]) +
                   in[1][first + j][e] * static_cast<double>(ek[c * 8 + e]);
          }
          added[h].push_back(sum / 2);
        }
      }
      const auto at = static_cast<long>(first);
      y.push_back(plain(in[0][row], Rows(in[1].begin() + at, in[1].begin() + at + 5),
                        Rows(in[2].begin() + at, in[2].begin() + at + 5), 2, added));
    }
    return y;
  });
}

TEST(GroupedAttention, KeysThatAreMaskedDoNotMatter) {
  GraphBuilder b;
  const int q = b.input("q", 6, 3), k = b.input("k", 6, 4), v = b.input("v", 6, 4), mask = b.input("mask", 1, 4);
  b.output("y", b.attention(q, k, v, {.heads = 2, .mask = mask}));
  const Graph graph = std::move(b).build().value();
  auto inputs = test::random_inputs(graph, 1, 3);
  inputs[3] = {1, 0, 2, -1};
  const auto before = test::run_network(graph, 1, inputs);
  for (const std::size_t row : {1U, 3U}) {
    for (std::size_t i = 0; i < 6; ++i) inputs[1][row * 6 + i] = 50, inputs[2][row * 6 + i] = -900;
  }
  EXPECT_LT(test::largest_difference(before, test::run_network(graph, 1, inputs)), 1e-6F);
  // Without any key, all weigh the same.
  inputs[3] = {0, 0, 0, 0};
  const auto none = test::run_network(graph, 1, inputs)[0];
  for (std::size_t i = 0; i < 6; ++i) {
    const float mean = (inputs[2][i] + inputs[2][6 + i] + inputs[2][12 + i] + inputs[2][18 + i]) / 4;
    EXPECT_NEAR(none[i], mean, 1e-4F);
  }
}

// Frame i reads frame 0 and frames i - 1 to i + 2.
TEST(GroupedAttention, AWindowHidesWhatIsOutside) {
  GraphBuilder b;
  const int x = b.input("x", 4, 9);
  b.output("y", b.attention(x, x, x, {.heads = 1, .before = 1, .after = 2, .first = 1}));
  const Graph graph = std::move(b).build().value();
  const auto inputs = test::random_inputs(graph, 1, 3);
  const auto before = test::run_network(graph, 1, inputs)[0];
  for (std::size_t changed = 0; changed < 9; ++changed) {
    auto other = inputs;
    for (std::size_t i = 0; i < 4; ++i) other[0][changed * 4 + i] += 1;
    const auto after = test::run_network(graph, 1, other)[0];
    for (std::size_t row = 0; row < 9; ++row) {
      const bool seen = changed == 0 || (changed + 1 >= row && changed <= row + 2);
      bool same = true;
      for (std::size_t i = 0; i < 4; ++i) same = same && before[row * 4 + i] == after[row * 4 + i];
      EXPECT_EQ(same, !seen) << row << " reads " << changed;
    }
  }
}

}  // namespace
}  // namespace zoe::nn
