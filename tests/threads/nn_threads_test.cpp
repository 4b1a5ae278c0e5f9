// SPDX-License-Identifier: MIT
// Batches of a network on several threads, and one network used by several threads at once.
#include <thread>

#include <gtest/gtest.h>

#include "zoe/core/thread_pool.h"
#include "zoe/nn/batch.h"
#include "zoe/nn/graph_builder.h"

#include "nn/blocks.h"

namespace zoe::nn {
namespace {

constexpr int kBatch = 203;

Graph small_graph() {
  Random random(3);
  GraphBuilder b;
  const int x = b.input("x", 90);
  const int h = b.linear(x, "first", {64, 90}, test::random_values(random, 64 * 90, 0.1F),
                         test::random_values(random, 64, 0.1F), Activation::kElu);
  b.output("y", b.linear(h, "second", {17, 64}, test::random_values(random, 17 * 64, 0.1F),
                         test::random_values(random, 17, 0.1F)));
  return std::move(b).build().value();
}

std::vector<float> outputs(const Network& network, BatchState& state, const std::vector<std::vector<float>>& inputs) {
  std::vector<float> values(17 * kBatch, -1.0F);
  const std::vector<std::span<float>> out{values};
  const auto in = test::spans_of(inputs);
  const BatchJob job{.network = &network, .state = &state, .batch = kBatch, .inputs = in, .outputs = out};
  EXPECT_EQ(job.validate(), nullptr);
  EXPECT_TRUE(job.run());
  return values;
}

TEST(NnThreads, ABatchOnFourThreadsGivesTheBitsOfOne) {
  const Graph graph = small_graph();
  const NetworkPtr network = Network::compile(graph).value();
  const auto inputs = test::random_inputs(graph, kBatch, 4);
  ThreadPool alone(0), four(3);
  BatchState one_state = make_batch_state(*network, alone), four_state = make_batch_state(*network, four);
  const auto expected = outputs(*network, one_state, inputs);
  for (int round = 0; round < 20; ++round) EXPECT_EQ(outputs(*network, four_state, inputs), expected);
}

// Models are constant: every thread has a state of its own and nothing else.
TEST(NnThreads, ThreadsShareOneNetwork) {
  const Graph graph = small_graph();
  const NetworkPtr network = Network::compile(graph).value();
  const auto inputs = test::random_inputs(graph, kBatch, 4);
  std::vector<std::vector<float>> found(3);
  std::vector<std::thread> threads;
  for (auto& values : found) {
    threads.emplace_back([&] {
      ThreadPool alone(0);
      BatchState state = make_batch_state(*network, alone);
      for (int round = 0; round < 10; ++round) values = outputs(*network, state, inputs);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

}  // namespace
}  // namespace zoe::nn
