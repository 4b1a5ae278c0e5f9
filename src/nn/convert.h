// SPDX-License-Identifier: MIT
// Part of Zoetrope. Weights from one type to another.
#pragma once

#include <vector>

#include "zoe/nn/graph.h"

namespace zoe::nn {

// For each weight: number of its first axes with a scale each as int8. 0 where it must stay float32.
std::vector<int> matrix_scale_axes(const Graph& graph);

void convert_weight(Weight& weight, WeightType type, int scale_axes);

}  // namespace zoe::nn
