// SPDX-License-Identifier: MIT
#include "zoe/nn/graph.h"

#include <cstring>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

#include "nn/blocks.h"
#include "nn/op_table.h"

namespace zoe::nn {
namespace {

TEST(OpTable, IsInTheOrderOfTheEnum) {
  for (const OpInfo& info : op_table()) {
    EXPECT_EQ(&op_info(info.op), &info) << info.name;
    EXPECT_EQ(find_op(info.name), &info);
  }
  EXPECT_EQ(op_table().back().op, Op::kUpsample);
}

TEST(Blocks, CoverEveryOperation) {
  std::vector<bool> seen(op_table().size());
  for (const test::Block& block : test::all_blocks()) {
    for (const Node& node : block.graph.nodes) seen[static_cast<std::size_t>(node.op)] = true;
  }
  for (const OpInfo& info : op_table()) EXPECT_TRUE(seen[static_cast<std::size_t>(info.op)]) << info.name;
}

TEST(Validate, RefusesFewerInputsThanAnOperationNeeds) {
  for (const test::Block& block : test::all_blocks()) {
    for (std::size_t n = 0; n < block.graph.nodes.size(); ++n) {
      Graph graph = block.graph;
      if (graph.nodes[n].inputs.empty()) continue;  // Constants.
      graph.nodes[n].inputs.clear();
      EXPECT_FALSE(validate(graph)) << block.name << ", node " << n;
    }
  }
}

TEST(GraphBuilder, KnowsShapes) {
  GraphBuilder b;
  const std::vector<float> w(2 * 3 * 5);
  const int x = b.input("x", 3, 9), y = b.conv1d(x, "c", {2, 3, 5}, w, {}, {.stride = 2, .padding = 1});
  EXPECT_EQ(b.shape(y), (Shape{4, 2}));
  EXPECT_EQ(b.shape(b.transpose(y)), (Shape{2, 4}));
  EXPECT_EQ(b.shape(b.concat({x, x})), (Shape{9, 6}));
}

// Each of these is one mistake; the message names what is wrong.
TEST(GraphBuilder, RefusesMistakes) {
  const std::vector<float> w(64, 1.0F);
  const auto values = [&](std::size_t n) { return std::span(w).first(n); };
  const std::vector<std::pair<const char*, std::function<int(GraphBuilder&)>>> mistakes{
      {"shape [2, 4]",
       [&](GraphBuilder& b) {
         return b.linear(b.input("x", 3), "l", {2, 4}, values(8), {});
       }},
      {"7 values",
       [&](GraphBuilder& b) {
         return b.linear(b.input("x", 4), "l", {2, 4}, values(7), {});
       }},
      {"lacks its weight",
       [&](GraphBuilder& b) {
         return b.linear(b.input("x", 4), "l", {2, 4}, {}, {});
       }},
      {"not there yet", [&](GraphBuilder& b) { return b.softmax(b.input("x", 4) + 5); }},
      {"2 columns for 3 experts",
       [&](GraphBuilder& b) {
         const int x = b.input("x", 4), g = b.input("g", 2);
         return b.expert_linear(x, g, "e", {3, 2, 4}, values(24), {});
       }},
      {"spans 5 steps",
       [&](GraphBuilder& b) {
         return b.conv1d(b.input("x", 1, 3), "c", {1, 1, 5}, values(5), {}, {});
       }},
      {"stride",
       [&](GraphBuilder& b) {
         return b.conv1d(b.input("x", 1, 3), "c", {1, 1, 2}, values(2), {}, {.stride = 0});
       }},
      {"heads",
       [&](GraphBuilder& b) {
         const int x = b.input("x", 4, 3);
         return b.attention(x, x, x, 3);
       }},
      {"columns 2 to 9", [&](GraphBuilder& b) { return b.slice(b.input("x", 4), 2, 9); }},
      {"as 3 x 3", [&](GraphBuilder& b) { return b.reshape(b.input("x", 4), 3, 3); }},
      {"groups of 3", [&](GraphBuilder& b) { return b.softmax(b.input("x", 4), 3); }},
      {"no deviation",
       [&](GraphBuilder& b) {
         const std::vector<float> zero(4, 0.0F);
         return b.normalize(b.input("x", 4), "n", values(4), zero);
       }},
      {"constant",
       [&](GraphBuilder& b) {
         b.input("x", 4);
         const int c = b.constant("c", 1, 4, values(4));
         return b.linear(c, "l", {2, 4}, values(8), {});
       }},
      {"4 and 5 columns",
       [&](GraphBuilder& b) {
         const int x = b.input("a", 4), y = b.input("b", 5);
         return b.add(x, y);
       }},
  };
  for (const auto& [part, make] : mistakes) {
    GraphBuilder b;
    b.output("y", make(b));
    const Result<Graph> graph = std::move(b).build();
    ASSERT_FALSE(graph.has_value()) << part;
    EXPECT_NE(graph.error().message.find(part), std::string::npos) << graph.error().message;
  }
}

TEST(Validate, RefusesWhatABuilderCannotMake) {
  const Graph good = test::all_blocks()[0].graph;
  EXPECT_TRUE(validate(good).has_value());
  const auto refused = [&](const std::function<void(Graph&)>& spoil) {
    Graph graph = good;
    spoil(graph);
    return !validate(graph).has_value();
  };
  EXPECT_TRUE(refused([](Graph& g) { g.inputs.clear(); }));
  EXPECT_TRUE(refused([](Graph& g) { g.outputs.clear(); }));
  EXPECT_TRUE(refused([](Graph& g) { g.outputs[0].value = 99; }));
  EXPECT_TRUE(refused([](Graph& g) { g.outputs[0].shape.width = 1; }));
  EXPECT_TRUE(refused([](Graph& g) { g.outputs.push_back(g.outputs[0]); }));
  EXPECT_TRUE(refused([](Graph& g) { g.inputs[0].shape.width = 1 << 30; }));
  EXPECT_TRUE(refused([](Graph& g) { g.inputs[0].shape.steps = 0; }));
  EXPECT_TRUE(refused([](Graph& g) { g.nodes[0].inputs[0] = 1; }));  // Its own output.
  EXPECT_TRUE(refused([](Graph& g) { g.nodes[0].inputs[0] = -1; }));
  EXPECT_TRUE(refused([](Graph& g) { g.nodes[0].inputs.push_back(0); }));
  EXPECT_TRUE(refused([](Graph& g) { g.nodes[0].weights[0] = 7; }));
  EXPECT_TRUE(refused([](Graph& g) { g.nodes[0].weights.pop_back(); }));
  EXPECT_TRUE(refused([](Graph& g) { g.weights[0].bytes.pop_back(); }));
  EXPECT_TRUE(refused([](Graph& g) { g.weights[1].name = g.weights[0].name; }));
  EXPECT_TRUE(refused([](Graph& g) { g.nodes.resize(5000, g.nodes[0]); }));
  EXPECT_TRUE(refused([](Graph& g) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(g.weights[0].bytes.data() + 8, &nan, 4);
  }));
}

}  // namespace
}  // namespace zoe::nn
