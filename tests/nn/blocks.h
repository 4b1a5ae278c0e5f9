// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. One small network for each operation, with random weights: what every way of running a
// network is compared on.
#pragma once

#include <string>
#include <vector>

#include "zoe/core/random.h"
#include "zoe/nn/graph.h"

namespace zoe::test {

struct Block {
  std::string name;
  nn::Graph graph;
};

// Sizes are odd on purpose: no multiple of any vector length.
std::vector<Block> all_blocks();

// Those of them that work along rows (blocks_rows.cpp).
std::vector<Block> row_blocks();

// Networks with dimensions, and sizes for them.
struct DimBlock {
  std::string name;
  nn::Graph graph;
  std::vector<std::vector<nn::DimSize>> sizes;
};
std::vector<DimBlock> dim_blocks();

std::vector<float> random_values(Random& random, std::size_t n, float scale = 1);

// Random inputs for a graph, [batch, steps, width] each; indices of embeddings and phases are in range.
std::vector<std::vector<float>> random_inputs(const nn::Graph& graph, int batch, std::uint64_t seed);

std::vector<std::span<const float>> spans_of(const std::vector<std::vector<float>>& values);

// Runs the compiled network; empty when the job refuses.
std::vector<std::vector<float>> run_network(const nn::Graph& graph, int batch,
                                            const std::vector<std::vector<float>>& inputs);

// Largest |a - b| over all outputs; infinity where sizes differ or one is not a number.
float largest_difference(const std::vector<std::vector<float>>& a, const std::vector<std::vector<float>>& b);

}  // namespace zoe::test
