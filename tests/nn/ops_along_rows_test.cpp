// SPDX-License-Identifier: MIT
// Operations along rows, against plain loops that share no code with the module, and against what must hold.
#include <algorithm>
#include <cmath>
#include <functional>

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

template <typename Make>
Graph on_input(int width, int steps, Make make) {
  GraphBuilder b;
  b.output("y", make(b, b.input("x", width, steps)));
  return std::move(b).build().value();
}

TEST(NormOps, AgainstDouble) {
  Random random(4);
  const std::vector<float> gamma = random_values(random, 21), beta = random_values(random, 21);
  test::expect_computes("rms",
                        on_input(21, 3, [&](GraphBuilder& b, int x) { return b.rms_norm(x, "n", gamma, 1e-3F); }),
                        [&](const auto& in) {
                          Rows y = in[0];
                          for (Row& row : y) {
                            double square = 0;
                            for (const double v : row) square += v * v;
                            for (std::size_t i = 0; i < 21; ++i)
                              row[i] = row[i] / std::sqrt(square / 21 + 1e-3) * static_cast<double>(gamma[i]);
                          }
                          return y;
                        });
  // Each group of columns, over all rows together.
  test::expect_computes(
      "group", on_input(21, 5, [&](GraphBuilder& b, int x) { return b.group_norm(x, 3, "n", gamma, beta); }),
      [&](const auto& in) {
        Rows y = in[0];
        for (std::size_t g = 0; g < 3; ++g) {
          double sum = 0, square = 0;
          for (const Row& row : in[0])
            for (std::size_t i = g * 7; i < g * 7 + 7; ++i) sum += row[i], square += row[i] * row[i];
          const double mean = sum / 35, deviation = std::sqrt(square / 35 - mean * mean + 1e-5);
          for (Row& row : y)
            for (std::size_t i = g * 7; i < g * 7 + 7; ++i)
              row[i] = (row[i] - mean) / deviation * static_cast<double>(gamma[i]) + static_cast<double>(beta[i]);
        }
        return y;
      },
      {.bound = 3e-5});
}

TEST(PositionOps, RotationsKeepLengthsAndDependOnDistances) {
  GraphBuilder b;
  const int q = b.input("q", 8, 6);
  b.output("y", b.rotary(q, b.positions(q), 2));
  const Graph graph = std::move(b).build().value();
  std::vector<float> same;  // The same row six times.
  const std::vector<float> row{1, 2, -1, 0.5F, 3, -2, 1, 0};
  for (int i = 0; i < 6; ++i) same.insert(same.end(), row.begin(), row.end());
  const std::vector<float> y = test::run_network(graph, 1, {same})[0];
  const auto dot = [&](std::size_t i, std::size_t j, std::size_t head) {
    double sum = 0;
    for (std::size_t c = head * 4; c < head * 4 + 4; ++c) sum += static_cast<double>(y[i * 8 + c] * y[j * 8 + c]);
    return sum;
  };
  for (std::size_t head = 0; head < 2; ++head) {
    EXPECT_NEAR(dot(3, 3, head), dot(0, 0, head), 1e-5);
    EXPECT_NEAR(dot(1, 3, head), dot(2, 4, head), 1e-5);
    EXPECT_GT(std::abs(dot(0, 1, head) - dot(0, 2, head)), 1e-3);
  }
  for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(y[c], row[c]);  // Position 0 is not turned.
}

TEST(PositionOps, SinusoidsOfATime) {
  const Graph graph = on_input(1, 1, [](GraphBuilder& b, int x) { return b.sinusoidal(x, 6, 1000); });
  for (const float t : {0.0F, 1.0F, 37.5F, -4.0F}) {
    const std::vector<float> y = test::run_network(graph, 1, {{t}})[0];
    for (std::size_t i = 0; i < 3; ++i) {
      const double angle = static_cast<double>(t) / std::pow(1000.0, static_cast<double>(i) / 3);
      EXPECT_NEAR(y[i], std::cos(angle), 1e-5);
      EXPECT_NEAR(y[3 + i], std::sin(angle), 1e-5);
    }
  }
}

// Rows as [2, 3, 2].
TEST(RowOps, GroupsAreWhereTheyAreSaidToBe) {
  const std::vector<float> x{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121};
  const auto run = [&](const std::function<int(GraphBuilder&, int)>& make) {
    return test::run_network(on_input(1, 12, make), 1, {x})[0];
  };
  using V = std::vector<float>;
  const Axis axis{.over = 3, .inner = 2};
  EXPECT_EQ(run([&](GraphBuilder& b, int v) { return b.mean_rows(v, axis); }), (V{10, 11, 110, 111}));
  EXPECT_EQ(run([&](GraphBuilder& b, int v) { return b.max_rows(v, axis); }), (V{20, 21, 120, 121}));
  EXPECT_EQ(run([&](GraphBuilder& b, int v) { return b.slice_rows(v, 1, 2, axis); }), (V{10, 11, 110, 111}));
  EXPECT_EQ(run([&](GraphBuilder& b, int v) { return b.slice_rows(v, 1, 0, axis); }),
            (V{10, 11, 20, 21, 110, 111, 120, 121}));
  EXPECT_EQ(run([&](GraphBuilder& b, int v) { return b.positions(v, axis); }), (V{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(run([&](GraphBuilder& b, int v) { return b.repeat_rows(b.slice_rows(v, 0, 4), 2, 2); }),
            (V{0, 1, 0, 1, 10, 11, 10, 11}));
  const V soft = run([&](GraphBuilder& b, int v) { return b.softmax_rows(v, axis); });
  for (const std::size_t first : {0U, 1U, 6U, 7U})
    EXPECT_NEAR(soft[first] + soft[first + 2] + soft[first + 4], 1, 1e-6);
}

TEST(PictureOps, ConvolutionsOfEveryWeightType) {
  Random random(8);
  for (const std::size_t groups : {1U, 2U, 6U}) {
    const std::size_t outs = 6, per = 6 / groups;
    const std::vector<float> w = random_values(random, outs * per * 9, 0.3F), bias = random_values(random, outs);
    const Graph exact = on_input(6, 20, [&](GraphBuilder& b, int x) {
      return b.conv2d(x, 5, "c", {outs, per, 3, 3}, w, bias,
                      {.stride = 2, .padding = 1, .groups = static_cast<int>(groups)});
    });
    for (const WeightType type : test::kWeightTypes) {
      const Graph graph = with_weight_type(exact, type);
      const std::vector<double> kernel = test::weight_of(graph, "c.weight");
      test::expect_computes(
          "conv2d", graph,
          [&](const auto& in) {
            Rows y;
            for (int line = 0; line < 4; line += 2)
              for (int column = 0; column < 5; column += 2) {
                Row row(bias.begin(), bias.end());
                for (std::size_t o = 0; o < outs; ++o)
                  for (std::size_t c = 0; c < per; ++c)
                    for (int ky = 0; ky < 3; ++ky)
                      for (int kx = 0; kx < 3; ++kx) {
                        const int py = line + ky - 1, px = column + kx - 1;
                        if (py < 0 || py > 3 || px < 0 || px > 4) continue;
                        row[o] += kernel[((o * per + c) * 3 + static_cast<std::size_t>(ky)) * 3 +
                                         static_cast<std::size_t>(kx)] *
                                  in[0][static_cast<std::size_t>(py * 5 + px)][o / (outs / groups) * per + c];
                      }
                y.push_back(row);
              }
            return y;
          },
          {.bound = test::bound_of(type), .batches = {1, 5}});
    }
  }
}

TEST(PictureOps, UpsamplingOfARamp) {
  // Bilinear upsampling of a linear ramp is linear inside.
  std::vector<float> x;
  for (int line = 0; line < 3; ++line)
    for (int column = 0; column < 4; ++column) x.push_back(static_cast<float>(10 * line + column));
  const auto smooth =
      test::run_network(on_input(1, 12, [](GraphBuilder& b, int v) { return b.upsample(v, 4, 2, true); }), 1, {x})[0];
  for (int line = 1; line < 5; ++line)
    for (int column = 1; column < 7; ++column) {
      const float expected =
          10 * (static_cast<float>(line) + 0.5F) / 2 - 5 + (static_cast<float>(column) + 0.5F) / 2 - 0.5F;
      EXPECT_NEAR(smooth[static_cast<std::size_t>(line * 8 + column)], expected, 1e-5F);
    }
  EXPECT_EQ(smooth[0], 0);
  EXPECT_EQ(smooth.back(), 23);
  const auto nearest =
      test::run_network(on_input(1, 12, [](GraphBuilder& b, int v) { return b.upsample(v, 4, 2); }), 1, {x})[0];
  for (std::size_t i = 0; i < 48; ++i) EXPECT_EQ(nearest[i], x[i / 16 * 4 + i % 8 / 2]);
}

}  // namespace
}  // namespace zoe::nn
