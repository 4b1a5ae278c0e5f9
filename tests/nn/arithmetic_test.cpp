// SPDX-License-Identifier: MIT
// The bits of a network's outputs: the same in every batch, and in the deterministic arithmetic on every instruction
// set.
#include "zoe/core/arithmetic.h"

#include <cstring>

#include <gtest/gtest.h>

#include "zoe/core/hash64.h"
#include "zoe/math/simd_dispatch.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/quantize.h"

#include "nn/blocks.h"

namespace zoe::nn {
namespace {

struct Mode {
  explicit Mode(Arithmetic arithmetic) { set_arithmetic(arithmetic); }
  ~Mode() { set_arithmetic(Arithmetic::kFast); }
};

constexpr WeightType kTypes[] = {WeightType::kF32, WeightType::kBF16, WeightType::kI8};

// The blocks, and layers of several blocks of inputs and of several panels: of experts, and of none.
std::vector<test::Block> all_graphs() {
  std::vector<test::Block> blocks = test::all_blocks();
  Random random(9);
  for (const std::size_t in : {530, 1100}) {
    GraphBuilder b;
    const int x = b.input("x", static_cast<int>(in));
    const int gate = b.softmax(b.linear(x, "gate", {3, in}, test::random_values(random, 3 * in, 0.1F), {}));
    const int h = b.expert_linear(x, gate, "wide", {3, 150, in}, test::random_values(random, 450 * in, 0.05F),
                                  test::random_values(random, 450), Activation::kElu);
    b.output("y", b.linear(h, "out", {131, 150}, test::random_values(random, 131 * 150, 0.1F),
                           test::random_values(random, 131), Activation::kSine));
    blocks.push_back({"experts_" + std::to_string(in), std::move(b).build().value()});
  }
  return blocks;
}

std::vector<std::vector<float>> item_of(const std::vector<std::vector<float>>& values, const std::vector<Port>& ports,
                                        int item) {
  std::vector<std::vector<float>> one;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto n = static_cast<long>(ports[i].shape.size());
    one.emplace_back(values[i].begin() + item * n, values[i].begin() + (item + 1) * n);
  }
  return one;
}

bool same_bits(const std::vector<std::vector<float>>& a, const std::vector<std::vector<float>>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].size() != b[i].size() || std::memcmp(a[i].data(), b[i].data(), a[i].size() * sizeof(float)) != 0)
      return false;
  }
  return a.size() == b.size();
}

void expect_same_bits_in_every_batch(const char* target) {
  for (const test::Block& block : all_graphs()) {
    for (const WeightType type : kTypes) {
      const Graph graph = with_weight_type(block.graph, type);
      constexpr int kBatch = 66;
      const auto inputs = test::random_inputs(graph, kBatch, 3);
      const auto all = test::run_network(graph, kBatch, inputs);
      for (const int item : {0, 1, 11, 12, 37, 63, 64, 65}) {
        const auto alone = test::run_network(graph, 1, item_of(inputs, graph.inputs, item));
        EXPECT_TRUE(same_bits(alone, item_of(all, graph.outputs, item)))
            << block.name << ", " << to_string(type) << ", item " << item << ", " << target;
      }
    }
  }
}

TEST(Arithmetic, ARowHasTheSameBitsAloneAndAmongOthers) {
  expect_same_bits_in_every_batch("best");
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget forced(target);
    expect_same_bits_in_every_batch(target.name);
    const Mode mode(Arithmetic::kDeterministic);
    expect_same_bits_in_every_batch(target.name);
  }
}

// One row that is no number must not change the arithmetic of the others.
TEST(Arithmetic, ARowThatIsNoNumberChangesNoOther) {
  for (const WeightType type : kTypes) {
    const Graph graph = with_weight_type(test::all_blocks()[0].graph, type);
    auto inputs = test::random_inputs(graph, 5, 1);
    const auto before = test::run_network(graph, 5, inputs);
    inputs[0][3] = std::numeric_limits<float>::quiet_NaN();
    const auto after = test::run_network(graph, 5, inputs);
    for (int item = 1; item < 5; ++item)
      EXPECT_TRUE(same_bits(item_of(before, graph.outputs, item), item_of(after, graph.outputs, item)));
  }
}

TEST(Arithmetic, TheDeterministicOneHasTheSameBitsOnEveryInstructionSet) {
  const Mode mode(Arithmetic::kDeterministic);
  for (const test::Block& block : all_graphs()) {
    for (const WeightType type : kTypes) {
      const Graph graph = with_weight_type(block.graph, type);
      for (const int batch : {1, 13}) {
        const auto inputs = test::random_inputs(graph, batch, 8);
        const auto expected = test::run_network(graph, batch, inputs);
        for (const simd::Target& target : simd::supported_targets()) {
          const simd::ForceTarget forced(target);
          EXPECT_TRUE(same_bits(test::run_network(graph, batch, inputs), expected))
              << block.name << ", " << to_string(type) << ", batch " << batch << ", " << target.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace zoe::nn
