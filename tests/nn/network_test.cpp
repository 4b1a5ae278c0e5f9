// SPDX-License-Identifier: MIT
#include "zoe/nn/network.h"

#include <cmath>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/reference.h"

#include "nn/blocks.h"
#include "nn/plan.h"
#include "support/allocation.h"

namespace zoe::nn {
namespace {

using test::largest_difference;
using test::random_inputs;
using test::run_network;
using test::spans_of;

TEST(Network, EqualsTheReferenceOnEveryBlockBatchAndInstructionSet) {
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget forced(target);
    for (const test::Block& block : test::all_blocks()) {
      for (const int batch : {1, 2, 3, 7, 25, 64}) {
        const auto inputs = random_inputs(block.graph, batch, static_cast<std::uint64_t>(batch));
        const auto expected = run_reference(block.graph, batch, spans_of(inputs));
        EXPECT_LT(largest_difference(run_network(block.graph, batch, inputs), expected), 1e-5F)
            << block.name << ", batch " << batch << ", " << target.name;
      }
    }
  }
}

// More rows than are staged at once, and more than one block of inputs.
TEST(Network, LargeBatchesEqualSingleItems) {
  for (const test::Block& block : test::all_blocks()) {
    if (block.name != "linear_long" && block.name != "expert_linear" && block.name != "conv1d_padded") continue;
    constexpr int kBatch = 401;
    const auto inputs = random_inputs(block.graph, kBatch, 3);
    const auto together = run_network(block.graph, kBatch, inputs);
    for (const int item : {0, 1, 191, 192, 383, 384, 400}) {
      std::vector<std::vector<float>> one;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto n = static_cast<long>(block.graph.inputs[i].shape.size());
        one.emplace_back(inputs[i].begin() + item * n, inputs[i].begin() + (item + 1) * n);
      }
      const auto n = static_cast<long>(block.graph.outputs[0].shape.size());
      const std::vector<float> part(together[0].begin() + item * n, together[0].begin() + (item + 1) * n);
      EXPECT_LT(largest_difference(run_network(block.graph, 1, one), {part}), 1e-5F) << block.name << ", item " << item;
    }
  }
}

TEST(Network, ExtremeInputsStayFinite) {
  for (const test::Block& block : test::all_blocks()) {
    if (block.name.rfind("activation_", 0) != 0 && block.name != "softmax") continue;
    auto inputs = random_inputs(block.graph, 1, 1);
    inputs[0][0] = 1e4F, inputs[0][1] = -1e4F, inputs[0][2] = 88.5F, inputs[0][3] = -88.5F, inputs[0][4] = 0;
    const auto expected = run_reference(block.graph, 1, spans_of(inputs));
    EXPECT_LT(largest_difference(run_network(block.graph, 1, inputs), expected), 1e-5F) << block.name;
  }
}

TEST(Network, NotANumberComesOutAsNotANumber) {
  GraphBuilder b;
  Random random(1);
  b.output("y", b.linear(b.input("x", 8), "l", {3, 8}, test::random_values(random, 24), {}, Activation::kElu));
  const Graph graph = std::move(b).build().value();
  for (const int batch : {1, 4}) {
    auto inputs = random_inputs(graph, batch, 1);
    inputs[0][2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(run_network(graph, batch, inputs)[0][1]));
  }
}

TEST(Network, RunDoesNotAllocate) {
  for (const test::Block& block : test::all_blocks()) {
    const NetworkPtr network = Network::compile(block.graph).value();
    NetworkState state = make_state(*network, 64);
    for (const int batch : {1, 64}) {
      const auto inputs = random_inputs(block.graph, batch, 2);
      std::vector<std::vector<float>> outputs;
      for (const Port& port : block.graph.outputs)
        outputs.emplace_back(port.shape.size() * static_cast<std::size_t>(batch));
      const auto in = spans_of(inputs);
      const std::vector<std::span<float>> out(outputs.begin(), outputs.end());
      const test::AllocationMeter meter;
      const bool ran =
          NetworkJob{.network = network.get(), .state = &state, .batch = batch, .inputs = in, .outputs = out}.run();
      const std::size_t made = meter.allocations();
      EXPECT_TRUE(ran);
      EXPECT_EQ(made, 0U) << block.name;
    }
  }
}

TEST(Network, ThreadsShareOneNetwork) {
  for (const test::Block& block : test::all_blocks()) {
    if (block.name != "expert_linear" && block.name != "lstm_cell" && block.name != "attention_heads") continue;
    const NetworkPtr network = Network::compile(block.graph).value();
    constexpr int kBatch = 5;
    const auto inputs = random_inputs(block.graph, kBatch, 4);
    const auto expected = run_network(block.graph, kBatch, inputs);
    std::vector<std::vector<std::vector<float>>> results(4);
    std::vector<std::thread> threads;
    for (auto& result : results) {
      threads.emplace_back([&] {
        NetworkState state = make_state(*network, kBatch);
        for (const Port& port : network->outputs()) result.emplace_back(port.shape.size() * kBatch);
        const auto in = spans_of(inputs);
        const std::vector<std::span<float>> out(result.begin(), result.end());
        for (int i = 0; i < 20; ++i) {
          NetworkJob{.network = network.get(), .state = &state, .batch = kBatch, .inputs = in, .outputs = out}.run();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& result : results) EXPECT_EQ(largest_difference(result, expected), 0) << block.name;
  }
}

TEST(Network, JobSaysWhatIsWrong) {
  const test::Block block = test::all_blocks()[0];
  const NetworkPtr network = Network::compile(block.graph).value(), other = Network::compile(block.graph).value();
  NetworkState state = make_state(*network, 2);
  std::vector<float> x(37 * 2), y(45 * 2);
  const std::span<const float> in[] = {x};
  const std::span<float> out[] = {y};
  NetworkJob job{.network = network.get(), .state = &state, .batch = 2, .inputs = in, .outputs = out};
  EXPECT_EQ(job.validate(), nullptr);
  EXPECT_TRUE(job.run());
  const auto refused = [](NetworkJob bad, const char* part) {
    const char* why = bad.validate();
    return why != nullptr && std::string(why).find(part) != std::string::npos && !bad.run();
  };
  NetworkJob bad = job;
  bad.network = other.get();
  EXPECT_TRUE(refused(bad, "another network"));
  bad = job;
  bad.state = nullptr;
  EXPECT_TRUE(refused(bad, "missing"));
  for (const int batch : {0, -1, 3}) {
    bad = job;
    bad.batch = batch;
    EXPECT_TRUE(refused(bad, "max_batch"));
  }
  bad = job;
  bad.batch = 1;
  EXPECT_TRUE(refused(bad, "inputs"));
  const std::span<float> short_out[] = {std::span(y).first(3)};
  bad = job;
  bad.outputs = short_out;
  EXPECT_TRUE(refused(bad, "outputs"));
}

TEST(Network, CountsItsWork) {
  GraphBuilder b;
  Random random(1);
  int x = b.input("x", 64);
  x = b.linear(x, "a", {32, 64}, test::random_values(random, 2048), {});
  x = b.linear(x, "b", {32, 32}, test::random_values(random, 1024), {});
  b.output("y", b.linear(x, "b", {32, 32}, {}, {}));  // Shared: packed once, multiplied twice.
  const NetworkPtr network = Network::compile(std::move(b).build().value()).value();
  EXPECT_EQ(network->multiply_adds(), 2048U + 2 * 1024U);
  EXPECT_EQ(network->weight_bytes(), 4 * (2048U + 1024U));
}

// An iteration's condition is multiplied once, and only where that is what the graph says.
TEST(Network, SharesProductsOfTheSameColumns) {
  const auto work = [](auto build) {
    GraphBuilder b;
    Random random(1);
    const int x = b.input("x", 32), y = b.input("y", 64);
    const auto layer = [&](int value, bool again = false) {
      return b.linear(value, "l", {32, 96}, again ? std::vector<float>{} : test::random_values(random, 32 * 96), {});
    };
    build(b, x, y, layer);
    return Network::compile(std::move(b).build().value()).value()->multiply_adds();
  };
  const auto twice = [](GraphBuilder& b, int x, int y, auto layer) {
    b.output("z", layer(b.concat({layer(b.concat({x, y})), y}), true));
  };
  EXPECT_EQ(work(twice), 32U * 64U + 2 * 32U * 32U);
  // Somebody else reads the columns together: the layers stay whole.
  const auto seen = [](GraphBuilder& b, int x, int y, auto layer) {
    const int both = b.concat({x, y});
    b.output("both", both);
    b.output("z", layer(b.concat({layer(both), y}), true));
  };
  EXPECT_EQ(work(seen), 2 * 32U * 96U);
  // Nothing is the same.
  const auto other = [](GraphBuilder& b, int x, int y, auto layer) {
    const int first = layer(b.concat({x, y}));
    b.output("z", layer(b.concat({first, b.activation(y, Activation::kTanh)}), true));
  };
  EXPECT_EQ(work(other), 2 * 32U * 96U);
}

// Values that live at the same time do not overlap, and memory is used again: a long chain needs little more than two.
TEST(Arena, ReusesMemoryOfDeadValues) {
  GraphBuilder b;
  int x = b.input("x", 100);
  for (int i = 0; i < 50; ++i) x = b.activation(x, Activation::kTanh);
  b.output("y", x);
  const NetworkPtr network = Network::compile(std::move(b).build().value()).value();
  EXPECT_LE(network->plan().item_floats, 3U * 128U);
}

TEST(Arena, PlacesRandomLifetimesWithoutOverlap) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Slot> slots;
    std::vector<std::pair<int, int>> uses;
    for (int i = 0; i < 20; ++i) {
      Slot slot;
      slot.shape = {1 + static_cast<int>(random.below(4)), 1};
      slot.stride = 32 * (1 + random.below(5));
      slots.push_back(slot);
      const int first = static_cast<int>(random.below(10));
      uses.emplace_back(first, first + static_cast<int>(random.below(5)));
    }
    const std::size_t total = assign_offsets(slots, uses);
    for (std::size_t a = 0; a < slots.size(); ++a) {
      EXPECT_LE(slots[a].offset + slots[a].floats(), total);
      for (std::size_t c = 0; c < a; ++c) {
        const bool together = uses[a].first <= uses[c].second && uses[c].first <= uses[a].second;
        const bool apart = slots[a].offset + slots[a].floats() <= slots[c].offset ||
                           slots[c].offset + slots[c].floats() <= slots[a].offset;
        EXPECT_TRUE(!together || apart);
      }
    }
  }
}

}  // namespace
}  // namespace zoe::nn
