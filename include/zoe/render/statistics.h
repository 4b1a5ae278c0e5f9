// SPDX-License-Identifier: MIT
// Part of Zoetrope. Counts and times of a frame.
#pragma once

#include <cstddef>

namespace zoe::render {

// Measurements of the last frame.
struct RenderStatistics {
  double prepare_s = 0;  // Sorting, bounds, palettes, lamps, shadow fit: our own CPU work before the first OpenGL call.
  std::size_t num_draws = 0;
  std::size_t num_triangles = 0;  // In the main view.
  std::size_t num_culled = 0;     // Culled instances and cones: neither they nor their shadows can be visible.
};

}  // namespace zoe::render
