// SPDX-License-Identifier: MIT
#include "zoe/nn/quantize.h"

#include <cmath>

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/reference.h"

#include "nn/blocks.h"
#include "nn/kernels/amx.h"

namespace zoe::nn {
namespace {

// The reference computes with what the stored numbers stand for, so only the kernels' own rounding
// is left: none for bfloat16; rows of inputs in 8 bits for int8, up to 1/254 of each pair's sum, of numbers up to 9.
void expect_kernels_equal_the_reference(const char* instruction_set) {
  for (const test::Block& block : test::all_blocks()) {
    for (const WeightType type : {WeightType::kBF16, WeightType::kI8}) {
      const Graph graph = with_weight_type(block.graph, type);
      ASSERT_TRUE(validate(graph)) << block.name;
      for (const int batch : {1, 2, 7, 25}) {
        const auto inputs = test::random_inputs(graph, batch, static_cast<std::uint64_t>(batch));
        const auto expected = run_reference(graph, batch, test::spans_of(inputs));
        EXPECT_LT(test::largest_difference(test::run_network(graph, batch, inputs), expected),
                  type == WeightType::kI8 ? 0.1F : 1e-5F)
            << block.name << ", batch " << batch << ", " << to_string(type) << ", " << instruction_set;
      }
    }
  }
}

TEST(Quantize, KernelsEqualTheReferenceOnEveryBlockBatchAndInstructionSet) {
  const kernels::WithoutAmx exact_rows;        // The matrix unit rounds them: amx_test.cpp.
  expect_kernels_equal_the_reference("best");  // int8 has an instruction set of its own beyond those below.
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget forced(target);
    expect_kernels_equal_the_reference(target.name);
  }
}

// A row that integers cannot hold comes out as NaN or as zeros.
TEST(Quantize, RowsThatAreNoNumbersComeOutAsSuch) {
  Graph graph = with_weight_type(test::all_blocks()[0].graph, WeightType::kI8);
  for (const int batch : {1, 3}) {
    auto inputs = test::random_inputs(graph, batch, 1);
    inputs[0][5] = std::nanf("");
    const auto y = test::run_network(graph, batch, inputs)[0];
    EXPECT_TRUE(std::isnan(y[0]));
    if (batch > 1) {
      EXPECT_TRUE(std::isfinite(y.back()));
    }
    for (float& x : inputs[0]) x = 1e-39F;
    const auto tiny = test::run_network(graph, batch, inputs)[0];
    for (const float v : tiny) EXPECT_TRUE(std::isfinite(v));
  }
}

TEST(Quantize, KeepsEveryWeightWithinHalfAStep) {
  for (const test::Block& block : test::all_blocks()) {
    for (const WeightType type : {WeightType::kBF16, WeightType::kI8}) {
      const Graph graph = with_weight_type(block.graph, type);
      for (std::size_t w = 0; w < graph.weights.size(); ++w) {
        const auto before = block.graph.weights[w].to_floats(), after = graph.weights[w].to_floats();
        const auto& scales = graph.weights[w].scales;
        for (std::size_t i = 0; i < before.size(); ++i) {
          const float step = graph.weights[w].type == WeightType::kI8 ? scales[i * scales.size() / before.size()]
                                                                      : std::abs(before[i]) / 128;
          EXPECT_LE(std::abs(after[i] - before[i]), 0.5001F * step) << block.name;
        }
      }
    }
  }
}

TEST(Quantize, ConvertsMatricesOnlyAndBack) {
  GraphBuilder b;
  Random random(2);
  int x = b.normalize(b.input("x", 6), "n", test::random_values(random, 6), std::vector<float>(6, 2));
  x = b.linear(x, "l", {5, 6}, test::random_values(random, 30), test::random_values(random, 5));
  b.output("y", x);
  const Graph graph = std::move(b).build().value();
  const Graph small = with_weight_type(graph, WeightType::kI8);
  for (const Weight& weight : small.weights)
    EXPECT_EQ(weight.type, weight.name == "l.weight" ? WeightType::kI8 : WeightType::kF32);
  const Graph back = with_weight_type(small, WeightType::kF32);
  for (std::size_t w = 0; w < back.weights.size(); ++w) {
    EXPECT_EQ(back.weights[w].type, WeightType::kF32);
    EXPECT_EQ(back.weights[w].to_floats(), small.weights[w].to_floats());
    EXPECT_TRUE(back.weights[w].scales.empty());
  }
}

TEST(Quantize, RowsOfZerosAndTinyNumbersStayFinite) {
  GraphBuilder b;
  b.output("y", b.linear(b.input("x", 3), "l", {3, 3},
                         std::vector<float>{0, 0, 0, 1e-40F, -1e-40F, 0, 1e-30F, 2e-30F, -3e-30F}, {}));
  const Graph graph = with_weight_type(std::move(b).build().value(), WeightType::kI8);
  ASSERT_TRUE(validate(graph));
  const auto y = test::run_network(graph, 1, {{1, 1, 1}})[0];
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[1], 0);
  EXPECT_NEAR(y[2], 0, 1e-31F);
}

// One layer with a weight a thousand times larger than its neighbours, which int8 then loses;
// another that is harmless.
TEST(Quantize, KeepsTheLayerThatCostsMost) {
  GraphBuilder b;
  Random random(4);
  std::vector<float> bad = test::random_values(random, 64 * 16);
  for (std::size_t row = 0; row < 16; ++row) bad[row * 64] = 400;
  int x = b.input("x", 64);
  // The large weight meets the first input, which is always 0.
  const int first = b.linear(x, "bad", {16, 64}, bad, {}, Activation::kTanh);
  const int second = b.linear(x, "good", {16, 64}, test::random_values(random, 64 * 16, 0.1F), {}, Activation::kTanh);
  b.output("y", b.add(first, second));
  const Graph graph = std::move(b).build().value();
  std::vector<float> items = test::random_values(random, 200 * 64);
  for (std::size_t i = 0; i < items.size(); i += 64) items[i] = 0;
  const std::span<const float> inputs[] = {items};
  const SmallNetwork loose = quantize_within(graph, 10, 200, inputs).value();
  EXPECT_TRUE(loose.kept.empty());
  EXPECT_GT(loose.errors[0].worst(), 0.3F);
  const SmallNetwork tight = quantize_within(graph, 0.01F, 200, inputs).value();
  EXPECT_EQ(tight.kept, std::vector<std::string>{"bad.weight"});
  EXPECT_LT(tight.errors[0].worst(), 0.01F);
  EXPECT_GT(tight.errors[0].worst(), 0);
  // A bound that nothing meets: all stay bfloat16, and the error is told.
  const SmallNetwork all = quantize_within(graph, 1e-9F, 200, inputs).value();
  EXPECT_EQ(all.kept.size(), 2U);
  EXPECT_GT(all.errors[0].worst(), 1e-9F);
}

TEST(Quantize, RefusesToMeasureOnWhatIsNoNumber) {
  const Graph graph = test::all_blocks()[0].graph;
  auto inputs = test::random_inputs(graph, 2, 1);
  inputs[0][3] = std::nanf("");
  EXPECT_FALSE(compare_outputs(graph, graph, 2, test::spans_of(inputs)));
}

// y = 2 a, whose columns have known deviations; the other network is off by a known amount.
TEST(Quantize, ErrorIsMeasuredInUnitsOfTheColumnsDeviation) {
  const auto make = [](float scale, float shift) {
    GraphBuilder b;
    b.output("y",
             b.linear(b.input("x", 1), "l", {2, 1}, std::vector<float>{scale, 0}, std::vector<float>{shift, shift}));
    return std::move(b).build().value();
  };
  std::vector<float> x;
  for (int i = 0; i < 100; ++i) x.push_back(i % 2 == 0 ? -1.0F : 1.0F);  // Deviation 1, over more than one batch.
  const std::span<const float> inputs[] = {x};
  const auto errors = compare_outputs(make(2, 0), make(2, 0.1F), 100, inputs).value();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].name, "y");
  ASSERT_EQ(errors[0].columns.size(), 2U);
  EXPECT_NEAR(errors[0].columns[0].deviation, 2, 1e-5F);
  EXPECT_NEAR(errors[0].columns[0].rms, 0.1F, 1e-5F);
  EXPECT_NEAR(errors[0].worst(), 0.05F, 1e-5F);
  EXPECT_EQ(errors[0].columns[1].relative(), 0);  // A column that never varies.
  EXPECT_NEAR(errors[0].mean(), 0.025F, 1e-5F);
}

}  // namespace
}  // namespace zoe::nn
