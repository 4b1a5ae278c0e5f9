// SPDX-License-Identifier: MIT
#include "render/ground_heights.h"

#include <algorithm>
#include <cmath>

namespace zoe::render {
namespace {

constexpr int kCellsAlong = 255;  // Along the longer side.

}  // namespace

const HeightGrid& heights_to_draw(const Ground& ground, HeightGrid& sampled) {
  if (ground.height_grid() != nullptr) return *ground.height_grid();
  const Box3 box = ground.bounds();
  const Vec3 size = box.size();
  const float cell_m = std::max({size.x, size.z, 1e-3F}) / static_cast<float>(kCellsAlong);
  const auto corners = [&](float side_m) { return static_cast<int>(std::ceil(side_m / cell_m - 1e-3F)) + 1; };
  sampled = {.num_x = std::max(2, corners(size.x)),
             .num_z = std::max(2, corners(size.z)),
             .cell_m = cell_m,
             .origin_x_m = box.min.x,
             .origin_z_m = box.min.z};
  sampled.heights_m.reserve(static_cast<std::size_t>(sampled.num_x) * static_cast<std::size_t>(sampled.num_z));
  for (int row = 0; row < sampled.num_z; ++row) {
    for (int column = 0; column < sampled.num_x; ++column) {
      // The last corner may be beyond the mesh by a rounding error.
      const float x = std::min(box.min.x + cell_m * static_cast<float>(column), box.max.x),
                  z = std::min(box.min.z + cell_m * static_cast<float>(row), box.max.z);
      sampled.heights_m.push_back(ground.height(x, z));
    }
  }
  return sampled;
}

}  // namespace zoe::render
