// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a graph means, as plain loops in double precision: the oracle that every faster way is compared with.
#pragma once

#include <span>
#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::nn {

// inputs[i]: [batch, steps, width] of graph.inputs[i]; returns the outputs alike. The graph must be valid. Slow.
std::vector<std::vector<float>> run_reference(const Graph& graph, int batch,
                                              std::span<const std::span<const float>> inputs);

}  // namespace zoe::nn
