// SPDX-License-Identifier: MIT
#include "zoe/nn/graph_file.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/network.h"
#include "zoe/nn/quantize.h"

#include "nn/blocks.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::nn {
namespace {

std::filesystem::path folder() {
  static const std::filesystem::path path = test::temporary_dir("nn_graph_file");
  return path;
}

TEST(GraphFile, EveryBlockComesBackAsItWas) {
  for (test::Block& block : test::all_blocks()) {
    block.graph.metadata["layout"] = R"({"fps": 30})";
    block.graph.metadata["licence"] = "CC0";
    const auto path = folder() / (block.name + ".safetensors");
    ASSERT_TRUE(write_graph(path, block.graph).has_value());
    const Result<Graph> back = read_graph(path);
    ASSERT_TRUE(back.has_value()) << block.name << ": " << back.error().format();
    EXPECT_EQ(back->metadata, block.graph.metadata);
    ASSERT_EQ(back->nodes.size(), block.graph.nodes.size());
    for (std::size_t i = 0; i < back->nodes.size(); ++i)
      EXPECT_EQ(back->nodes[i].attributes, block.graph.nodes[i].attributes) << block.name;
    const auto inputs = test::random_inputs(block.graph, 2, 9);
    EXPECT_EQ(test::largest_difference(test::run_network(*back, 2, inputs), test::run_network(block.graph, 2, inputs)),
              0);
  }
}

TEST(GraphFile, WeightsOfEveryTypeComeBackAsTheyWere) {
  for (const test::Block& block : test::all_blocks()) {
    for (const WeightType type : {WeightType::kF32, WeightType::kBF16, WeightType::kI8}) {
      const Graph graph = with_weight_type(block.graph, type);
      const auto path = folder() / "typed.safetensors";
      ASSERT_TRUE(write_graph(path, graph).has_value());
      const Result<Graph> back = read_graph(path);
      ASSERT_TRUE(back.has_value()) << block.name << ": " << back.error().format();
      ASSERT_EQ(back->weights.size(), graph.weights.size());
      for (const Weight& expected : graph.weights) {  // Files sort them by name.
        const auto at = std::ranges::find(back->weights, expected.name, &Weight::name);
        ASSERT_NE(at, back->weights.end()) << expected.name;
        const Weight& found = *at;
        EXPECT_EQ(found.type, expected.type) << block.name;
        EXPECT_EQ(found.shape, expected.shape);
        EXPECT_EQ(found.bytes, expected.bytes);
        EXPECT_EQ(found.scales, expected.scales);
        EXPECT_EQ(found.scale_axes, expected.scale_axes);
      }
    }
  }
}

// A file with one text replaced in its graph; sizes stay the same.
Result<Graph> with(std::string_view from, std::string_view to) {
  GraphBuilder b;
  const std::vector<float> w(12, 0.5F);
  b.output("y", b.linear(b.input("x", 4), "l", {3, 4}, w, {}, Activation::kElu));
  const auto path = folder() / "small.safetensors";
  EXPECT_TRUE(write_graph(path, std::move(b).build().value()).has_value());
  std::string bytes(MappedFile::open(path).value().text());
  if (!from.empty()) {
    const std::size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    EXPECT_EQ(from.size(), to.size());
    if (at != std::string::npos) bytes.replace(at, from.size(), to);
  }
  return graph_from_bytes(as_bytes(bytes), "small.safetensors");
}

void expect_refused(std::string_view from, std::string_view to, ErrorCode code, std::string_view part) {
  const Result<Graph> graph = with(from, to);
  ASSERT_FALSE(graph.has_value()) << to;
  EXPECT_EQ(graph.error().code, code) << graph.error().format();
  EXPECT_NE(graph.error().message.find(part), std::string::npos) << graph.error().message;
  EXPECT_EQ(graph.error().where.file, "small.safetensors");
}

TEST(GraphFile, RefusesEachFault) {
  ASSERT_TRUE(with("", "").has_value());
  expect_refused(R"(\"version\":1)", R"(\"version\":9)", ErrorCode::kUnsupported, "version 9");
  expect_refused(R"(\"op\":\"linear\")", R"(\"op\":\"lineer\")", ErrorCode::kUnsupported, "did you mean 'linear'");
  expect_refused(R"(\"activation\":\"elu\")", R"(\"activation\":\"ela\")", ErrorCode::kInvalid, "activation 'ela'");
  expect_refused(R"(\"activation\":\"elu\")", R"(\"actuvation\":\"elu\")", ErrorCode::kInvalid,
                 "no attribute 'actuvation'");
  expect_refused(R"(\"weight\":\"l.weight\")", R"(\"weight\":\"l.weighs\")", ErrorCode::kInvalid,
                 "no tensor 'l.weighs'");
  expect_refused(R"(\"weight\":)", R"(\"heavy!\":)", ErrorCode::kInvalid, "no weight called");
  expect_refused(R"(\"in\":[0])", R"(\"in\":[1])", ErrorCode::kInvalid, "not there yet");
  expect_refused(R"(\"in\":[0])", R"(\"in\":[a])", ErrorCode::kSyntax, "JSON");
  expect_refused(R"(\"width\":4)", R"(\"width\":5)", ErrorCode::kInvalid, "shape [3, 4]");
  expect_refused(R"(\"value\":1)", R"(\"value\":2)", ErrorCode::kInvalid, "not there");
  expect_refused(R"(\"outputs\")", R"(\"outpots\")", ErrorCode::kInvalid, "'outputs'");
  expect_refused("zoe.network", "zoe.nutwork", ErrorCode::kUnsupported, "without a network");
}

TEST(GraphFile, AFlippedBitOfAnyWeightIsTold) {
  ASSERT_TRUE(with("", "").has_value());
  std::string bytes(MappedFile::open(folder() / "small.safetensors").value().text());
  constexpr std::size_t kWeightBytes = 12 * sizeof(float);
  for (std::size_t i = bytes.size() - kWeightBytes; i < bytes.size(); ++i) {
    bytes[i] ^= 1;
    const Result<Graph> graph = graph_from_bytes(as_bytes(bytes), "flipped");
    ASSERT_FALSE(graph.has_value()) << i;
    EXPECT_NE(graph.error().message.find("checksum"), std::string::npos) << graph.error().message;
    bytes[i] ^= 1;
  }
  // A file that states none is read.
  EXPECT_TRUE(with("zoe.checksum", "zoe.checksun").has_value());
}

TEST(GraphFile, RefusesDeepNesting) {
  const std::vector<float> w(1, 1.0F);
  Metadata metadata;
  metadata[kGraphKey] = std::string(100'000, '[');
  const auto path = folder() / "deep.safetensors";
  const NamedArray tensor{"w", view_of(w)};
  ASSERT_TRUE(write_safetensors(path, {&tensor, 1}, metadata).has_value());
  const Result<Graph> graph = read_graph(path);
  ASSERT_FALSE(graph.has_value());
  EXPECT_EQ(graph.error().code, ErrorCode::kLimit);
}

// Cut at every place and with bytes changed: refused or read, never a crash; what is read also runs.
TEST(GraphFile, SurvivesDamage) {
  std::vector<test::Block> blocks;
  for (test::Block& block : test::all_blocks()) {
    if (block.name == "expert_linear") {
      blocks.push_back({"int8", with_weight_type(block.graph, WeightType::kI8)});
      blocks.push_back({"bfloat16", with_weight_type(block.graph, WeightType::kBF16)});
    } else if (block.name != "attention_heads" && block.name != "conv1d_strided") {
      continue;
    }
    blocks.push_back(std::move(block));
  }
  for (const test::Block& block : blocks) {
    const auto path = folder() / "damage.safetensors";
    ASSERT_TRUE(write_graph(path, block.graph).has_value());
    const MappedFile file = MappedFile::open(path).value();
    test::expect_survives_damage(block.name, file.bytes(),
                                 [](std::span<const std::byte> bytes) {
                                   const Result<Graph> graph = graph_from_bytes(bytes);
                                   if (!graph) return;
                                   const Result<NetworkPtr> network = Network::compile(*graph);
                                   if (!network || (*network)->state_bytes(1) > (1U << 16)) return;
                                   (void)test::run_network(*graph, 1, test::random_inputs(*graph, 1, 1));
                                 },
                                 {.max_ratio = 32.0});
  }
}

}  // namespace
}  // namespace zoe::nn
