// SPDX-License-Identifier: MIT
// Part of Zoetrope. Layers that read the same columns through the same weights again and again: an iteration whose
// input is [state, condition] multiplies the condition anew each time. w·[a, b] + bias = w_a·a + (w_b·b + bias), and
// the bracket is the same for all of them.
#pragma once

#include <span>
#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::nn {

struct SharedProduct {
  std::vector<int> nodes;    // Two or more linear layers, in order, with the same weight and bias.
  std::vector<int> concats;  // The node that makes the input of each: two parts, without other readers.
  int part = 0;              // Which of the parts is the same value for all.
};

// The graph must be valid; values: what validate() gave.
std::vector<SharedProduct> find_shared_products(const Graph& graph, std::span<const ValueInfo> values);

}  // namespace zoe::nn
