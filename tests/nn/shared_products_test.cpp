// SPDX-License-Identifier: MIT
// Which layers share a product, and that sharing changes nothing but the work.
#include "nn/shared_products.h"

#include <gtest/gtest.h>

#include "zoe/nn/graph_builder.h"
#include "zoe/nn/network.h"
#include "zoe/nn/quantize.h"
#include "zoe/nn/reference.h"

#include "nn/blocks.h"

namespace zoe::nn {
namespace {

// An iteration of `count` layers that all read [state, condition] through the same weights.
struct Iteration {
  int count = 3;
  bool condition_first = false;
  bool bias = true;
  int steps = 1;
};
Graph iterated(const Iteration& how) {
  GraphBuilder b;
  Random random(11);
  const int condition = b.input("condition", 21, how.steps);
  int state = b.input("state", 13, how.steps);
  const std::vector<float> w = test::random_values(random, 13 * 34, 0.2F), c = test::random_values(random, 13);
  for (int i = 0; i < how.count; ++i) {
    const std::vector<int> parts =
        how.condition_first ? std::vector<int>{condition, state} : std::vector<int>{state, condition};
    const auto values = [&](const std::vector<float>& v) {
      return i == 0 ? std::span<const float>(v) : std::span<const float>();
    };
    state = b.linear(b.concat(parts), "l", {13, 34}, values(w), how.bias ? values(c) : std::span<const float>(),
                     Activation::kTanh);
  }
  b.output("y", state);
  return std::move(b).build().value();
}
std::vector<SharedProduct> found_in(const Graph& graph) {
  const std::vector<ValueInfo> values = validate(graph).value();
  return find_shared_products(graph, values);
}

TEST(SharedProducts, FindsTheConditionOfAnIteration) {
  for (const bool first : {false, true}) {
    const Graph graph = iterated({.count = 4, .condition_first = first});
    const std::vector<SharedProduct> found = found_in(graph);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].nodes, (std::vector<int>{1, 3, 5, 7}));
    EXPECT_EQ(found[0].concats, (std::vector<int>{0, 2, 4, 6}));
    EXPECT_EQ(found[0].part, first ? 0 : 1);
  }
  EXPECT_TRUE(found_in(iterated({.count = 1})).empty());
}

TEST(SharedProducts, GiveTheSameNumbersForLessWork) {
  for (const Iteration& how : {Iteration{2, false, true, 1}, Iteration{5, true, true, 1}, Iteration{3, false, false, 4},
                               Iteration{3, true, true, 7}}) {
    for (const WeightType type : {WeightType::kF32, WeightType::kI8}) {
      const Graph graph = with_weight_type(iterated(how), type);
      const auto steps = static_cast<std::size_t>(how.steps), count = static_cast<std::size_t>(how.count);
      // The condition once, the state each time.
      EXPECT_EQ(Network::compile(graph).value()->multiply_adds(), steps * 13 * (21 + 13 * count));
      for (const int batch : {1, 3, 65}) {
        const auto inputs = test::random_inputs(graph, batch, 7);
        const auto expected = run_reference(graph, batch, test::spans_of(inputs));
        EXPECT_LT(test::largest_difference(test::run_network(graph, batch, inputs), expected),
                  type == WeightType::kI8 ? 0.05F : 1e-5F)
            << how.count << " layers, batch " << batch;
      }
    }
  }
}

// Each of these changes one thing that makes sharing wrong or useless.
TEST(SharedProducts, AreNotSeenWhereTheyAreNot) {
  const Graph good = iterated({});
  const auto spoiled = [&](const std::function<void(Graph&)>& spoil) {
    Graph graph = good;
    spoil(graph);
    EXPECT_TRUE(validate(graph)) << validate(graph).error().message;
    return found_in(graph);
  };
  EXPECT_EQ(found_in(good).size(), 1U);
  // Somebody else reads a concat.
  EXPECT_TRUE(spoiled([](Graph& g) { g.outputs.push_back({"seen", 2, {1, 34}}); }).empty());
  // Another layer has another bias.
  EXPECT_TRUE(spoiled([](Graph& g) { g.nodes[3].weights[1] = -1; }).empty());
  // The last one reads three parts.
  EXPECT_TRUE(spoiled([](Graph& g) {
                g.nodes[4] = {Op::kSlice, {4}, {}, {}};
                g.nodes[4].attributes.begin = 0, g.nodes[4].attributes.end = 34;
              }).empty());
  // Nothing is the same: the first layer's parts are swapped (13 and 21 columns make 34 either way).
  EXPECT_TRUE(spoiled([](Graph& g) { std::swap(g.nodes[0].inputs[0], g.nodes[0].inputs[1]); }).empty());
}

// A layer that reads an input of the graph, beside one that reads the first node.
TEST(SharedProducts, InputsAreNoConcats) {
  GraphBuilder b;
  Random random(3);
  const int a = b.input("a", 5), c = b.input("c", 4), whole = b.input("whole", 9);
  const std::vector<float> w = test::random_values(random, 7 * 9, 0.3F);
  const int first = b.linear(b.concat(std::vector<int>{a, c}), "l", {7, 9}, w, {});
  b.output("y", b.add(first, b.linear(whole, "l", {7, 9}, {}, {})));
  const Graph graph = std::move(b).build().value();
  EXPECT_TRUE(found_in(graph).empty());
  const auto inputs = test::random_inputs(graph, 3, 7);
  EXPECT_LT(
      test::largest_difference(test::run_network(graph, 3, inputs), run_reference(graph, 3, test::spans_of(inputs))),
      1e-5F);
}

}  // namespace
}  // namespace zoe::nn
