// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "zoe/author/train_encoder.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/network.h"

#include "author/encoder/cut_graph.h"
#include "author/encoder/encoder_targets.h"

namespace zoe::author {
namespace {

std::vector<float> run(const nn::Graph& graph, std::vector<float> x) {
  const auto network = nn::Network::compile(graph);
  EXPECT_TRUE(network.has_value());
  nn::NetworkState state = nn::make_state(**network, 1);
  std::vector<float> y((*network)->outputs()[0].shape.size());
  const std::span<const float> in[] = {x};
  const std::span<float> out[] = {y};
  EXPECT_TRUE(
      (nn::NetworkJob{.network = network->get(), .state = &state, .batch = 1, .inputs = in, .outputs = out}.run()));
  return y;
}

nn::Graph two_layers() {
  nn::GraphBuilder b;
  const int x = b.input("x", 2);
  const int h =
      b.linear(x, "a", {2, 2}, std::array{1.0F, 2.0F, -1.0F, 0.5F}, std::array{0.5F, -3.0F}, nn::Activation::kRelu);
  b.output("y", b.linear(h, "b", {1, 2}, std::array{1.0F, 1.0F}, std::array{0.0F}));
  return *std::move(b).build();
}

TEST(CutGraph, EndsWithTheSumsOfTheLayerBefore) {
  const auto cut = cut_before_last_layer(two_layers());
  ASSERT_TRUE(cut.has_value());
  ASSERT_EQ(cut->outputs.size(), 1U);
  EXPECT_EQ(cut->outputs[0].name, "code");
  EXPECT_EQ(cut->weights.size(), 2U);  // Those of the last layer are gone.
  const std::vector<float> code = run(*cut, {1, 2});
  EXPECT_NEAR(code[0], 1 + 4 + 0.5F, 1e-6);
  EXPECT_NEAR(code[1], -1 + 1 - 3.0F, 1e-6);  // Below zero: without the activation.
}

TEST(CutGraph, RefusesOneLayer) {
  nn::GraphBuilder b;
  b.output("y", b.linear(b.input("x", 1), "a", {1, 1}, std::array{1.0F}, std::array{0.0F}));
  EXPECT_FALSE(cut_before_last_layer(*std::move(b).build()).has_value());
}

TEST(CutGraph, NormalisesAndBends) {
  nn::Graph graph = identity_graph("x", 2);
  normalise_output(graph, std::vector<float>{0, 5, 2, 5, 4, 5},
                   3);  // Mean 2, deviation 1.633; a column without spread.
  const double deviation = std::sqrt(8.0 / 3);
  EXPECT_NEAR(run(graph, {4, 5})[0], 3 * std::tanh(2 / deviation / 3), 1e-5);
  EXPECT_NEAR(run(graph, {1000, 5})[0], 3, 1e-4);
  EXPECT_NEAR(run(graph, {2, 6})[1], 0, 1e-4);
}

TEST(EncoderRows, HaveWordsFamiliesAndDamages) {
  std::vector<eval::DescribedClip> clips;
  const auto width = static_cast<std::size_t>(eval::description_width());
  for (int i = 0; i < 16; ++i) {
    eval::DescribedClip clip;
    clip.source = "clip" + std::to_string(i);
    clip.label = i < 8 ? "walk_happy" : "run";
    clip.family = i % 2 == 0 ? BodyFamily::kBiped : BodyFamily::kSnake;
    for (std::size_t v = 0; v < 1 + eval::kNumDamages; ++v) {
      eval::MotionWindows windows;
      windows.start_s = {0, 0.5};
      windows.values.assign(2 * width, 0.0F);
      windows.values[width] = 1;  // First column of the second window.
      clip.versions.push_back(std::move(windows));
    }
    clips.push_back(std::move(clip));
  }
  const EncoderRows rows = make_encoder_rows(clips);
  EXPECT_EQ(rows.words, (std::vector<std::string>{"happy", "run", "walk"}));
  EXPECT_EQ(rows.num_rows, 16 * (1 + eval::kNumDamages) * 2);
  EXPECT_EQ(rows.x.size(), rows.num_rows * width);
  EXPECT_EQ(rows.y.size(), rows.num_rows * static_cast<std::size_t>(rows.y_width));
  EXPECT_FLOAT_EQ(rows.y[0], 0.5F);  // Mean of the two windows.
  const auto tail = [&](std::size_t row) {
    return std::span(rows.y).subspan(row * static_cast<std::size_t>(rows.y_width) + width,
                                     static_cast<std::size_t>(rows.y_width) - width);
  };
  EXPECT_EQ((std::vector<float>(tail(0).begin(), tail(0).begin() + 4)), (std::vector<float>{1, 0, 1, 1}));
  float clean = 0, first_damage = 0;
  for (std::size_t c = 13; c < tail(0).size(); ++c) clean += tail(0)[c], first_damage += tail(2)[c];
  EXPECT_EQ(clean, 0);
  EXPECT_GT(first_damage, 0);
}

TEST(EncoderRows, HoldOutAFractionOfTheFiles) {
  int held = 0;
  for (int i = 0; i < 2000; ++i) held += is_held_out("folder/" + std::to_string(i) + ".bvh", 0.2) ? 1 : 0;
  EXPECT_NEAR(held, 400, 60);
  EXPECT_FALSE(is_held_out("a", 0));
}

}  // namespace
}  // namespace zoe::author
