// SPDX-License-Identifier: MIT
// Part of Zoetrope. The definition of a graph's result, as plain loops in double precision: the reference of every
// faster implementation.
#pragma once

#include <span>
#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::nn {

// inputs[i]: [batch, steps, width] of graph.inputs[i]; returns the outputs in the same form. The graph must be valid.
// Slow.
std::vector<std::vector<float>> run_reference(const Graph& graph, int batch,
                                              std::span<const std::span<const float>> inputs);

}  // namespace zoe::nn
