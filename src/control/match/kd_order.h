// SPDX-License-Identifier: MIT
// Part of Zoetrope. Sorts points so that neighbours in space are neighbours in memory.
#pragma once

#include <span>

namespace zoe::control {

// Sorts `order`, indices of points [points × num_axes], by halving along the axis of the largest variance. Cuts are at
// multiples of 16, of 256 where more remain, of 4096, …, so that blocks of 16 blocks are as compact as possible.
void sort_in_kd_order(std::span<const float> points, int num_axes, std::span<int> order);

}  // namespace zoe::control
