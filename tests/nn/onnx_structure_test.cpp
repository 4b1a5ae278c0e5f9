// SPDX-License-Identifier: MIT
// The bytes of exported models, read by a small protobuf reader of our own: names, shapes, tensors, wiring.
// onnx_test.cpp has the ONNX project's checker and runtime read them too, where they are installed.
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/onnx.h"

#include "nn/blocks.h"
#include "nn/onnx_reader.h"
#include "nn/random_graph.h"

namespace zoe::nn {
namespace {

using test::numbers;
using test::OnnxModel;
using test::OnnxNode;
using test::parse;
using test::texts;

// Every name is made once, before it is read; every tensor has as many bytes as its shape says.
void expect_sound(const OnnxModel& model, const std::string& what) {
  EXPECT_EQ(model.ir_version, 8);
  EXPECT_EQ(model.opset, 15);
  std::set<std::string> known;
  for (const auto& [name, shape] : model.inputs) EXPECT_TRUE(known.insert(name).second) << what;
  for (const auto& [name, fields] : model.tensors) {
    EXPECT_TRUE(known.insert(name).second) << what;
    std::size_t items = 1;
    for (const std::int64_t dim : numbers(fields, 1)) items *= static_cast<std::size_t>(dim);
    const std::int64_t type = numbers(fields, 2).at(0);
    ASSERT_TRUE(type == 1 || type == 7) << what;
    EXPECT_EQ(texts(fields, 9).at(0).size(), items * (type == 1 ? 4 : 8)) << what << ", " << name;
  }
  for (const OnnxNode& node : model.nodes) {
    for (const std::string& input : node.inputs)
      EXPECT_TRUE(input.empty() || known.contains(input)) << what << ": " << input;
    for (const std::string& output : node.outputs) EXPECT_TRUE(known.insert(output).second) << what << ": " << output;
  }
  for (const auto& [name, shape] : model.outputs) EXPECT_TRUE(known.contains(name)) << what;
}

TEST(OnnxStructure, EveryBlockIsWiredSoundly) {
  for (const test::Block& block : test::all_blocks()) {
    for (const auto experts : {OnnxOptions::Experts::kBlendOutputs, OnnxOptions::Experts::kBlendWeights}) {
      expect_sound(parse(to_onnx(block.graph, {.experts = experts}).value()), block.name);
    }
  }
}

TEST(OnnxStructure, RandomGraphsAreWiredSoundly) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Graph graph = test::random_graph(seed);
    const OnnxModel model = parse(to_onnx(graph).value());
    expect_sound(model, std::to_string(seed));
    EXPECT_EQ(model.inputs.size(), graph.inputs.size());
    EXPECT_EQ(model.outputs.size(), graph.outputs.size());
  }
}

TEST(OnnxStructure, PortsHaveAFreeBatchAndStepsWhereThereAreAny) {
  GraphBuilder b;
  const int x = b.input("x", 3, 5), h = b.input("h", 3);
  b.output("h", b.add(x, h));  // Called like an input.
  const OnnxModel model = parse(to_onnx(std::move(b).build().value()).value());
  EXPECT_EQ(model.inputs, (std::map<std::string, std::string>{{"x", "batch,5,3"}, {"h", "batch,3"}}));
  EXPECT_EQ(model.outputs, (std::map<std::string, std::string>{{"h_1", "batch,5,3"}}));
}

TEST(OnnxStructure, WeightsAreStoredAsTheyAre) {
  GraphBuilder b;
  const std::vector<float> w{1, 2, 3, 4, 5, 6}, c{7, 8};
  b.output("y", b.linear(b.input("x", 3), "l", {2, 3}, w, c, Activation::kRelu));
  b.set_metadata("licence", "CC0");
  const OnnxModel model = parse(to_onnx(std::move(b).build().value()).value());
  ASSERT_TRUE(model.tensors.contains("l.weight"));
  const auto& tensor = model.tensors.at("l.weight");
  EXPECT_EQ(numbers(tensor, 1), (std::vector<std::int64_t>{2, 3}));
  std::vector<float> stored(6);
  std::memcpy(stored.data(), texts(tensor, 9)[0].data(), 24);
  EXPECT_EQ(stored, w);
  std::vector<std::string> ops;
  for (const OnnxNode& node : model.nodes) ops.push_back(node.op);
  EXPECT_EQ(ops, (std::vector<std::string>{"Gemm", "Relu", "Identity"}));
  EXPECT_EQ(model.nodes[0].inputs, (std::vector<std::string>{"x", "l.weight", "l.bias"}));
  EXPECT_EQ(model.properties, (std::map<std::string, std::string>{{"licence", "CC0"}}));
}

TEST(OnnxStructure, BytesAreTheSameEveryTime) {
  const Graph graph = test::random_graph(7);
  EXPECT_EQ(to_onnx(graph).value(), to_onnx(graph).value());
}

}  // namespace
}  // namespace zoe::nn
