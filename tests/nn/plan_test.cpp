// SPDX-License-Identifier: MIT
// Plans of random graphs, checked by running them on paper: who owns each float of the arena at every step.
#include "nn/plan.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "zoe/nn/network.h"
#include "zoe/nn/reference.h"

#include "nn/random_graph.h"

namespace zoe::nn {
namespace {

constexpr std::uint64_t kSeeds = 60;

// Writes owners into an arena and looks whether readers find what was written for them.
class Arena {
 public:
  explicit Arena(const Plan& plan) : plan_(plan), owner_(plan.item_floats, -1), local_(plan.local_row_floats, -1) {}

  void write(int slot) {
    each(slot, [&](int& owner) { owner = slot; });
  }
  bool holds(int slot) {
    if (at(slot).constant != nullptr) return true;
    bool whole = true;
    each(slot, [&](int& owner) { whole = whole && owner == slot; });
    return whole;
  }

 private:
  const Slot& at(int slot) const { return plan_.slots[static_cast<std::size_t>(slot)]; }
  template <typename Visit>
  void each(int slot, Visit visit) {
    if (at(slot).constant != nullptr) return;
    // Local values have memory of their own: one row stands for a block.
    std::vector<int>& owner = at(slot).local ? local_ : owner_;
    const std::size_t floats = at(slot).local ? at(slot).stride : at(slot).floats();
    ASSERT_LE(at(slot).offset + floats, owner.size());
    for (std::size_t i = 0; i < floats; ++i) visit(owner[at(slot).offset + i]);
  }
  const Plan& plan_;
  std::vector<int> owner_, local_;
};

TEST(Plan, NobodyOverwritesAValueThatIsStillRead) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::unique_ptr<const Plan> plan = make_plan(test::random_graph(seed)).value();
    Arena arena(*plan);
    for (const Port& port : plan->inputs) arena.write(port.value);
    const auto run = [&](std::size_t s) {
      const Step& step = plan->steps[s];
      for (const int slot : step.inputs) ASSERT_TRUE(arena.holds(slot)) << "seed " << seed << ", step " << s;
      for (const int slot : step.temporaries) arena.write(slot);
      for (const int slot : step.outputs) arena.write(slot);
      // Inputs are read while outputs are written: neither may lie on the other.
      for (const int slot : step.inputs) ASSERT_TRUE(arena.holds(slot)) << "seed " << seed << ", step " << s;
      for (const int slot : step.temporaries) ASSERT_TRUE(arena.holds(slot)) << "seed " << seed << ", step " << s;
    };
    for (std::size_t first = 0; first < plan->steps.size(); first += plan->steps[first].chain) {
      // What the second block of a chain reads from outside must have outlived the first.
      const std::size_t chain = plan->steps[first].chain;
      for (int block = 0; block < (chain > 1 ? 2 : 1); ++block) {
        for (std::size_t s = first; s < first + chain; ++s) run(s);
      }
    }
    for (const Port& port : plan->outputs) ASSERT_TRUE(arena.holds(port.value)) << "seed " << seed;
  }
}

TEST(Plan, EveryValueIsMadeOnceBeforeItIsRead) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::unique_ptr<const Plan> plan = make_plan(test::random_graph(seed)).value();
    std::set<int> made;
    for (const Port& port : plan->inputs) made.insert(port.value);
    for (const Step& step : plan->steps) {
      for (const int slot : step.inputs) EXPECT_TRUE(made.contains(slot)) << seed;
      for (const int slot : step.outputs) EXPECT_TRUE(made.insert(slot).second) << seed;
    }
    for (const Port& port : plan->outputs) EXPECT_TRUE(made.contains(port.value));
  }
}

TEST(Plan, SlotsAreWholePanelsAndHoldTheirValue) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Graph graph = test::random_graph(seed);
    const std::vector<ValueInfo> values = validate(graph).value();
    const std::unique_ptr<const Plan> plan = make_plan(graph).value();
    ASSERT_GE(plan->slots.size(), values.size());
    for (std::size_t i = 0; i < plan->slots.size(); ++i) {
      const Slot& slot = plan->slots[i];
      if (i < values.size()) {
        EXPECT_EQ(slot.shape, values[i].shape);
      }
      EXPECT_EQ(slot.stride % kernels::kPanel, 0U);
      EXPECT_EQ(slot.offset % kernels::kPanel, 0U);
      EXPECT_GE(slot.stride, static_cast<std::size_t>(slot.shape.width));
      EXPECT_LT(slot.stride, static_cast<std::size_t>(slot.shape.width) + kernels::kPanel);
    }
  }
}

// The arena is no smaller than what one step holds at once, and far smaller than all values together.
TEST(Plan, TheArenaIsTight) {
  double share = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::unique_ptr<const Plan> plan = make_plan(test::random_graph(seed, 60)).value();
    std::size_t all = 0, most = 0;
    for (const Slot& slot : plan->slots) all += slot.local ? 0 : slot.floats();
    for (const Step& step : plan->steps) {
      std::set<int> together(step.inputs.begin(), step.inputs.end());
      together.insert(step.outputs.begin(), step.outputs.end());
      together.insert(step.temporaries.begin(), step.temporaries.end());
      std::size_t floats = 0;
      for (const int i : together) {
        const Slot& slot = plan->slots[static_cast<std::size_t>(i)];
        if (!slot.local && slot.constant == nullptr) floats += slot.floats();
      }
      most = std::max(most, floats);
    }
    EXPECT_GE(plan->item_floats, most) << seed;
    EXPECT_LE(plan->item_floats, all) << seed;
    share += static_cast<double>(plan->item_floats) / static_cast<double>(all) / static_cast<double>(kSeeds);
  }
  EXPECT_LT(share, 0.7);
}

TEST(Plan, CountsMultiplyAddsOfItsMatrices) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Graph graph = test::random_graph(seed);
    const std::vector<ValueInfo> values = validate(graph).value();
    std::size_t expected = 0;
    for (const Node& node : graph.nodes) {
      if (node.op != Op::kLinear && node.op != Op::kGruCell) continue;
      const auto steps = static_cast<std::size_t>(values[static_cast<std::size_t>(node.inputs[0])].shape.steps);
      for (const int w : node.weights) {
        if (w < 0) continue;
        const std::vector<std::size_t>& shape = graph.weights[static_cast<std::size_t>(w)].shape;
        if (shape.size() == 2) expected += steps * shape[0] * shape[1];
      }
    }
    EXPECT_EQ(Network::compile(graph).value()->multiply_adds(), expected) << seed;
  }
}

TEST(Plan, StateGrowsWithTheBatch) {
  const NetworkPtr network = Network::compile(test::random_graph(3)).value();
  std::size_t before = 0;
  for (const int batch : {1, 2, 8, 64, 256}) {
    const std::size_t bytes = network->state_bytes(batch);
    EXPECT_GT(bytes, before);
    EXPECT_GE(bytes, static_cast<std::size_t>(batch) * network->plan().item_floats * 4);
    before = bytes;
  }
}

TEST(RandomGraphs, EqualTheReferenceInEveryBatch) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Graph graph = test::random_graph(seed);
    for (const int batch : {1, 3, 65}) {
      const auto inputs = test::random_inputs(graph, batch, seed);
      const auto expected = run_reference(graph, batch, test::spans_of(inputs));
      EXPECT_LT(test::largest_difference(test::run_network(graph, batch, inputs), expected), 2e-4F)
          << "seed " << seed << ", batch " << batch;
    }
  }
}

// A state keeps nothing: results after other work, and in a larger state, are the same bits.
TEST(RandomGraphs, AStateForgetsWhatItRanBefore) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph graph = test::random_graph(seed);
    const NetworkPtr network = Network::compile(graph).value();
    NetworkState fresh = make_state(*network, 2), used = make_state(*network, 2);
    const auto run = [&](NetworkState& state, const std::vector<std::vector<float>>& inputs) {
      std::vector<std::vector<float>> outputs;
      for (const Port& port : network->outputs()) outputs.emplace_back(2 * port.shape.size());
      const std::vector<std::span<float>> out(outputs.begin(), outputs.end());
      const auto in = test::spans_of(inputs);
      EXPECT_TRUE(
          (NetworkJob{.network = network.get(), .state = &state, .batch = 2, .inputs = in, .outputs = out}.run()));
      return outputs;
    };
    auto poison = test::random_inputs(graph, 2, 99);
    for (auto& values : poison) std::fill(values.begin(), values.end(), NAN);
    run(used, poison);
    const auto inputs = test::random_inputs(graph, 2, seed);
    EXPECT_EQ(test::largest_difference(run(fresh, inputs), run(used, inputs)), 0) << seed;
  }
}

}  // namespace
}  // namespace zoe::nn
