// SPDX-License-Identifier: MIT
// Queries of a height grid.
#pragma once

#include <optional>

#include "zoe/ground/height_grid.h"

#include "ground/ray.h"

namespace zoe::ground {

struct HeightRange {
  float low = 0, high = 0;
};
HeightRange height_range(const HeightGrid& grid);

float height_of(const HeightGrid& grid, float x, float z) noexcept;
Vec3 normal_of(const HeightGrid& grid, float x, float z) noexcept;
// range: of all heights of the grid.
std::optional<SurfaceHit> cast(const HeightGrid& grid, HeightRange range, const Ray& ray) noexcept;

}  // namespace zoe::ground
