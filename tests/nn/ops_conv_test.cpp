// SPDX-License-Identifier: MIT
// Convolutions and recurrent cells against plain loops in double, and their closed forms.
#include <cmath>

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

struct Conv {
  std::size_t out, in, kernel;
  int steps;
  GraphBuilder::Conv how;
};

Graph conv_graph(const Conv& c, bool bias = true) {
  GraphBuilder b;
  Random random(c.out + 10 * c.in + 100 * c.kernel);
  const std::vector<float> w =
      random_values(random, c.out * c.in * c.kernel, 1.5F / std::sqrt(static_cast<float>(c.in * c.kernel)));
  const std::vector<float> k = random_values(random, c.out);
  b.output("y", b.conv1d(b.input("x", static_cast<int>(c.in), c.steps), "c", {c.out, c.in, c.kernel}, w,
                         bias ? std::span(k) : std::span<const float>{}, c.how, Activation::kTanh));
  return std::move(b).build().value();
}

// Pads the item with zeros first, then slides.
test::Naive naive_conv(const Graph& graph, const Conv& c) {
  return [w = test::weight_of(graph, "c.weight"), k = test::weight_of(graph, "c.bias"), c](const auto& in) {
    Rows padded(static_cast<std::size_t>(c.how.padding), Row(c.in, 0.0));
    const Rows zeros = padded;
    padded.insert(padded.end(), in[0].begin(), in[0].end());
    padded.insert(padded.end(), zeros.begin(), zeros.end());
    const std::size_t reach = (c.kernel - 1) * static_cast<std::size_t>(c.how.dilation);
    Rows y;
    for (std::size_t t = 0; t + reach < padded.size(); t += static_cast<std::size_t>(c.how.stride)) {
      Row row(c.out);
      for (std::size_t o = 0; o < c.out; ++o) {
        row[o] = k.empty() ? 0 : k[o];
        for (std::size_t i = 0; i < c.in; ++i) {
          for (std::size_t j = 0; j < c.kernel; ++j) {
            row[o] += w[(o * c.in + i) * c.kernel + j] * padded[t + j * static_cast<std::size_t>(c.how.dilation)][i];
          }
        }
      }
      y.push_back(test::activated(Activation::kTanh, row));
    }
    return y;
  };
}

TEST(ConvOp, StridesPaddingsAndDilations) {
  for (const int stride : {1, 2, 5}) {
    for (const int padding : {0, 1, 4}) {
      for (const int dilation : {1, 3}) {
        const Conv conv{6, 5, 3, 13, {stride, padding, dilation}};
        const Graph graph = conv_graph(conv);
        test::expect_computes("stride " + std::to_string(stride) + ", padding " + std::to_string(padding) +
                                  ", dilation " + std::to_string(dilation),
                              graph, naive_conv(graph, conv));
      }
    }
  }
}

TEST(ConvOp, ShapesAtTheEdges) {
  for (const Conv& conv : {Conv{1, 1, 1, 1, {}}, Conv{33, 1, 5, 5, {}}, Conv{1, 40, 2, 9, {}},
                           Conv{3, 2, 7, 1, {1, 3, 1}}, Conv{8, 16, 9, 60, {1, 4, 1}}}) {
    const Graph graph = conv_graph(conv, false);
    test::expect_computes(std::to_string(conv.out) + " from " + std::to_string(conv.in), graph, naive_conv(graph, conv),
                          {.batches = {1, 3}});
  }
}

TEST(ConvOp, EveryWeightType) {
  const Conv conv{34, 7, 3, 10, {1, 1, 1}};
  for (const WeightType type : test::kWeightTypes) {
    const Graph graph = with_weight_type(conv_graph(conv), type);
    test::expect_computes(to_string(type), graph, naive_conv(graph, conv), {.bound = test::bound_of(type)});
  }
}

TEST(ConvOp, AMiddleTapCopiesItsChannel) {
  GraphBuilder b;
  const std::vector<float> w{0, 1, 0, 0, 0, 0};  // One output of two channels: the first, unmoved.
  b.output("y", b.conv1d(b.input("x", 2, 6), "c", {1, 2, 3}, w, {}, {.padding = 1}));
  const Graph graph = std::move(b).build().value();
  const auto inputs = test::random_inputs(graph, 2, 1);
  const std::vector<float> y = test::run_network(graph, 2, inputs)[0];
  for (std::size_t t = 0; t < 12; ++t) EXPECT_EQ(y[t], inputs[0][2 * t]) << t;
}

Graph cell_graph(std::size_t gates, std::size_t in, std::size_t hidden, bool bias, float scale = 1) {
  GraphBuilder b;
  Random random(gates * 10 + in);
  const std::vector<float> wi = random_values(random, gates * hidden * in, scale / std::sqrt(static_cast<float>(in))),
                           wh = random_values(random, gates * hidden * hidden,
                                              scale / std::sqrt(static_cast<float>(hidden))),
                           bi = random_values(random, gates * hidden, scale),
                           bh = random_values(random, gates * hidden, scale);
  GraphBuilder::CellWeights w{wi, wh, {}, {}};
  if (bias) w.b_input = bi, w.b_state = bh;
  const int x = b.input("x", static_cast<int>(in)), h = b.input("h", static_cast<int>(hidden));
  if (gates == 3) {
    b.output("h2", b.gru_cell(x, h, "g", w));
  } else {
    const GraphBuilder::LstmOut out = b.lstm_cell(x, h, b.input("c", static_cast<int>(hidden)), "g", w);
    b.output("both", b.concat({out.h, out.c}));
  }
  return std::move(b).build().value();
}

test::Naive naive_cell(const Graph& graph, std::size_t hidden) {
  struct Parts {
    std::vector<double> wi, wh, bi, bh;
  } p{test::weight_of(graph, "g.w_input"), test::weight_of(graph, "g.w_state"), test::weight_of(graph, "g.b_input"),
      test::weight_of(graph, "g.b_state")};
  return [p, hidden](const std::vector<Rows>& in) {
    const Row &x = in[0][0], &h = in[1][0];
    const std::size_t gates = in.size() == 2 ? 3 : 4;
    const Row a = test::product(p.wi, p.bi, 0, gates * hidden, x), b = test::product(p.wh, p.bh, 0, gates * hidden, h);
    const auto sum = [&](std::size_t gate, std::size_t i) { return a[gate * hidden + i] + b[gate * hidden + i]; };
    Row next, cell;
    for (std::size_t i = 0; i < hidden; ++i) {
      if (in.size() == 2) {  // GRU: reset, update, new.
        const double r = test::sigmoid(sum(0, i)), z = test::sigmoid(sum(1, i));
        next.push_back(z * h[i] + (1 - z) * std::tanh(a[2 * hidden + i] + r * b[2 * hidden + i]));
      } else {  // LSTM: input, forget, cell, output.
        cell.push_back(test::sigmoid(sum(1, i)) * in[2][0][i] + test::sigmoid(sum(0, i)) * std::tanh(sum(2, i)));
        next.push_back(test::sigmoid(sum(3, i)) * std::tanh(cell[i]));
      }
    }
    next.insert(next.end(), cell.begin(), cell.end());
    return Rows{next};
  };
}

TEST(CellOp, GruAndLstmInEveryWeightType) {
  for (const std::size_t gates : {3, 4}) {
    for (const WeightType type : test::kWeightTypes) {
      for (const std::size_t hidden : {1, 9, 17}) {
        const Graph graph = with_weight_type(cell_graph(gates, 11, hidden, true), type);
        test::expect_computes(std::to_string(gates) + " gates, " + to_string(type), graph, naive_cell(graph, hidden),
                              {.bound = test::bound_of(type)});
      }
    }
  }
}

TEST(CellOp, WithoutBiases) {
  for (const std::size_t gates : {3, 4}) {
    const Graph graph = cell_graph(gates, 5, 6, false);
    test::expect_computes(std::to_string(gates), graph, naive_cell(graph, 6));
  }
}

TEST(CellOp, WithoutWeightsEveryGateIsAHalf) {
  const Graph gru = cell_graph(3, 4, 5, false, 0), lstm = cell_graph(4, 4, 5, false, 0);
  auto inputs = test::random_inputs(lstm, 1, 2);
  const std::vector<float> c2 = test::run_network(lstm, 1, inputs)[0];
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(c2[5 + i], 0.5F * inputs[2][i], 1e-6);  // Half forgotten, nothing new.
    EXPECT_NEAR(c2[i], 0.5 * std::tanh(0.5 * inputs[2][i]), 1e-6);
  }
  inputs.pop_back();
  const std::vector<float> h2 = test::run_network(gru, 1, inputs)[0];
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(h2[i], 0.5F * inputs[1][i], 1e-6);
}

TEST(CellOp, StatesStayWithinOneForHours) {
  const Graph graph = cell_graph(3, 6, 8, true, 3);
  std::vector<float> h(8);
  for (int step = 0; step < 2000; ++step) {
    auto inputs = test::random_inputs(graph, 1, static_cast<std::uint64_t>(step));
    inputs[1] = h;
    h = test::run_network(graph, 1, inputs)[0];
    for (const float v : h) ASSERT_LE(std::abs(v), 1) << step;
  }
}

}  // namespace
}  // namespace zoe::nn
