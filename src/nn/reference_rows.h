// SPDX-License-Identifier: MIT
// Part of Zoetrope. The reference's operations along rows: all rows of one item at once.
#pragma once

#include <functional>
#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::nn::reference {

using Row = std::vector<double>;

double activate(double x, const Attributes& attributes);

struct Item {
  const Graph& graph;
  const Node& node;
  const std::vector<std::vector<float>>& weights;  // Of the graph, as floats.
  Shape out;
  std::vector<Shape> shapes;                                  // Of the inputs.
  std::function<const Row&(std::size_t input, int row)> row;  // Of this item.

  double weight(std::size_t role, std::size_t index, double otherwise) const;
};
bool is_along_rows(Op op);
std::vector<Row> compute(const Item& item);

}  // namespace zoe::nn::reference
