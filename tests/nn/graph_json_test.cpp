// SPDX-License-Identifier: MIT
#include "nn/graph_json.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "zoe/nn/graph_file.h"
#include "zoe/store/safetensors.h"

#include "nn/blocks.h"

namespace zoe::nn {
namespace {

constexpr std::string_view kSmall = R"({"version":1,"inputs":[{"name":"x","steps":1,"width":2}],)"
                                    R"("nodes":[{"op":"activation","in":[0],"activation":"elu"}],)"
                                    R"("outputs":[{"name":"y","value":1}]})";

std::string replaced(std::string_view from, std::string_view to) {
  std::string text(kSmall);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string reason(std::string_view json) {
  const Result<Graph> graph = graph_from_json(json);
  return graph ? "accepted" : graph.error().message;
}

// They were written by a JSON library.
TEST(GraphJson, ShippedNetworksKeepTheirText) {
  const char* source = std::getenv("ZOE_SOURCE_DIR");
  const std::filesystem::path models = std::filesystem::path(source != nullptr ? source : ".") / "models";
  int networks = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    if (entry.path().extension() != ".safetensors") continue;
    const auto file = Safetensors::open(entry.path());
    ASSERT_TRUE(file) << file.error().format();
    const auto text = file->metadata().find(kGraphKey);
    if (text == file->metadata().end()) continue;
    ++networks;
    const Result<Graph> graph = graph_from_json(text->second);
    ASSERT_TRUE(graph) << graph.error().format();
    EXPECT_EQ(graph_to_json(*graph), text->second) << entry.path();
  }
  EXPECT_GE(networks, 2);
}

TEST(GraphJson, EveryBlockReadsBackAsTheSameText) {
  for (const test::Block& block : test::all_blocks()) {
    const std::string text = graph_to_json(block.graph);
    const Result<Graph> graph = graph_from_json(text);
    ASSERT_TRUE(graph) << block.name << ": " << graph.error().format();
    EXPECT_EQ(graph_to_json(*graph), text) << block.name;
  }
}

TEST(GraphJson, TheOrderOfMembersDoesNotMatter) {
  const std::string one = R"({"op":"linear","in":[0],"weights":{"weight":"w","bias":"b"}})";
  const std::string other = R"({"weights":{"bias":"b","weight":"w"},"in":[0],"op":"linear"})";
  const std::string node = R"({"op":"activation","in":[0],"activation":"elu"})";
  const Result<Graph> a = graph_from_json(replaced(node, one)), b = graph_from_json(replaced(node, other));
  ASSERT_TRUE(a && b) << reason(replaced(node, one));
  ASSERT_EQ(a->weights.size(), 2U);
  EXPECT_EQ(a->weights[0].name, b->weights[0].name);
  EXPECT_EQ(graph_to_json(*a), graph_to_json(*b));
}

TEST(GraphJson, RefusalsNameTheirReason) {
  EXPECT_EQ(reason(kSmall), "accepted");
  EXPECT_EQ(reason("[]"), "the network is not a JSON object");
  EXPECT_EQ(reason("{"), "the network's description is not valid JSON");
  EXPECT_EQ(reason(replaced("\"width\":2", "\"width\":2.0")), "'width' must be a whole number");
  EXPECT_EQ(reason(replaced("\"width\":2", "\"width\":3000000000")), "'width' is out of range");
  EXPECT_EQ(reason(replaced("\"width\":2", "\"other\":2")), "'width' is missing");
  EXPECT_EQ(reason(replaced("\"name\":\"y\"", "\"name\":\"\"")), "'name' must be a text of 1 to 256 bytes");
  EXPECT_EQ(reason(replaced("\"in\":[0]", "\"in\":0")), "node 0: activation: 'in' must be a list of values");
  EXPECT_EQ(reason(replaced("\"in\":[0]", "\"in\":[0],\"in\":[0]")), "node 0: 'in' appears twice");
  EXPECT_EQ(reason(replaced("\"activation\":\"elu\"", "\"alpha\":1e999")), "node 0: an attribute must be a number");
  EXPECT_EQ(reason(replaced("\"elu\"", "\"elo\"")), "node 0: unknown activation 'elo'");
  EXPECT_EQ(reason(replaced("\"in\":[0]", "\"in\":[[[[[0]]]]]")), "the network's description is nested too deeply");
  EXPECT_EQ(reason(std::string(9 << 20, ' ')), "the network's description exceeds 8 MB");
}

}  // namespace
}  // namespace zoe::nn
