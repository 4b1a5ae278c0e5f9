// SPDX-License-Identifier: MIT
// Part of Zoetrope. Layers that repeatedly read the same columns through the same weights: an iteration whose input is
// [state, condition] multiplies the condition again each time. w·[a, b] + bias = w_a·a + (w_b·b + bias), and the
// bracket is the same for all of them.
#pragma once

#include <span>
#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::nn {

struct SharedProduct {
  std::vector<int> nodes;    // Two or more linear layers, in order, with the same weight and bias.
  std::vector<int> concats;  // The node that makes the input of each: two parts, without other readers.
  int part = 0;              // The part that is the same value for all.
};

// The graph must be valid. values: the result of validate().
std::vector<SharedProduct> find_shared_products(const Graph& graph, std::span<const ValueInfo> values);

}  // namespace zoe::nn
