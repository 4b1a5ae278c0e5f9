// SPDX-License-Identifier: MIT
// Part of Zoetrope. The same network in fewer bits, and the error that this adds.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::nn {

// Converts the matrices of linear, expert, convolution and recurrent layers and tables of embeddings to `type`. Biases,
// normalisation and constants stay float32. int8 has one scale for each output channel of each expert: its largest
// weight becomes 127. Weights that are not float32 are converted from the values they represent.
Graph with_weight_type(const Graph& graph, WeightType type);

// Error of one output column over all given items and rows.
struct ColumnError {
  float rms = 0;        // Of the difference.
  float deviation = 0;  // Standard deviation of the column itself, in the exact network.
  // The error in units of the column's own variation; columns that do not vary count 0.
  float relative() const { return deviation > 0 ? rms / deviation : 0; }
};
struct OutputError {
  std::string name;
  std::vector<ColumnError> columns;
  float worst() const;
  float mean() const;
};

// Synthetic inputs for a network without data, [count, steps, width] each: normally distributed with the mean and
// deviation of the network's normalisation (0 and 1 where there is none), indices of embeddings and phases in range.
std::vector<std::vector<float>> made_up_inputs(const Graph& graph, int count, std::uint64_t seed);

// Runs both networks on `count` items; inputs: one span each, [count, steps, width]. The networks
// have the same ports.
Result<std::vector<OutputError>> compare_outputs(const Graph& exact, const Graph& other, int count,
                                                 std::span<const std::span<const float>> inputs);

// int8, except that the layers with the largest errors stay bfloat16, as few bytes of them as needed to bring the worst
// column's error on these items down to `max_error` (a fraction of its deviation).
struct SmallNetwork {
  Graph graph;
  std::vector<std::string> kept;    // Weights that stayed bfloat16.
  std::vector<OutputError> errors;  // Against the given graph. May exceed max_error when all layers are kept.
};
Result<SmallNetwork> quantize_within(const Graph& graph, float max_error, int count,
                                     std::span<const std::span<const float>> inputs);

}  // namespace zoe::nn
