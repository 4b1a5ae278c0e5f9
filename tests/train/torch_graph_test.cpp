// SPDX-License-Identifier: MIT
#include "train/torch_graph.h"

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"

#include "nn/models.h"
#include "train/model_fixture.h"

namespace zoe::train {
namespace {

// The peer of benchmarks computes what it is compared with.
TEST(TorchGraph, EqualsTheRuntimeOnThePublishedNetworks) {
  const nn::Graph graphs[] = {
      bench::mlp_graph(45, 3),
      bench::mann_graph({.in = 50, .hidden = 43, .out = 35, .experts = 5, .gate_in = 9, .gate_hidden = 11}),
      bench::cxm_graph({.in = 33, .hidden = 37, .channels = 6, .classes = 5, .steps = 4, .out = 21})};
  for (const nn::Graph& graph : graphs) {
    const TorchGraph torch = TorchGraph::make(graph).value();
    for (const std::int64_t batch : {1, 7}) {
      const at::Tensor x = at::rand({batch, graph.inputs[0].shape.width}, at::kFloat);
      const at::Tensor theirs = torch({x})[0];
      const at::Tensor ours = run_network(graph, {x})[0].reshape_as(theirs);
      EXPECT_LT((theirs - ours).abs().max().item<float>(), 1e-5F);
    }
  }
}

TEST(TorchGraph, NamesTheDimensionWithoutASize) {
  nn::GraphBuilder b;
  const nn::RowCount frames = b.dim("frames");
  b.output("y", b.glu(b.input("x", 4, frames)));
  const auto made = TorchGraph::make(std::move(b).build().value());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "dimension 'frames' has no size: bind_dims() gives one");
}

}  // namespace
}  // namespace zoe::train
