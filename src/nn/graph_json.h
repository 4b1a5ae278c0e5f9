// SPDX-License-Identifier: MIT
// Part of Zoetrope. The graph's JSON text, without the weights themselves.
#pragma once

#include <string>
#include <string_view>

#include "zoe/nn/graph.h"

namespace zoe::nn {

constexpr int kGraphVersion = 1;  // The only one that is read.

std::string graph_to_json(const Graph& graph);

// Inputs, nodes and outputs. Graph::weights get names only. The reader fills in the rest, then calls validate(), which
// refuses the outputs' shapes unless set_output_shapes() has run.
Result<Graph> graph_from_json(std::string_view json);

// Copies the shapes of the values that outputs name. Refuses numbers out of range.
Result<void> set_output_shapes(Graph& graph);

}  // namespace zoe::nn
