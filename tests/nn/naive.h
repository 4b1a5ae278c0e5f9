// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Operations once more, item by item in double precision, as plainly as they can be written:
// what the compiled network is compared with. Shares no code with the module.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::test {

using Row = std::vector<double>;
using Rows = std::vector<Row>;                                   // Of one item: [steps][width].
using Naive = std::function<Rows(const std::vector<Rows>& in)>;  // Inputs of one item to its first output.

// The numbers that a weight of the graph stands for, decoded from its bytes; empty where there is none of that name.
std::vector<double> weight_of(const nn::Graph& graph, const std::string& name);

double activated(nn::Activation activation, double x, double alpha = 0.01);
Row activated(nn::Activation activation, Row x, double alpha = 0.01);
double sigmoid(double x);
// matrix [rows, x.size()] · x, from `first_row` on, plus the bias where there is one.
Row product(const std::vector<double>& matrix, const std::vector<double>& bias, std::size_t first_row,
            std::size_t num_rows, const Row& x);
Row softmax_of(Row x);

struct Comparison {
  double bound = 1e-5;  // Of |got - expected|, for each unit of 1 + |expected|.
  std::vector<int> batches{1, 3, 65};
  bool every_target = true;  // Else the best instruction set only.
  // Inputs in place of random ones; [items] at least the largest batch.
  std::vector<std::vector<float>> inputs = {};
};
// Runs the compiled network on every batch and instruction set, and compares each item's first output.
void expect_computes(const std::string& what, const nn::Graph& graph, const Naive& naive,
                     const Comparison& comparison = {});

// For tests of weight types: bounds that hold for numbers near one. int8 kernels round inputs to 16 bits.
double bound_of(nn::WeightType type);
inline constexpr nn::WeightType kWeightTypes[] = {nn::WeightType::kF32, nn::WeightType::kBF16, nn::WeightType::kI8};

}  // namespace zoe::test
