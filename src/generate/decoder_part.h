// SPDX-License-Identifier: MIT
// Part of Zoetrope. The second half of an autoencoder's network: from its code to its output.
#pragma once

#include "zoe/nn/graph.h"

namespace zoe::generate {

// A graph whose only input is the value of `graph`'s output `code` (number) and whose only output is `out` (number).
// Refuses a graph in which that output needs other inputs as well.
Result<nn::Graph> part_after(const nn::Graph& graph, std::size_t code, std::size_t out);

}  // namespace zoe::generate
