// SPDX-License-Identifier: MIT
// Queries of a ground that is given as a function.
#pragma once

#include <functional>
#include <optional>

#include "ground/ray.h"

namespace zoe::ground {

struct FunctionSurface {
  std::function<float(float x, float z)> height;
  std::function<Vec3(float x, float z)> normal;  // May be empty.
  float ray_step_m = 0.05F;
};

Vec3 normal_of(const FunctionSurface& surface, float x, float z) noexcept;
std::optional<SurfaceHit> cast(const FunctionSurface& surface, const Ray& ray) noexcept;

}  // namespace zoe::ground
