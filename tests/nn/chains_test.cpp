// SPDX-License-Identifier: MIT
// Chains of steps that run block by block, on more rows than a block has: the reference's numbers, the same bits for
// every split into blocks, and no memory for what never leaves a chain.
#include <gtest/gtest.h>

#include "zoe/core/random.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/network.h"
#include "zoe/nn/quantize.h"
#include "zoe/nn/reference.h"

#include "nn/blocks.h"
#include "nn/naive.h"
#include "nn/plan.h"

namespace zoe::nn {
namespace {

// A layer of a transformer over frames x joints, and operations that read single rows, constants and slices beside it.
// `aside` is a second output from the middle of the chain.
// `related`: attention reads classes of pairs, which belong to an item.
Graph layer_graph(int width, bool aside, bool related = false) {
  GraphBuilder b;
  Random random(5);
  const auto values = [&](std::size_t n, float scale) {
    std::vector<float> v(n);
    for (float& x : v) x = random.uniform(-scale, scale);
    return v;
  };
  const auto linear = [&](int x, const char* name, int out, Activation activation = Activation::kNone) {
    const auto n = static_cast<std::size_t>(out), in = static_cast<std::size_t>(b.shape(x).width);
    return b.linear(x, name, {n, in}, values(n * in, 1 / std::sqrt(static_cast<float>(in))), values(n, 0.1F),
                    activation);
  };
  const auto norm = [&](int x, const char* name) {
    const auto n = static_cast<std::size_t>(width);
    return b.layer_norm(x, name, values(n, 1), values(n, 0.1F));
  };
  const RowCount frames = b.dim("frames"), joints = b.dim("joints");
  const int x = b.input("x", 5, frames * joints), item = b.input("item", width);
  const int relation = related ? b.input("relation", 2, joints * joints) : -1;
  int h = b.add(linear(x, "in", width), item);  // One row for all rows of an item.
  const int q = linear(h, "q", width), k = linear(h, "k", width), v = linear(h, "v", width);
  GraphBuilder::Attention how{.heads = 2, .over = joints};
  if (related) {
    const auto table = [&] { return values(static_cast<std::size_t>(4 * width), 0.3F); };
    how.relation = relation;
    how.query_terms = b.relation_terms(q, "eq", 2, 4, table());
    how.key_terms = b.relation_terms(k, "ek", 2, 4, table());
  }
  h = norm(b.add(h, linear(b.attention(q, k, v, how), "mix", width)), "norm0");
  const int scale = b.constant("scale", 1, width, values(static_cast<std::size_t>(width), 1));
  h = b.add(h, b.multiply(h, scale));
  if (aside) b.output("aside", h);
  const int hidden = linear(b.concat({h, b.slice(h, 1, width)}), "up", 3 * width, Activation::kGelu);
  h = norm(b.add(h, linear(hidden, "down", width)), "norm1");
  b.output("y", linear(h, "out", 3));
  return std::move(b).build().value();
}

// Classes of pairs, where the graph has them: 0 to 3, other ones for each item.
std::vector<std::vector<float>> inputs_of(const Graph& graph, int batch, std::uint64_t seed) {
  auto inputs = test::random_inputs(graph, batch, seed);
  if (inputs.size() > 2) {
    Random random(seed);
    for (float& value : inputs[2]) value = static_cast<float>(random.uniform(0, 4) - 0.5F);
  }
  return inputs;
}

TEST(Chains, EqualTheReferenceOnManyBlocks) {
  for (const auto& [aside, related] : {std::pair(false, false), std::pair(true, false), std::pair(false, true)}) {
    for (const WeightType type : test::kWeightTypes) {
      const Graph graph = with_weight_type(layer_graph(24, aside, related), type);
      // Groups that fill blocks, that do not, one group larger than a block, fewer rows than a block.
      for (const auto& [frames, joints] : {std::pair(13, 60), std::pair(50, 7), std::pair(2, 130), std::pair(3, 4)}) {
        const Graph bound = bind_dims(graph, std::vector<DimSize>{{"frames", frames}, {"joints", joints}}).value();
        for (const int batch : {1, 3}) {
          const auto inputs = inputs_of(bound, batch, 3);
          EXPECT_LT(test::largest_difference(test::run_network(bound, batch, inputs),
                                             run_reference(bound, batch, test::spans_of(inputs))),
                    type == WeightType::kF32    ? 1e-5F
                    : type == WeightType::kBF16 ? 3e-2F
                                                : 0.1F)
              << frames << " x " << joints << ", " << to_string(type);
        }
      }
    }
  }
}

// Rows of an item lie at other positions of other blocks in a batch.
TEST(Chains, GiveAnItemTheSameBitsAloneAndAmongOthers) {
  for (const auto& [type, related] : {std::pair(WeightType::kF32, false), std::pair(WeightType::kBF16, false),
                                      std::pair(WeightType::kI8, false), std::pair(WeightType::kF32, true)}) {
    const Graph graph = bind_dims(with_weight_type(layer_graph(24, false, related), type),
                                  std::vector<DimSize>{{"frames", 11}, {"joints", 13}})
                            .value();
    const auto inputs = inputs_of(graph, 3, 8);
    const auto together = test::run_network(graph, 3, inputs);
    for (std::size_t item = 0; item < 3; ++item) {
      std::vector<std::vector<float>> own;
      for (const auto& values : inputs) {
        const std::size_t n = values.size() / 3;
        own.emplace_back(values.begin() + static_cast<long>(item * n),
                         values.begin() + static_cast<long>((item + 1) * n));
      }
      const auto alone = test::run_network(graph, 1, own);
      const std::size_t n = alone[0].size();
      EXPECT_TRUE(std::equal(alone[0].begin(), alone[0].end(), together[0].begin() + static_cast<long>(item * n)))
          << item << ", " << to_string(type);
    }
  }
}

TEST(Chains, HoldWhatNoOtherStepReadsInOneBlock) {
  const std::vector<int> sizes{200, 20};
  const auto plan_of = [&](bool aside) { return bind_plan(*make_plan(layer_graph(64, aside)).value(), sizes).value(); };
  const std::shared_ptr<Plan> plan = plan_of(false), with_aside = plan_of(true);
  // One chain from end to end, whose steps hand on rows of a block only: the arena holds input and output.
  EXPECT_EQ(plan->steps[0].chain, plan->steps.size());
  EXPECT_EQ(plan->block_rows, kChainRows);
  EXPECT_EQ(plan->item_floats, 4000U * (32 + 32) + 64);
  EXPECT_EQ(with_aside->item_floats, 4000U * (32 + 32 + 64) + 64);
  EXPECT_EQ(chain_rows(plan->steps), 120U);
  const auto related = bind_plan(*make_plan(layer_graph(64, false, true)).value(), sizes).value();
  EXPECT_EQ(related->steps[0].chain, related->steps.size());
}

// A group that is larger than a block needs more memory than the state has.
TEST(Chains, BindAgainWithinTheirMemory) {
  const NetworkPtr network = Network::compile(layer_graph(24, false)).value();
  NetworkState state = make_state(*network, 1, {{"frames", 40}, {"joints", 100}}).value();
  const auto run_bound = [&](int frames, int joints) {
    const std::vector<DimSize> sizes{{"frames", frames}, {"joints", joints}};
    ASSERT_EQ(state.rebind(sizes), nullptr);
    const Graph bound = bind_dims(layer_graph(24, false), sizes).value();
    const auto inputs = test::random_inputs(bound, 1, 3);
    std::vector<float> y(bound.outputs[0].shape.size());
    const std::span<float> out[] = {y};
    ASSERT_TRUE((NetworkJob{network.get(), &state, 1, test::spans_of(inputs), out}.run()));
    EXPECT_EQ(test::largest_difference({y}, test::run_network(bound, 1, inputs)), 0);
  };
  run_bound(100, 40);
  run_bound(1, 100);
  run_bound(133, 30);
  EXPECT_NE(state.rebind(std::vector<DimSize>{{"frames", 2}, {"joints", 1000}}), nullptr);
  run_bound(40, 100);
}

}  // namespace
}  // namespace zoe::nn
