// SPDX-License-Identifier: MIT
// Layers of int8 weights, computed again number by number in whole 64-bit integers: neither the products of pairs nor
// the sums of a block may lose anything.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "zoe/core/arithmetic.h"
#include "zoe/math/simd_dispatch.h"
#include "zoe/nn/graph_builder.h"
#include "zoe/nn/quantize.h"

#include "nn/blocks.h"
#include "nn/kernels/kernels.h"

namespace zoe::nn {
namespace {

constexpr std::size_t kBlockInputs = 512, kGroupInputs = 64, kOut = 37;

// What a row stands for after it was rounded: 8 bits, and a factor for two neighbours of the same block.
std::vector<long> rounded_row(const std::vector<float>& x, float& unit) {
  float highest = 0;
  for (const float v : x) highest = std::max(highest, std::abs(v));
  const float units = 8100.0F / highest;
  unit = 1 / units;
  std::vector<long> out;
  for (std::size_t i = 0; i < x.size(); i += 2) {
    const float second = i + 1 < x.size() ? x[i + 1] : 0.0F;
    const float size = std::abs(x[i]) + std::abs(second);
    const long factor = static_cast<long>(size * (units / 127.0F)) + 1;
    const float step = units / static_cast<float>(factor);
    EXPECT_LE(factor, 128);
    EXPECT_LE(std::abs(std::nearbyint(x[i] * step)) + std::abs(std::nearbyint(second * step)), 128);
    for (std::size_t k = i; k < std::min(i + 2, x.size()); ++k)
      out.push_back(factor * static_cast<long>(std::nearbyint(x[k] * step)));
  }
  return out;
}

// The same where groups of 64 inputs have a unit each: whole numbers, and the units of their groups.
std::vector<long> grouped_row(const std::vector<float>& x, std::vector<float>& units) {
  std::vector<long> out;
  for (std::size_t begin = 0; begin < x.size(); begin += kGroupInputs) {
    const std::size_t end = std::min(x.size(), begin + kGroupInputs);
    float highest = 0;
    for (std::size_t i = begin; i < end; ++i) highest = std::max(highest, std::abs(x[i]));
    for (std::size_t i = begin; i < end; ++i) {
      out.push_back(static_cast<long>(std::nearbyint(x[i] * (127.0F / highest))));
      units.push_back(highest / 127.0F);
      EXPECT_LE(std::abs(out.back()), 127);
    }
  }
  return out;
}

struct Layer {
  Graph graph;
  std::vector<float> scales;
  std::vector<int> weights;  // [kOut, in]
};

// Weights with the signs of `pattern`: the largest of all, or random ones.
Layer make_layer(std::size_t in, bool largest, Random& random) {
  std::vector<float> values(kOut * in);
  for (float& v : values) v = largest ? 1.0F : random.uniform(-1, 1);
  if (largest) {
    for (std::size_t i = 0; i < in; ++i) values[in + i] = -1;  // The second output.
  }
  GraphBuilder b;
  b.output("y", b.linear(b.input("x", static_cast<int>(in)), "l", {kOut, in}, values, {}));
  Layer layer{with_weight_type(std::move(b).build().value(), WeightType::kI8), {}, {}};
  for (const Weight& weight : layer.graph.weights) {
    if (weight.type != WeightType::kI8) continue;
    layer.scales = weight.scales;
    for (const std::byte q : weight.bytes) layer.weights.push_back(static_cast<std::int8_t>(q));
  }
  return layer;
}

std::vector<float> make_row(std::size_t in, int kind, Random& random) {
  std::vector<float> x(in);
  for (std::size_t i = 0; i < in; ++i) {
    switch (kind) {
      case 0:
        x[i] = random.uniform(-3, 3);
        break;
      case 1:
        x[i] = 1;  // The largest sums.
        break;
      case 2:
        x[i] = i % 2 == 0 ? 5.0F : -1e-3F;  // A large and a small neighbour.
        break;
      default:
        x[i] = i % 97 == 3 ? -100.0F : random.uniform(-0.01F, 0.01F);  // Few large numbers.
    }
  }
  return x;
}

// grouped: rows have units for groups, see kernels.h.
void expect_exact(const char* target, bool grouped) {
  Random random(5);
  for (const std::size_t in : {1, 2, 5, 31, 130, 512, 700, 1030}) {
    for (const bool largest : {false, true}) {
      const Layer layer = make_layer(in, largest, random);
      for (int kind = 0; kind < 4; ++kind) {
        const std::vector<float> x = make_row(in, kind, random);
        float unit = 0;
        std::vector<float> units;
        const std::vector<long> q = grouped ? grouped_row(x, units) : rounded_row(x, unit);
        for (const int batch : {1, 2, 9}) {
          std::vector<float> rows;
          for (int i = 0; i < batch; ++i) rows.insert(rows.end(), x.begin(), x.end());
          const auto y = test::run_network(layer.graph, batch, {rows})[0];
          for (std::size_t n = 0; n < kOut; ++n) {
            double expected = 0, size = 0;
            const std::size_t inputs = grouped ? kGroupInputs : kBlockInputs;
            for (std::size_t begin = 0; begin < in; begin += inputs) {
              long sum = 0;
              for (std::size_t k = begin; k < std::min(in, begin + inputs); ++k)
                sum += q[k] * layer.weights[n * in + k];
              const double part = static_cast<double>(sum) * static_cast<double>(grouped ? units[begin] : unit) *
                                  static_cast<double>(layer.scales[n]);
              expected += part, size += std::abs(part);
            }
            for (int i = 0; i < batch; ++i)
              EXPECT_NEAR(y[static_cast<std::size_t>(i) * kOut + n], expected, 1e-6 * size + 1e-30)
                  << in << " inputs, row " << kind << ", batch " << batch << ", " << target;
          }
        }
      }
    }
  }
}

TEST(IntegerRows, AreExactOnEveryInstructionSet) {
  // Byte products that 32 bits add up, in the fast arithmetic.
  expect_exact("best", kernels::table().quantizes_groups());
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget forced(target);
    expect_exact(target.name, kernels::table().quantizes_groups());
    set_arithmetic(Arithmetic::kDeterministic);
    EXPECT_FALSE(kernels::table().quantizes_groups());
    expect_exact(target.name, false);
    set_arithmetic(Arithmetic::kFast);
  }
}

// A row's error is 1/254 of the largest number of its group at most.
TEST(IntegerRows, AGroupIsWithinA254thOfItsLargest) {
  Random random(6);
  for (int kind = 0; kind < 4; ++kind) {
    const std::vector<float> x = make_row(600, kind, random);
    std::vector<float> units;
    const std::vector<long> q = grouped_row(x, units);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_LE(std::abs(static_cast<float>(q[i]) * units[i] - x[i]), 0.5001F * units[i]) << i;
  }
}

// A pair's error depends on the pair alone: small numbers beside a far larger one keep their accuracy.
TEST(IntegerRows, APairIsWithinA254thOfItsSum) {
  Random random(6);
  for (int kind = 0; kind < 4; ++kind) {
    const std::vector<float> x = make_row(600, kind, random);
    float unit = 0;
    const std::vector<long> q = rounded_row(x, unit);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const float size = std::abs(x[i]) + std::abs(x[i ^ 1U]);
      EXPECT_LE(std::abs(static_cast<float>(q[i]) * unit - x[i]), 1.001F * size / 254 + 0.5F * unit) << i;
    }
  }
}

}  // namespace
}  // namespace zoe::nn
