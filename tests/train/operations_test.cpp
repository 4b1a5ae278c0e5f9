// SPDX-License-Identifier: MIT
// Every operation of zoe::nn against libtorch: the definition (plain loops in double), the compiled network, libtorch's
// own functions, and the TorchScript file's program, on random sizes, settings and weights.
#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include "zoe/nn/reference.h"

#include "nn/blocks.h"
#include "train/blocks.h"
#include "train/operation_graphs.h"
#include "train/torch_graph.h"
#include "train/torchscript.h"

namespace zoe::train {
namespace {

using Values = std::vector<std::vector<float>>;

constexpr double kBound = 1e-5;
constexpr auto kNumOps = static_cast<int>(nn::Op::kUpsample) + 1;  // tests/nn/graph_test.cpp: the last of the table.

// [batch, rows, width], without the rows where `port` has a single one.
std::vector<at::Tensor> as_tensors(const nn::Graph& whole, const nn::Graph& bound, const Values& inputs, int batch) {
  std::vector<at::Tensor> tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const nn::Shape shape = bound.inputs[i].shape;
    const at::Tensor x = at::tensor(inputs[i]).reshape({batch, shape.steps, shape.width});
    tensors.push_back(whole.inputs[i].shape.rows().is(1) ? x.squeeze(1) : x);
  }
  return tensors;
}

Values run_source(const nn::Graph& graph, const std::vector<at::Tensor>& inputs) {
  const c10::NoGradGuard no_gradients;
  torch::jit::Module module("Network");
  for (std::size_t i = 0; i < graph.weights.size(); ++i) {
    const nn::Weight& weight = graph.weights[i];
    const std::vector<std::int64_t> shape(weight.shape.begin(), weight.shape.end());
    module.register_buffer("w" + std::to_string(i), at::tensor(weight.to_floats()).view(shape));
  }
  module.define(torchscript_source(graph).value());
  const c10::IValue made = module.forward({inputs.begin(), inputs.end()});
  if (made.isTensor()) return {floats_of(made.toTensor())};
  Values all;
  for (const c10::IValue& one : made.toTupleRef().elements()) all.push_back(floats_of(one.toTensor()));
  return all;
}

// Largest difference, relative above 1.
double difference(const Values& a, const Values& b) {
  double largest = a.size() == b.size() ? 0 : 1e9;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i].size() != b[i].size()) return 1e9;
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      const double error = std::abs(static_cast<double>(a[i][k]) - b[i][k]) / std::max(1.0, std::abs(double{a[i][k]}));
      largest = error <= largest ? largest : error;  // Also not a number.
    }
  }
  return std::isnan(largest) ? 1e9 : largest;
}

// whole: with dimensions that `graph` has sizes for; otherwise the same.
void expect_all_equal(const nn::Graph& whole, const nn::Graph& graph, int batch, std::uint64_t seed,
                      const std::string& what) {
  const Values inputs = zoe::test::random_inputs(graph, batch, seed);
  const Values exact = nn::run_reference(graph, batch, zoe::test::spans_of(inputs));
  EXPECT_LE(difference(exact, zoe::test::run_network(graph, batch, inputs)), kBound) << what << ", nn";
  Values torch;
  for (const at::Tensor& one : TorchGraph::make(graph).value()(as_tensors(graph, graph, inputs, batch)))
    torch.push_back(floats_of(one));
  EXPECT_LE(difference(exact, torch), kBound) << what << ", libtorch";
  EXPECT_LE(difference(exact, run_source(whole, as_tensors(whole, graph, inputs, batch))), kBound)
      << what << ", TorchScript";
}

TEST(Operations, EachEqualsLibtorch) {
  constexpr int kTries = 16;
  for (int op = 0; op < kNumOps; ++op) {
    Random random(static_cast<std::uint64_t>(op) + 1);
    for (int i = 0; i < (static_cast<nn::Op>(op) == nn::Op::kAttention ? 4 * kTries : kTries); ++i) {
      const nn::Graph graph = zoe::test::random_operation(static_cast<nn::Op>(op), random);
      bool used = false;
      for (const nn::Node& node : graph.nodes) used = used || node.op == static_cast<nn::Op>(op);
      ASSERT_TRUE(used) << op;
      expect_all_equal(graph, graph, 1 + i % 3, random.below(1U << 30U),
                       std::string(to_string(static_cast<nn::Op>(op))) + " " + std::to_string(i));
      if (HasFailure()) break;
    }
  }
}

TEST(Operations, OfTheSharedBlocks) {
  std::set<nn::Op> seen;
  for (const zoe::test::Block& block : zoe::test::all_blocks()) {
    for (const nn::Node& node : block.graph.nodes) seen.insert(node.op);
    expect_all_equal(block.graph, block.graph, 3, 11, block.name);
  }
  EXPECT_EQ(static_cast<int>(seen.size()), kNumOps);
}

// One TorchScript program for all sizes.
TEST(Operations, OfNetworksWithDimensions) {
  for (const zoe::test::DimBlock& block : zoe::test::dim_blocks()) {
    for (const auto& sizes : block.sizes)
      expect_all_equal(block.graph, nn::bind_dims(block.graph, sizes).value(), 2, 5, block.name);
  }
}

}  // namespace
}  // namespace zoe::train
