// SPDX-License-Identifier: MIT
// Queries of a ground that is given as a function.
#pragma once

#include <optional>

#include "zoe/ground/ground.h"

#include "ground/ray.h"

namespace zoe::ground {

struct FunctionSurface {
  Ground::HeightFunction height;
  Ground::NormalFunction normal;  // May be empty.
  float ray_step_m = 0.05F;
};

Vec3 normal_of(const FunctionSurface& surface, float x, float z) noexcept;
std::optional<SurfaceHit> cast(const FunctionSurface& surface, const Ray& ray) noexcept;

}  // namespace zoe::ground
