// SPDX-License-Identifier: MIT
// The models that we write, before two judges: the ONNX project's own checker, and ONNX Runtime.
#include "zoe/nn/onnx.h"

#include <map>

#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include "zoe/nn/graph_builder.h"

#include "nn/blocks.h"
#include "nn/models.h"
#include "nn/onnxruntime.h"
#include "nn/transformer.h"

namespace zoe::nn {
namespace {

using bench::OnnxSession;
using Experts = OnnxOptions::Experts;

std::vector<std::int64_t> dims_of(Shape shape, int batch) {
  if (shape.steps == 1) return {batch, shape.width};
  return {batch, shape.steps, shape.width};
}

std::vector<std::vector<float>> run_onnx(const Graph& graph, const OnnxOptions& options, int batch,
                                         std::vector<std::vector<float>> inputs, const Graph* free = nullptr) {
  // free: the model is that of this graph, whose rows are free.
  std::vector<std::vector<float>> outputs;
  const auto dims_of_port = [&](const Port& port, const std::vector<Port>* ports, std::size_t i) {
    if (ports != nullptr && (*ports)[i].shape.steps != 1)
      return std::vector<std::int64_t>{batch, port.shape.steps, port.shape.width};
    return dims_of(port.shape, batch);
  };
  std::vector<OnnxSession::Tensor> in, out;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    in.push_back({graph.inputs[i].name, dims_of_port(graph.inputs[i], free ? &free->inputs : nullptr, i), inputs[i]});
  for (const Port& port : graph.outputs)
    outputs.emplace_back(port.shape.size() * static_cast<std::size_t>(batch), -77.0F);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    out.push_back(
        {graph.outputs[i].name, dims_of_port(graph.outputs[i], free ? &free->outputs : nullptr, i), outputs[i]});
  const std::string model = to_onnx(free != nullptr ? *free : graph, options).value();
  auto session = OnnxSession::open(model, in, out);
  if (!session) {
    ADD_FAILURE() << session.error().message;
    return {};
  }
  EXPECT_EQ(session->run(), "");
  return outputs;
}

std::vector<test::Block> blocks_and_models() {
  std::vector<test::Block> blocks = test::all_blocks();
  blocks.push_back({"mlp", bench::mlp_graph(45, 3)});
  blocks.push_back(
      {"mann of experts",
       bench::mann_graph({.in = 50, .hidden = 43, .out = 35, .experts = 5, .gate_in = 9, .gate_hidden = 11})});
  blocks.push_back(
      {"cxm", bench::cxm_graph({.in = 33, .hidden = 37, .channels = 6, .classes = 5, .steps = 4, .out = 21})});
  return blocks;
}

TEST(Onnx, RuntimeGivesOurNumbersOnEveryBlock) {
  if (bench::find_onnxruntime().empty()) GTEST_SKIP() << "ONNX Runtime is not there: run tests/node/install.sh";
  for (const test::Block& block : blocks_and_models()) {
    for (const Experts experts : {Experts::kBlendOutputs, Experts::kBlendWeights}) {
      if (experts == Experts::kBlendWeights && block.name.find("expert") == std::string::npos) continue;
      for (const int batch : {1, 64}) {
        const auto inputs = test::random_inputs(block.graph, batch, static_cast<std::uint64_t>(batch));
        const auto ours = test::run_network(block.graph, batch, inputs);
        EXPECT_LT(test::largest_difference(ours, run_onnx(block.graph, {experts}, batch, inputs)), 1e-5F)
            << block.name << ", batch " << batch;
      }
    }
  }
}

// One model with free axes, at several sizes.
TEST(Onnx, RuntimeGivesOurNumbersWithDimensions) {
  if (bench::find_onnxruntime().empty()) GTEST_SKIP() << "ONNX Runtime is not there: run tests/node/install.sh";
  for (const test::DimBlock& block : test::dim_blocks()) {
    for (const auto& sizes : block.sizes) {
      for (const int batch : {1, 3}) {
        const Graph bound = bind_dims(block.graph, sizes).value();
        const auto inputs = test::random_inputs(bound, batch, 6);
        EXPECT_LT(test::largest_difference(test::run_network(bound, batch, inputs),
                                           run_onnx(bound, {}, batch, inputs, &block.graph)),
                  1e-5F)
            << block.name << ", batch " << batch;
      }
    }
  }
}

TEST(Onnx, RuntimeGivesOurNumbersOfATransformer) {
  if (bench::find_onnxruntime().empty()) GTEST_SKIP() << "ONNX Runtime is not there: run tests/node/install.sh";
  const DimSize sizes[] = {{"frames", 17}, {"joints", 13}};
  const Graph graph = bind_dims(bench::transformer_graph({.width = 64, .hidden = 96, .layers = 2}), sizes).value();
  const auto inputs = test::random_inputs(graph, 2, 1);
  EXPECT_LT(test::largest_difference(test::run_network(graph, 2, inputs), run_onnx(graph, {}, 2, inputs)), 2e-5F);
}

TEST(Onnx, CheckerAndShapeInferenceAcceptEveryBlock) {
  std::vector<test::Block> blocks = blocks_and_models();
  for (test::DimBlock& block : test::dim_blocks()) blocks.push_back({block.name, std::move(block.graph)});
  for (const test::Block& block : blocks) {
    for (const Experts experts : {Experts::kBlendOutputs, Experts::kBlendWeights}) {
      ::onnx::ModelProto model;
      ASSERT_TRUE(model.ParseFromString(to_onnx(block.graph, {experts}).value())) << block.name;
      EXPECT_EQ(model.ir_version(), 8);
      ASSERT_EQ(model.opset_import_size(), 1);
      EXPECT_EQ(model.opset_import(0).version(), 15);
      EXPECT_EQ(model.opset_import(0).domain(), "");
      try {
        ::onnx::checker::check_model(model);
        // Strict, and what we say about outputs must fit what is inferred.
        ::onnx::ShapeInferenceOptions options{true, 1, true};
        ::onnx::shape_inference::InferShapes(model, ::onnx::OpSchemaRegistry::Instance(), options);
      } catch (const std::exception& error) {
        ADD_FAILURE() << block.name << ": " << error.what();
      }
    }
  }
}

// Shapes found without what we declare: the declared ones are taken away first.
TEST(Onnx, InferredOutputsHaveOurShapes) {
  for (const test::Block& block : test::all_blocks()) {
    if (block.name.starts_with("concat"))
      continue;  // Its constant takes the batch from a shape that is known at run time only.
    ::onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(to_onnx(block.graph).value()));
    for (auto& output : *model.mutable_graph()->mutable_output())
      output.mutable_type()->mutable_tensor_type()->clear_shape();
    ::onnx::shape_inference::InferShapes(model);
    for (int i = 0; i < model.graph().output_size(); ++i) {
      const auto& shape = model.graph().output(i).type().tensor_type().shape();
      const Shape ours = block.graph.outputs[static_cast<std::size_t>(i)].shape;
      ASSERT_EQ(shape.dim_size(), ours.steps == 1 ? 2 : 3) << block.name;
      EXPECT_EQ(shape.dim(shape.dim_size() - 1).dim_value(), ours.width) << block.name;
      if (ours.steps > 1) {
        EXPECT_EQ(shape.dim(1).dim_value(), ours.steps) << block.name;
      }
      EXPECT_EQ(shape.dim(0).dim_value(), 0) << block.name << " lost its free batch";
    }
  }
}

TEST(Onnx, KeepsNamesAndMetadata) {
  GraphBuilder b;
  const std::vector<float> w(6, 0.5F), bias(2, 1.0F);
  // Names that the writer would choose itself, and one for two things.
  b.output("Gemm_out_0", b.linear(b.input("number", 3), "number", {2, 3}, w, bias, Activation::kGelu));
  b.set_metadata("layout", R"({"fps": 60})");
  b.set_metadata("licence", "CC0");
  const Graph graph = std::move(b).build().value();
  ::onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(to_onnx(graph).value()));
  EXPECT_NO_THROW(::onnx::checker::check_model(model));
  EXPECT_EQ(model.graph().input(0).name(), "number");
  EXPECT_EQ(model.graph().output(0).name(), "Gemm_out_0");
  EXPECT_EQ(model.graph().input(0).type().tensor_type().shape().dim(0).dim_param(), "batch");
  std::map<std::string, std::string> properties;
  for (const auto& entry : model.metadata_props()) properties[entry.key()] = entry.value();
  EXPECT_EQ(properties, (std::map<std::string, std::string>{{"layout", R"({"fps": 60})"}, {"licence", "CC0"}}));
}

TEST(Onnx, RefusesAnInvalidGraph) {
  Graph graph = test::all_blocks()[0].graph;
  graph.nodes[0].inputs[0] = 7;
  EXPECT_FALSE(to_onnx(graph));
}

}  // namespace
}  // namespace zoe::nn
