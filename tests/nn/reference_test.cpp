// SPDX-License-Identifier: MIT
// The oracle itself, against numbers worked out by hand or by another formula.
#include "zoe/nn/reference.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

#include "nn/blocks.h"

namespace zoe::nn {
namespace {

std::vector<float> evaluate(GraphBuilder& b, int value, const std::vector<std::vector<float>>& inputs) {
  b.output("y", value);
  const Graph graph = std::move(b).build().value();
  return run_reference(graph, 1, test::spans_of(inputs))[0];
}

void expect_near(const std::vector<float>& a, const std::vector<float>& b, float tolerance = 1e-6F) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(Reference, Linear) {
  GraphBuilder b;
  const std::vector<float> w{1, 2, 3, -4, 5, -6}, bias{0.5F, -0.25F};
  expect_near(evaluate(b, b.linear(b.input("x", 3), "l", {2, 3}, w, bias, Activation::kRelu), {{1, 2, -1}}),
              {2.5F, 11.75F});
}

TEST(Reference, ExpertsBlendOutputsAsIfWeightsWereBlended) {
  const std::vector<float> w{1, 2, 3, 4}, bias{10, 20};  // Two experts, one output of two inputs each.
  GraphBuilder b;
  const int x = b.input("x", 2), g = b.input("g", 2);
  // Blended weights: 0.25 * (1, 2) + 0.75 * (3, 4) = (2.5, 3.5), bias 17.5.
  expect_near(evaluate(b, b.expert_linear(x, g, "e", {2, 1, 2}, w, bias), {{2, -1}, {0.25F, 0.75F}}),
              {2.5F * 2 - 3.5F + 17.5F});
}

TEST(Reference, AnglesDivisionsRootsAndLeastColumns) {
  constexpr float kPi = 3.14159265F;
  GraphBuilder a;
  const int ay = a.input("y", 6), ax = a.input("x", 6);
  expect_near(evaluate(a, a.atan2(ay, ax), {{0, 0, 1, -1, 2, -0.0F}, {0, -1, 0, -1, 2, -1}}),
              {0, kPi, kPi / 2, -3 * kPi / 4, kPi / 4, kPi});
  GraphBuilder d;
  const int dividend = d.input("a", 2), divisor = d.input("b", 2);
  expect_near(evaluate(d, d.divide(dividend, divisor), {{1, -6}, {4, 3}}), {0.25F, -2});
  GraphBuilder s;
  expect_near(evaluate(s, s.activation(s.input("x", 3), Activation::kSquareRoot), {{0, 2.25F, 16}}), {0, 1.5F, 4});
  GraphBuilder w;
  expect_near(evaluate(w, w.activation(w.input("x", 3), Activation::kSine), {{0, kPi / 6, -kPi / 2}}), {0, 0.5F, -1});
  GraphBuilder m;
  expect_near(evaluate(m, m.argmin(m.input("x", 4, 2)), {{3, -1, 0, -1, 5, 6, 7, 5}}), {1, 0});
}

TEST(Reference, Conv1d) {
  GraphBuilder b;
  const std::vector<float> w{1, 10, 100};  // One channel, kernel of three.
  expect_near(evaluate(b, b.conv1d(b.input("x", 1, 4), "c", {1, 1, 3}, w, {}, {.padding = 1}), {{1, 2, 3, 4}}),
              {210, 321, 432, 43});
  GraphBuilder d;
  expect_near(
      evaluate(d, d.conv1d(d.input("x", 1, 5), "c", {1, 1, 3}, w, {}, {.stride = 1, .dilation = 2}), {{1, 2, 3, 4, 5}}),
      {531});
}

TEST(Reference, GruKeepsItsStateWhenTheUpdateGateIsOpen) {
  const std::vector<float> w(3, 0.0F), open{0, 100, 0}, none(3, 0.0F);
  GraphBuilder b;
  const int x = b.input("x", 1), h = b.input("h", 1);
  expect_near(evaluate(b, b.gru_cell(x, h, "g", {w, w, open, none}), {{5}, {0.7F}}), {0.7F});
  // Update gate shut, reset gate half open: h' = tanh(w x + r * b).
  GraphBuilder c;
  const std::vector<float> shut{0, -100, 0.25F}, b_state{0, 0, 0.5F}, w_new{0, 0, 2};
  const int cx = c.input("x", 1), ch = c.input("h", 1);
  expect_near(evaluate(c, c.gru_cell(cx, ch, "g", {w_new, w, shut, b_state}), {{0.3F}, {0.7F}}),
              {std::tanh(0.6F + 0.25F + 0.25F)});
}

TEST(Reference, LstmCell) {
  const std::vector<float> w(4, 0.0F), bias{100, -100, 0.5F, 0},
      none(4, 0.0F);  // Input open, forget shut, output half.
  GraphBuilder b;
  const int x = b.input("x", 1), h = b.input("h", 1), c = b.input("c", 1);
  expect_near(evaluate(b, b.lstm_cell(x, h, c, "l", {w, w, bias, none}).h, {{5}, {0.7F}, {3}}),
              {0.5F * std::tanh(std::tanh(0.5F))});
}

TEST(Reference, AttentionPicksTheKeyThatMatches) {
  GraphBuilder b;
  const int q = b.input("q", 1, 2), k = b.input("k", 1, 3), v = b.input("v", 2, 3);
  expect_near(evaluate(b, b.attention(q, k, v, 1), {{200, 0}, {-1, 0, 1}, {1, 2, 3, 4, 5, 6}}), {5, 6, 3, 4}, 1e-5F);
  GraphBuilder c;
  const int cq = c.input("q", 1, 2), ck = c.input("k", 1, 2), cv = c.input("v", 1, 2);
  // Causal: the first row sees itself only; the second weighs both evenly.
  expect_near(evaluate(c, c.attention(cq, ck, cv, 1, true), {{9, 0}, {1, 2}, {4, 8}}), {4, 6});
}

TEST(Reference, LayerNormAndSoftmax) {
  GraphBuilder b;
  const std::vector<float> gamma{2, 2}, beta{1, 1};
  expect_near(evaluate(b, b.layer_norm(b.input("x", 2), "n", gamma, beta, 1e-9F), {{3, 7}}), {-1, 3});
  GraphBuilder c;
  expect_near(evaluate(c, c.softmax(c.input("x", 4), 2), {{0, std::log(3.0F), 5, 5}}), {0.25F, 0.75F, 0.5F, 0.5F});
}

// At a control point the spline is that point; between, the weights sum to one and vary continuously.
TEST(Reference, PhaseWeightsAreACyclicSpline) {
  const auto weights = [](float phase) {
    GraphBuilder b;
    return evaluate(b, b.phase_weights(b.input("p", 1)), {{phase}});
  };
  expect_near(weights(0), {1, 0, 0, 0});
  expect_near(weights(0.5F), {0, 0, 1, 0});
  expect_near(weights(-0.25F), {0, 0, 0, 1});
  expect_near(weights(0.125F), {0.5625F, 0.5625F, -0.0625F, -0.0625F});
  expect_near(weights(0.9999999F), {1, 0, 0, 0}, 1e-5F);
}

TEST(Reference, RearrangingAndScaling) {
  GraphBuilder b;
  const int x = b.input("x", 3, 2);
  expect_near(evaluate(b, b.transpose(x), {{1, 2, 3, 4, 5, 6}}), {1, 4, 2, 5, 3, 6});
  GraphBuilder c;
  const std::vector<float> mean{1, 2}, std{2, 4};
  const int y = c.normalize(c.input("x", 2), "n", mean, std);
  expect_near(evaluate(c, c.denormalize(c.activation(y, Activation::kTanh), "n", {}, {}), {{3, 2}}),
              {1 + 2 * std::tanh(1.0F), 2});
  GraphBuilder e;
  const std::vector<float> table{1, 2, 3, 4, 5, 6};
  expect_near(evaluate(e, e.embedding(e.input("i", 1, 3), "t", {3, 2}, table), {{1.2F, -5, 99}}), {3, 4, 1, 2, 5, 6});
}

}  // namespace
}  // namespace zoe::nn
