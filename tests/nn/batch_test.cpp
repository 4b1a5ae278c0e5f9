// SPDX-License-Identifier: MIT
#include "zoe/nn/batch.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/quantize.h"

#include "nn/blocks.h"
#include "support/allocation.h"
#include "support/executors.h"
#include "support/pool.h"

namespace zoe::nn {
namespace {

// A gate and experts, as a crowd's network has; wider than one block of inputs.
Graph small_mann(WeightType type) {
  Random random(5);
  GraphBuilder b;
  const auto values = [&](std::size_t n, std::size_t in) {
    return test::random_values(random, n, 1.7F / std::sqrt(static_cast<float>(in)));
  };
  const int x = b.input("x", 530);
  const int gate = b.softmax(b.linear(b.slice(x, 0, 19), "gate", {4, 19}, values(4 * 19, 19), values(4, 1)));
  const int h =
      b.expert_linear(x, gate, "main0", {4, 70, 530}, values(4 * 70 * 530, 530), values(4 * 70, 1), Activation::kElu);
  b.output("y", b.expert_linear(h, gate, "main1", {4, 37, 70}, values(4 * 37 * 70, 70), values(4 * 37, 1)));
  return with_weight_type(std::move(b).build().value(), type);
}

std::vector<std::vector<float>> run_batch(const Network& network, BatchState& state, int batch,
                                          const std::vector<std::vector<float>>& inputs) {
  std::vector<std::vector<float>> values;
  for (const Port& port : network.outputs())
    values.emplace_back(port.shape.size() * static_cast<std::size_t>(batch), -1.0F);
  const std::vector<std::span<float>> out(values.begin(), values.end());
  const auto in = test::spans_of(inputs);
  const BatchJob job{.network = &network, .state = &state, .batch = batch, .inputs = in, .outputs = out};
  EXPECT_EQ(job.validate(), nullptr);
  EXPECT_TRUE(job.run());
  return values;
}

// Items [first, first + count) of each.
std::vector<std::vector<float>> part_of(const std::vector<std::vector<float>>& values, std::span<const Port> ports,
                                        int first, int count) {
  std::vector<std::vector<float>> part;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto n = static_cast<long>(ports[i].shape.size());
    part.emplace_back(values[i].begin() + first * n, values[i].begin() + (first + count) * n);
  }
  return part;
}

TEST(Batch, ItemsDependNeitherOnTheBatchNorOnThreads) {
  constexpr int kBatch = 1001;
  for (const WeightType type : {WeightType::kF32, WeightType::kBF16, WeightType::kI8}) {
    const Graph graph = small_mann(type);
    const NetworkPtr network = Network::compile(graph).value();
    const auto inputs = test::random_inputs(graph, kBatch, 9);
    ThreadPool alone(0), four(3);
    BatchState one_state = make_batch_state(*network, alone), four_state = make_batch_state(*network, four);
    EXPECT_EQ(four_state.num_threads(), 4);
    const auto all = run_batch(*network, one_state, kBatch, inputs);
    EXPECT_EQ(run_batch(*network, four_state, kBatch, inputs), all) << to_string(type);  // Bit by bit.
    // Executors of a game's own, which run pieces in another order and elsewhere.
    test::ReversedExecutor reversed;
    test::FreshThreadsExecutor fresh(3);
    BatchState reversed_state = make_batch_state(*network, reversed), fresh_state = make_batch_state(*network, fresh);
    EXPECT_EQ(run_batch(*network, reversed_state, kBatch, inputs), all) << to_string(type);
    EXPECT_EQ(run_batch(*network, fresh_state, kBatch, inputs), all) << to_string(type);
    EXPECT_EQ(reversed.runs, 1);
    EXPECT_EQ(fresh.runs, 1);
    for (const int batch : {1, 2, 11, 13, 95, 96, 97, 500}) {
      const auto some = run_batch(*network, four_state, batch, part_of(inputs, network->inputs(), 501 - batch, batch));
      EXPECT_LT(test::largest_difference(some, part_of(all, network->outputs(), 501 - batch, batch)), 1e-5F)
          << to_string(type) << ", batch " << batch;
    }
    EXPECT_LT(test::largest_difference(test::run_network(graph, kBatch, inputs), all), 1e-5F) << to_string(type);
  }
}

// Every operation: some have rows of their own for each step of time.
TEST(Batch, EqualsTheNetworkOnEveryBlock) {
  ThreadPool pool(1);
  for (const test::Block& block : test::all_blocks()) {
    const NetworkPtr network = Network::compile(block.graph).value();
    BatchState state = make_batch_state(*network, pool);
    const int batch = 2 * state.piece() + 5;
    const auto inputs = test::random_inputs(block.graph, batch, 4);
    EXPECT_LT(test::largest_difference(run_batch(*network, state, batch, inputs),
                                       test::run_network(block.graph, batch, inputs)),
              1e-5F)
        << block.name;
  }
}

TEST(Batch, RunsWithoutTheHeap) {
  const Graph graph = small_mann(WeightType::kF32);
  const NetworkPtr network = Network::compile(graph).value();
  ThreadPool pool(1);
  BatchState state = make_batch_state(*network, pool);
  const auto inputs = test::random_inputs(graph, 300, 1);
  std::vector<float> values(network->outputs()[0].shape.size() * 300);
  const std::span<float> out[] = {values};
  const auto in = test::spans_of(inputs);
  const BatchJob job{.network = network.get(), .state = &state, .batch = 300, .inputs = in, .outputs = out};
  test::wait_for_threads(pool);
  const test::AllocationMeter meter;
  const bool ran = job.run();
  const std::size_t made = meter.allocations();
  EXPECT_TRUE(ran);
  EXPECT_EQ(made, 0U);
}

TEST(Batch, RefusesWhatDoesNotFit) {
  const Graph graph = small_mann(WeightType::kF32);
  const NetworkPtr network = Network::compile(graph).value(), other = Network::compile(graph).value();
  ThreadPool pool(0);
  BatchState state = make_batch_state(*network, pool);
  std::vector<float> x(530 * 2), y(37 * 2);
  const std::span<const float> in[] = {x};
  const std::span<float> out[] = {y};
  EXPECT_STREQ((BatchJob{.network = network.get(), .batch = 2, .inputs = in, .outputs = out}).validate(),
               "network or state is missing");
  EXPECT_STREQ((BatchJob{.network = other.get(), .state = &state, .batch = 2, .inputs = in, .outputs = out}).validate(),
               "the state was made for another network");
  EXPECT_STREQ(
      (BatchJob{.network = network.get(), .state = &state, .batch = 3, .inputs = in, .outputs = out}).validate(),
      "inputs do not have the network's number and shapes");
  EXPECT_STREQ(
      (BatchJob{.network = network.get(), .state = &state, .batch = -1, .inputs = in, .outputs = out}).validate(),
      "batch is negative");
  const std::span<const float> no_in[1];
  const std::span<float> no_out[1];
  EXPECT_TRUE(
      (BatchJob{.network = network.get(), .state = &state, .batch = 0, .inputs = no_in, .outputs = no_out}).run());
}

}  // namespace
}  // namespace zoe::nn
