// SPDX-License-Identifier: MIT
// Part of Zoetrope. What the last frame cost.
#pragma once

#include <cstddef>

namespace zoe::render {

// Figures of the last frame.
struct RenderStatistics {
  double prepare_s = 0;  // Sorting, bounds, palettes, lamps, shadow fit: our own work before the first OpenGL call.
  std::size_t num_draws = 0;
  std::size_t num_triangles = 0;  // In the main view.
  std::size_t num_culled = 0;     // Instances and cones left out: neither they nor their shadows can be in view.
};

}  // namespace zoe::render
