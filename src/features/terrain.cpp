// SPDX-License-Identifier: MIT
#include "zoe/features/terrain.h"

#include <algorithm>
#include <cmath>

namespace zoe::features {

Result<GridTerrain> GridTerrain::create(std::vector<float> heights, int columns, int rows, float spacing_m,
                                        float origin_x_m, float origin_z_m) {
  if (columns < 2 || rows < 2 || heights.size() != static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {
    return Error{ErrorCode::kUsage, "a height grid needs at least 2 x 2 heights, as many as columns times rows", {}};
  }
  if (!(spacing_m > 0)) return Error{ErrorCode::kUsage, "a height grid's spacing must be above zero", {}};
  GridTerrain grid;
  grid.heights_ = std::move(heights);
  grid.columns_ = columns;
  grid.rows_ = rows;
  grid.spacing_ = spacing_m;
  grid.origin_x_ = origin_x_m;
  grid.origin_z_ = origin_z_m;
  return grid;
}

float GridTerrain::height(float x, float z) const noexcept {
  const float column = std::clamp((x - origin_x_) / spacing_, 0.0F, static_cast<float>(columns_ - 1));
  const float row = std::clamp((z - origin_z_) / spacing_, 0.0F, static_cast<float>(rows_ - 1));
  const int c = std::min(static_cast<int>(column), columns_ - 2), r = std::min(static_cast<int>(row), rows_ - 2);
  const float u = column - static_cast<float>(c), v = row - static_cast<float>(r);
  const auto at = [&](int i, int j) { return heights_[static_cast<std::size_t>(j * columns_ + i)]; };
  const float near = at(c, r) + (at(c + 1, r) - at(c, r)) * u;
  const float far = at(c, r + 1) + (at(c + 1, r + 1) - at(c, r + 1)) * u;
  return near + (far - near) * v;
}

}  // namespace zoe::features
