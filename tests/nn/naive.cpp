// SPDX-License-Identifier: MIT
#include "nn/naive.h"

#include <bit>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "zoe/math/simd_dispatch.h"

#include "nn/blocks.h"
#include "nn/kernels/amx.h"

namespace zoe::test {

using nn::Activation;
using nn::WeightType;

std::vector<double> weight_of(const nn::Graph& graph, const std::string& name) {
  std::vector<double> out;
  for (const nn::Weight& weight : graph.weights) {
    if (weight.name != name) continue;
    std::size_t count = 1;
    for (const std::size_t dim : weight.shape) count *= dim;
    for (std::size_t i = 0; i < count; ++i) {
      const std::byte* at = weight.bytes.data();
      if (weight.type == WeightType::kF32) {
        float value = 0;
        std::memcpy(&value, at + 4 * i, 4);
        out.push_back(static_cast<double>(value));
      } else if (weight.type == WeightType::kBF16) {
        std::uint16_t half = 0;
        std::memcpy(&half, at + 2 * i, 2);
        out.push_back(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16U)));
      } else {
        const auto q = static_cast<double>(static_cast<std::int8_t>(at[i]));
        out.push_back(q * static_cast<double>(weight.scales[i * weight.scales.size() / count]));
      }
    }
  }
  return out;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double activated(Activation activation, double x, double alpha) {
  switch (activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return x > 0 ? x : 0;
    case Activation::kLeakyRelu:
      return x > 0 ? x : alpha * x;
    case Activation::kElu:
      return x > 0 ? x : std::expm1(x);
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kSigmoid:
      return sigmoid(x);
    case Activation::kGelu:
      return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    case Activation::kSine:
      return std::sin(x);
    case Activation::kSquareRoot:
      return std::sqrt(x);
  }
  return NAN;
}
Row activated(Activation activation, Row x, double alpha) {
  for (double& v : x) v = activated(activation, v, alpha);
  return x;
}

Row product(const std::vector<double>& matrix, const std::vector<double>& bias, std::size_t first_row,
            std::size_t num_rows, const Row& x) {
  Row out;
  for (std::size_t r = first_row; r < first_row + num_rows; ++r) {
    double sum = bias.empty() ? 0 : bias[r];
    for (std::size_t k = 0; k < x.size(); ++k) sum += matrix[r * x.size() + k] * x[k];
    out.push_back(sum);
  }
  return out;
}

Row softmax_of(Row x) {
  double sum = 0;
  for (double& v : x) sum += v = std::exp(v);
  for (double& v : x) v /= sum;
  return x;
}

// Rows of int8 layers have 8 bits: integer_rows_test.cpp computes those exactly.
double bound_of(WeightType type) { return type == WeightType::kI8 ? 0.05 : 1e-5; }

namespace {

Rows item_of(std::span<const float> values, nn::Shape shape, int item) {
  Rows rows(static_cast<std::size_t>(shape.steps));
  std::size_t at = static_cast<std::size_t>(item) * shape.size();
  for (Row& row : rows) {
    for (int i = 0; i < shape.width; ++i) row.push_back(static_cast<double>(values[at++]));
  }
  return rows;
}

void compare(const std::string& what, const nn::Graph& graph, const Naive& naive, int batch,
             const Comparison& comparison) {
  std::vector<std::vector<float>> inputs = random_inputs(graph, batch, 17 + static_cast<std::uint64_t>(batch));
  for (std::size_t i = 0; i < comparison.inputs.size(); ++i) {
    inputs[i] = comparison.inputs[i];
    inputs[i].resize(static_cast<std::size_t>(batch) * graph.inputs[i].shape.size());
  }
  const auto outputs = run_network(graph, batch, inputs);
  ASSERT_FALSE(outputs.empty()) << what;
  for (int item = 0; item < batch; ++item) {
    std::vector<Rows> in;
    for (std::size_t i = 0; i < inputs.size(); ++i) in.push_back(item_of(inputs[i], graph.inputs[i].shape, item));
    const Rows expected = naive(in), got = item_of(outputs[0], graph.outputs[0].shape, item);
    ASSERT_EQ(expected.size(), got.size()) << what;
    for (std::size_t s = 0; s < got.size(); ++s) {
      ASSERT_EQ(expected[s].size(), got[s].size()) << what;
      for (std::size_t k = 0; k < got[s].size(); ++k) {
        ASSERT_NEAR(got[s][k], expected[s][k], comparison.bound * (1 + std::abs(expected[s][k])))
            << what << ", batch " << batch << ", item " << item << ", row " << s << ", column " << k;
      }
    }
  }
}

}  // namespace

void expect_computes(const std::string& what, const nn::Graph& graph, const Naive& naive,
                     const Comparison& comparison) {
  const nn::kernels::WithoutAmx exact_rows;  // The matrix unit rounds them: amx_test.cpp.
  for (const int batch : comparison.batches) compare(what, graph, naive, batch, comparison);
  if (!comparison.every_target) return;
  for (const simd::Target& target : simd::supported_targets()) {
    const simd::ForceTarget forced(target);
    for (const int batch : comparison.batches) compare(what + ", " + target.name, graph, naive, batch, comparison);
  }
}

}  // namespace zoe::test
