// SPDX-License-Identifier: MIT
// Each layer twice: computed by torch, and built into a graph that zoe::nn runs. They must give the same numbers, for
// widths of one, odd widths and any batch.
#include <functional>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

#include "train/codebook.h"
#include "train/experts.h"
#include "train/model_fixture.h"
#include "train/sequence_blocks.h"

namespace zoe::train {
namespace {

Parameters fresh(std::uint64_t seed) {
  at::manual_seed(seed);
  return Parameters(at::TensorOptions().dtype(at::kFloat));
}

// One input [steps, width] (and a second one where width_2 is given).
struct Ports {
  int steps = 1, width = 4, width_2 = 0;
};
using Torch = std::function<at::Tensor(const std::vector<at::Tensor>&)>;
using Build = std::function<int(GraphBuilder&, const std::vector<int>&)>;

void expect_same(const char* what, const Ports& ports, const Torch& torch, const Build& build, float bound = 1e-5F) {
  GraphBuilder builder;
  std::vector<int> values{builder.input("x", ports.width, ports.steps)};
  if (ports.width_2 > 0) values.push_back(builder.input("z", ports.width_2));
  builder.output("y", build(builder, values));
  const nn::Graph graph = std::move(builder).build().value();
  for (const std::int64_t batch : {1, 3, 65}) {
    std::vector<at::Tensor> inputs{at::randn({batch, ports.steps, ports.width})};
    if (ports.width_2 > 0) inputs.push_back(at::randn({batch, 1, ports.width_2}));
    const c10::NoGradGuard no_gradients;
    const at::Tensor ours = run_network(graph, inputs)[0];
    std::vector<at::Tensor> rows = inputs;
    if (ports.steps == 1) rows[0] = rows[0].squeeze(1);
    if (ports.width_2 > 0) rows[1] = rows[1].squeeze(1);
    const at::Tensor theirs = torch(rows).reshape_as(ours);
    EXPECT_LT((ours - theirs).abs().max().item<float>(), bound) << what << ", batch " << batch;
  }
}

TEST(GraphLayers, LinearAndMlpWithEveryActivation) {
  for (const char* name : {"relu", "elu", "silu", "tanh", "sigmoid"}) {
    const Activation activation = parse_activation(name).value();
    for (const std::int64_t width : {1, 7, 33}) {
      Parameters parameters = fresh(1);
      const Linear linear(parameters, "l", width, 5);
      expect_same(
          name, {1, static_cast<int>(width)}, [&](const auto& in) { return activate(linear(in[0]), activation); },
          [&](GraphBuilder& b, const auto& v) { return linear.build(b, v[0], activation); });
      const Mlp mlp(parameters, "m", {width, 9, 6, 3}, activation);
      expect_same(
          name, {1, static_cast<int>(width)}, [&](const auto& in) { return mlp(in[0], false); },
          [&](GraphBuilder& b, const auto& v) { return mlp.build(b, v[0]); });
    }
  }
}

TEST(GraphLayers, AnMlpTwiceSharesItsWeights) {
  Parameters parameters = fresh(2);
  const Mlp mlp(parameters, "m", {4, 8, 4}, Activation::kElu);
  expect_same(
      "twice", {1, 4}, [&](const auto& in) { return mlp(mlp(in[0], false), false); },
      [&](GraphBuilder& b, const auto& v) { return mlp.build(b, mlp.build(b, v[0]), true); });
}

TEST(GraphLayers, NormalisersThereAndBack) {
  Parameters parameters = fresh(3);
  const std::vector<float> mean{1, 2, -3}, spread{0.5F, 2, 4};
  const Normaliser normaliser(parameters, "n", mean, spread);
  expect_same(
      "apply", {2, 3}, [&](const auto& in) { return normaliser.apply(in[0]); },
      [&](GraphBuilder& b, const auto& v) { return normaliser.build_apply(b, v[0]); });
  expect_same(
      "undo", {2, 3}, [&](const auto& in) { return normaliser.undo(in[0]); },
      [&](GraphBuilder& b, const auto& v) { return normaliser.build_undo(b, v[0]); });
}

TEST(GraphLayers, FilmOverTime) {
  Parameters parameters = fresh(4);
  const FilmMlp film(parameters, "f", 6, 10, 3, 5);
  EXPECT_NEAR(film.times.mean().item<float>(), 0, 1e-5F);
  expect_same(
      "film", {1, 6}, [&](const auto& in) { return film(in[0]); },
      [&](GraphBuilder& b, const auto& v) { return film.build(b, v[0]); });
}

TEST(GraphLayers, Experts) {
  Parameters parameters = fresh(5);
  const ExpertLinear one(parameters, "e", 3, 7, 5);
  expect_same(
      "one", {1, 7, 3}, [&](const auto& in) { return at::elu(one(in[0], in[1])); },
      [&](GraphBuilder& b, const auto& v) { return one.build(b, v[0], v[1], Activation::kElu); });
  const ExpertMlp three(parameters, "m", 4, 6, 9, 2, 0);
  expect_same(
      "three", {1, 6, 4}, [&](const auto& in) { return three(in[0], in[1], false); },
      [&](GraphBuilder& b, const auto& v) { return three.build(b, v[0], v[1]); }, 5e-5F);
}

TEST(GraphLayers, ConvolutionsAndNorms) {
  for (const std::int64_t dilation : {1, 2}) {
    Parameters parameters = fresh(6);
    const Conv conv(parameters, "c", 3, 6, 5, dilation);
    expect_same(
        "conv", {9, 3}, [&](const auto& in) { return at::relu(conv(in[0])); },
        [&](GraphBuilder& b, const auto& v) { return conv.build(b, v[0], Activation::kRelu); });
  }
  Parameters parameters = fresh(7);
  const LayerNorm norm(parameters, "n", 11);
  expect_same(
      "norm", {3, 11}, [&](const auto& in) { return norm(in[0]); },
      [&](GraphBuilder& b, const auto& v) { return norm.build(b, v[0]); });
}

TEST(GraphLayers, RecurrentCellsStepByStep) {
  for (const bool lstm : {false, true}) {
    Parameters parameters = fresh(8);
    const Recurrent cell(parameters, "r", 5, 6, lstm);
    // One step from the state z (and, for the LSTM, the same as its cell).
    expect_same(
        lstm ? "lstm" : "gru", {1, 5, 6},
        [&](const auto& in) {
          std::vector<at::Tensor> states(lstm ? 2 : 1, in[1]);
          return cell(in[0].unsqueeze(1), states, false);
        },
        [&](GraphBuilder& b, const auto& v) {
          std::vector<int> states(lstm ? 2 : 1, v[1]);
          return cell.build(b, v[0], states);
        });
  }
}

TEST(GraphLayers, Transformers) {
  for (const bool causal : {false, true}) {
    Parameters parameters = fresh(9);
    const TransformerBlock block(parameters, "t", 8, 2, causal);
    expect_same(
        causal ? "causal" : "whole", {6, 8}, [&](const auto& in) { return block(in[0]); },
        [&](GraphBuilder& b, const auto& v) { return block.build(b, v[0]); }, 2e-5F);
  }
}

TEST(GraphLayers, DistancesToCodes) {
  Parameters parameters = fresh(10);
  const VectorQuantiser quantiser(parameters, "q", 7, 4, 0.9);
  expect_same(
      "nearest", {1, 4}, [&](const auto& in) { return quantiser.nearest(in[0]).to(at::kFloat); },
      [&](GraphBuilder& b, const auto& v) { return b.argmin(quantiser.build_distance(b, v[0])); });
}

TEST(Collectives, OfOneRankDoNothing) {
  Warnings warnings;
  const auto alone = connect({}, {}, warnings).value();
  EXPECT_STREQ(alone->name(), "none");
  at::Tensor x = at::randn({5});
  const at::Tensor before = x.clone();
  alone->average(x);
  alone->broadcast(x);
  EXPECT_TRUE(at::equal(x, before));
  EXPECT_TRUE(warnings.empty());
}

// A running average: after many equal batches the code is the mean of what falls to it.
TEST(Codes, FollowTheMeanOfTheirInputs) {
  Parameters parameters = fresh(11);
  VectorQuantiser quantiser(parameters, "q", 2, 2, 0.5);
  const at::Tensor z = at::cat({at::randn({50, 2}) * 0.1 + 5, at::randn({50, 2}) * 0.1 - 5});
  Collective alone;
  for (int i = 0; i < 60; ++i) {
    (void)quantiser(z, true);
    quantiser.update(alone);
  }
  const at::Tensor index = quantiser.nearest(z);
  for (const int code : {0, 1}) {
    const at::Tensor mine = z.index_select(0, at::nonzero(index == code).squeeze(1));
    ASSERT_EQ(mine.size(0), 50);
    EXPECT_LT((quantiser.codes()[code] - mine.mean(0)).abs().max().item<float>(), 1e-3F);
  }
  EXPECT_NEAR(quantiser.usage(index).item<float>(), 1, 1e-6);
}

}  // namespace
}  // namespace zoe::train
