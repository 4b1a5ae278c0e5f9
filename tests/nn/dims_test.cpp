// SPDX-License-Identifier: MIT
// Networks whose rows are bound when a state is made.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "zoe/core/file.h"
#include "zoe/core/thread_pool.h"
#include "zoe/nn/batch.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/graph_file.h"
#include "zoe/nn/network.h"
#include "zoe/nn/quantize.h"
#include "zoe/nn/reference.h"

#include "nn/blocks.h"
#include "nn/kernels/amx.h"
#include "nn/naive.h"
#include "support/allocation.h"
#include "support/data.h"
#include "support/mutate.h"

namespace zoe::nn {
namespace {

using Values = std::vector<std::vector<float>>;

Values run_with(const Network& network, NetworkState& state, int batch, const Values& inputs) {
  Values outputs;
  for (const Port& port : state.outputs())
    outputs.emplace_back(port.shape.size() * static_cast<std::size_t>(batch), -7.0F);
  const auto in = test::spans_of(inputs);
  const std::vector<std::span<float>> out(outputs.begin(), outputs.end());
  const test::AllocationMeter meter;
  const bool ran = NetworkJob{&network, &state, batch, in, out}.run();
  EXPECT_EQ(meter.allocations(), 0U);
  EXPECT_TRUE(ran);
  return outputs;
}

// One file, any sizes: the numbers of the graph with those sizes in place, bit by bit, and of the reference.
TEST(Dims, OneNetworkServesAllSizes) {
  for (const test::DimBlock& block : test::dim_blocks()) {
    for (const WeightType type : test::kWeightTypes) {
      const Graph graph = with_weight_type(block.graph, type);
      const NetworkPtr network = Network::compile(graph).value();
      for (const auto& sizes : block.sizes) {
        const Graph bound = bind_dims(graph, sizes).value();
        EXPECT_TRUE(bound.dims.empty());
        Result<NetworkState> state = make_state(*network, 3, sizes);
        ASSERT_TRUE(state) << state.error().format();
        EXPECT_EQ(network->cost(3, sizes)->state_bytes, Network::compile(bound).value()->state_bytes(3));
        EXPECT_EQ(network->cost(3, sizes)->multiply_adds, Network::compile(bound).value()->multiply_adds());
        for (const int batch : {1, 3}) {
          const Values inputs = test::random_inputs(bound, batch, 4), got = run_with(*network, *state, batch, inputs);
          EXPECT_EQ(test::largest_difference(got, test::run_network(bound, batch, inputs)), 0) << block.name;
          EXPECT_LT(test::largest_difference(got, run_reference(bound, batch, test::spans_of(inputs))),
                    type == WeightType::kF32 ? 1e-5F
                    : type == WeightType::kBF16
                        ? (kernels::use_amx() ? 1e-2F : 3e-3F)  // The matrix unit rounds rows as well.
                        : 0.05F)                                // int8: 8-bit rows.
              << block.name << ", " << to_string(type);
        }
      }
    }
  }
}

TEST(Dims, AStateIsBoundAgainWithoutMemory) {
  const test::DimBlock block = test::dim_blocks()[0];
  const NetworkPtr network = Network::compile(block.graph).value();
  NetworkState state = make_state(*network, 2, {{"frames", 9}, {"joints", 8}}).value();
  for (const auto& sizes : block.sizes) {
    const test::AllocationMeter meter;
    const char* problem = state.rebind(sizes);
    EXPECT_EQ(meter.allocations(), 0U);
    ASSERT_EQ(problem, nullptr) << problem;
    const Graph bound = bind_dims(block.graph, sizes).value();
    ASSERT_EQ(state.inputs()[0].shape, bound.inputs[0].shape);
    const Values inputs = test::random_inputs(bound, 2, 8);
    EXPECT_EQ(test::largest_difference(run_with(*network, state, 2, inputs), test::run_network(bound, 2, inputs)), 0);
  }
  const DimSize larger[] = {{"frames", 10}, {"joints", 8}}, one[] = {{"frames", 2}},
                wrong[] = {{"frames", 2}, {"bones", 2}}, none[] = {{"frames", 0}, {"joints", 2}},
                twice[] = {{"frames", 2}, {"frames", 2}};
  EXPECT_STREQ(state.rebind(larger), "these sizes need more memory than the state has: make another state");
  EXPECT_STREQ(state.rebind(one), "one size for each dimension is needed");
  EXPECT_STREQ(state.rebind(wrong), "the network has no such dimension");
  EXPECT_STREQ(state.rebind(none), "a dimension has at least 1 row");
  EXPECT_STREQ(state.rebind(twice), "one size for each dimension is needed");
  // Nothing has changed.
  const Graph bound = bind_dims(block.graph, block.sizes.back()).value();
  const Values inputs = test::random_inputs(bound, 2, 8);
  EXPECT_EQ(test::largest_difference(run_with(*network, state, 2, inputs), test::run_network(bound, 2, inputs)), 0);
}

TEST(Dims, RefusalsNameTheDimension) {
  const NetworkPtr network = Network::compile(test::dim_blocks()[0].graph).value();
  const auto reason = [&](const std::vector<DimSize>& sizes) {
    const Result<NetworkState> state = make_state(*network, 1, sizes);
    return state ? std::string("made") : state.error().message;
  };
  EXPECT_EQ(reason({{"frames", 4}, {"joints", 2}}), "made");
  EXPECT_EQ(reason({{"frames", 4}}), "dimension 'joints' has no size: state one");
  EXPECT_EQ(reason({{"frames", 4}, {"bones", 2}}), "the network has no dimension 'bones'");
  EXPECT_EQ(reason({{"frames", 4}, {"frames", 4}}), "dimension 'frames' has two sizes");
  EXPECT_EQ(reason({{"frames", 4}, {"joints", 0}}), "dimension 'joints' is 0: 1 to 65536 are possible");
  EXPECT_NE(reason({{"frames", 4000}, {"joints", 300}}).find("rows (frames*joints)"), std::string::npos);
  GraphBuilder b;
  const RowCount n = b.dim("n");
  b.output("y", b.slice_rows(b.input("x", 3, n), 2, 0));
  const NetworkPtr shorter = Network::compile(std::move(b).build().value()).value();
  EXPECT_TRUE(make_state(*shorter, 1, {{"n", 3}}));
  EXPECT_FALSE(make_state(*shorter, 1, {{"n", 2}}));
  // Lines and columns that are both negative have a positive product.
  GraphBuilder c;
  const RowCount side = c.dim("side");
  c.output("y", c.conv2d(c.input("x", 1, side * side), side, "c", {1, 1, 4, 4}, std::vector<float>(16, 1.0F), {}, {}));
  const NetworkPtr picture = Network::compile(std::move(c).build().value()).value();
  EXPECT_TRUE(make_state(*picture, 1, {{"side", 4}}));
  EXPECT_FALSE(make_state(*picture, 1, {{"side", 2}}));
  EXPECT_FALSE(make_state(*picture, 1, {{"side", 300}}));
}

TEST(Dims, FilesKeepThem) {
  const auto folder = test::temporary_dir("nn_dims");
  for (const test::DimBlock& block : test::dim_blocks()) {
    const auto path = folder / "dims.safetensors";
    ASSERT_TRUE(write_graph(path, block.graph));
    const Graph back = read_graph(path).value();
    EXPECT_EQ(back.dims, block.graph.dims);
    for (std::size_t i = 0; i < back.nodes.size(); ++i)
      EXPECT_EQ(back.nodes[i].attributes, block.graph.nodes[i].attributes) << i;
    const Graph bound = bind_dims(block.graph, block.sizes[0]).value();
    const Values inputs = test::random_inputs(bound, 2, 1);
    EXPECT_EQ(test::largest_difference(test::run_network(bind_dims(back, block.sizes[0]).value(), 2, inputs),
                                       test::run_network(bound, 2, inputs)),
              0);
    // Damaged: refused, or read and bound to small sizes.
    const MappedFile file = MappedFile::open(path).value();
    test::expect_survives_damage(block.name, file.bytes(),
                                 [](std::span<const std::byte> bytes) {
                                   const Result<Graph> graph = graph_from_bytes(bytes);
                                   if (!graph) return;
                                   std::vector<DimSize> sizes;
                                   for (const std::string& dim : graph->dims) sizes.push_back({dim, 2});
                                   const Result<Graph> small = bind_dims(*graph, sizes);
                                   const Result<NetworkPtr> network = Network::compile(*graph);
                                   if (!network) return;
                                   const auto cost = (*network)->cost(1, sizes);
                                   if (!cost || !small || cost->state_bytes > (1U << 17)) return;
                                   (void)test::run_network(*small, 1, test::random_inputs(*small, 1, 1));
                                 },
                                 {.max_ratio = 64.0});
  }
}

TEST(Dims, ProgramsThatBindNoSizesRefuseThem) {
  const auto folder = test::temporary_dir("nn_dims");
  ASSERT_TRUE(write_graph(folder / "dims.safetensors", test::dim_blocks()[0].graph));
  EXPECT_TRUE(load_network(folder / "dims.safetensors"));
  const auto refused = load_fixed_network(folder / "dims.safetensors");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  ASSERT_TRUE(write_graph(folder / "fixed.safetensors", test::all_blocks()[0].graph));
  EXPECT_TRUE(load_fixed_network(folder / "fixed.safetensors"));
}

TEST(Dims, CrowdsHaveOneSize) {
  const test::DimBlock block = test::dim_blocks()[0];
  const NetworkPtr network = Network::compile(block.graph).value();
  const Graph bound = bind_dims(block.graph, block.sizes[0]).value();
  constexpr int kBatch = 150;
  const Values inputs = test::random_inputs(bound, kBatch, 2);
  ThreadPool pool(3);
  BatchState state = make_batch_state(*network, pool, block.sizes[0]).value();
  Values outputs;
  for (const Port& port : bound.outputs) outputs.emplace_back(port.shape.size() * kBatch);
  const auto in = test::spans_of(inputs);
  const std::vector<std::span<float>> out(outputs.begin(), outputs.end());
  ASSERT_TRUE((BatchJob{network.get(), &state, kBatch, in, out}.run()));
  EXPECT_EQ(test::largest_difference(outputs, test::run_network(bound, kBatch, inputs)), 0);
  EXPECT_FALSE(make_batch_state(*network, pool, {{"frames", 3}}));
}

}  // namespace
}  // namespace zoe::nn
