// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Sizes for the dimensions of a network that is exported.
#pragma once

#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/nn/graph.h"

namespace zoe::cli {

// words: NAME=N for each dimension. Without words the dimensions stay free.
Result<nn::Graph> with_sizes(const nn::Graph& graph, const std::vector<std::string>& words);

// Small sizes that the network can have, for worked examples and measurements. Without dimensions: the graph itself.
struct SizedGraph {
  nn::Graph graph;
  std::vector<nn::DimSize> sizes;  // Names are those of the original graph.
};
Result<SizedGraph> with_example_sizes(const nn::Graph& graph);

}  // namespace zoe::cli
