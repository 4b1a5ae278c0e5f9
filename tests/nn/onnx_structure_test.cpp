// SPDX-License-Identifier: MIT
// The bytes of exported models, read by a small protobuf reader of our own: names, shapes, tensors, wiring.
// onnx_test.cpp has the ONNX project's checker and runtime read them too, where they are installed.
#include <cstring>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/onnx.h"

#include "nn/blocks.h"
#include "nn/random_graph.h"

namespace zoe::nn {
namespace {

struct Field {
  std::uint64_t number = 0;
  std::string bytes;
};
// Fields of a message by their number, in order; throws where the bytes are no message.
std::multimap<int, Field> fields_of(const std::string& message) {
  std::multimap<int, Field> out;
  std::size_t at = 0;
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(message.at(at++));
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
  };
  while (at < message.size()) {
    const std::uint64_t key = varint();
    Field field;
    if ((key & 7U) == 0) {
      field.number = varint();
    } else {
      const std::size_t size = (key & 7U) == 5 ? 4 : varint();
      if (at + size > message.size()) throw std::out_of_range("field");
      field.bytes = message.substr(at, size);
      at += size;
    }
    out.emplace(static_cast<int>(key >> 3U), std::move(field));
  }
  return out;
}
std::vector<std::string> texts(const std::multimap<int, Field>& fields, int number) {
  std::vector<std::string> out;
  for (auto [at, end] = fields.equal_range(number); at != end; ++at) out.push_back(at->second.bytes);
  return out;
}
std::vector<std::int64_t> numbers(const std::multimap<int, Field>& fields, int number) {
  std::vector<std::int64_t> out;
  for (auto [at, end] = fields.equal_range(number); at != end; ++at) {
    out.push_back(static_cast<std::int64_t>(at->second.number));
  }
  return out;
}

struct OnnxNode {
  std::vector<std::string> inputs, outputs;
  std::string op;
};
struct OnnxModel {
  std::vector<OnnxNode> nodes;
  std::map<std::string, std::multimap<int, Field>> tensors;
  std::map<std::string, std::string> inputs, outputs;  // Name to "batch,3,4".
  std::map<std::string, std::string> properties;
  std::int64_t ir_version = 0, opset = 0;
};
std::pair<std::string, std::string> port_of(const std::string& bytes) {
  const auto info = fields_of(bytes);
  const auto tensor = fields_of(texts(fields_of(texts(info, 2).at(0)), 1).at(0));
  EXPECT_EQ(numbers(tensor, 1), std::vector<std::int64_t>{1});  // Floats.
  std::string shape;
  for (const std::string& dim : texts(fields_of(texts(tensor, 2).at(0)), 1)) {
    const auto one = fields_of(dim);
    if (!shape.empty()) shape += ",";
    shape += texts(one, 2).empty() ? std::to_string(numbers(one, 1).at(0)) : texts(one, 2)[0];
  }
  return {texts(info, 1).at(0), shape};
}
OnnxModel parse(const std::string& bytes) {
  OnnxModel out;
  const auto model = fields_of(bytes);
  out.ir_version = numbers(model, 1).at(0);
  out.opset = numbers(fields_of(texts(model, 8).at(0)), 2).at(0);
  for (const std::string& property : texts(model, 14)) {
    out.properties[texts(fields_of(property), 1).at(0)] = texts(fields_of(property), 2).at(0);
  }
  const auto graph = fields_of(texts(model, 7).at(0));
  for (const std::string& node : texts(graph, 1)) {
    const auto fields = fields_of(node);
    out.nodes.push_back({texts(fields, 1), texts(fields, 2), texts(fields, 4).at(0)});
  }
  for (const std::string& tensor : texts(graph, 5)) {
    const auto fields = fields_of(tensor);
    EXPECT_TRUE(out.tensors.emplace(texts(fields, 8).at(0), fields).second) << "a tensor's name twice";
  }
  for (const std::string& port : texts(graph, 11)) out.inputs.insert(port_of(port));
  for (const std::string& port : texts(graph, 12)) out.outputs.insert(port_of(port));
  return out;
}

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
    for (const std::string& input : node.inputs) EXPECT_TRUE(known.contains(input)) << what << ": " << input;
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
