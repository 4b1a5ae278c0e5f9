// SPDX-License-Identifier: MIT
// Part of Zoetrope. Heights on a regular grid, as plain data. Y up, metres.
#pragma once

#include <vector>

namespace zoe {

// The surface is bilinear inside a cell. Beyond the border the height of the nearest border point holds.
struct HeightGrid {
  std::vector<float> heights_m;          // [num_z × num_x], x runs fastest.
  int num_x = 0, num_z = 0;              // Number of corners, at least two in each direction.
  float cell_m = 1;                      // Distance between neighbours, above zero.
  float origin_x_m = 0, origin_z_m = 0;  // Position of the first height.
};

}  // namespace zoe
