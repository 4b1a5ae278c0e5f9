// SPDX-License-Identifier: MIT
#include "ground/function_surface.h"

#include <algorithm>
#include <cmath>

namespace zoe::ground {
namespace {

constexpr float kDifference_m = 0.005F;  // Offset to each side.
constexpr int kMaxSteps = 100'000;       // End of an infinite ray.
constexpr int kBisections = 40;

double clearance(const FunctionSurface& surface, const Ray& ray, double t) {
  const Vec3d p = ray.at(t);
  return p.y - surface.height(static_cast<float>(p.x), static_cast<float>(p.z));
}

}  // namespace

Vec3 normal_of(const FunctionSurface& surface, float x, float z) noexcept {
  if (surface.normal) return surface.normal(x, z);
  const float dx = surface.height(x + kDifference_m, z) - surface.height(x - kDifference_m, z);
  const float dz = surface.height(x, z + kDifference_m) - surface.height(x, z - kDifference_m);
  return normalized(Vec3{-dx, 2 * kDifference_m, -dz}, {0, 1, 0});
}

std::optional<SurfaceHit> cast(const FunctionSurface& surface, const Ray& ray) noexcept {
  double before = 0;
  const double side = clearance(surface, ray, 0);
  double hit = side == 0 ? 0 : -1;
  for (int step = 1; step <= kMaxSteps && hit < 0 && before < ray.max_distance_m; ++step) {
    const double t = std::min(ray.max_distance_m, step * static_cast<double>(surface.ray_step_m));
    if (clearance(surface, ray, t) * side <= 0) hit = t;
    if (hit < 0) before = t;
  }
  if (hit < 0) return std::nullopt;
  for (int i = 0; i < kBisections && before < hit; ++i) {
    const double middle = 0.5 * (before + hit);
    (clearance(surface, ray, middle) * side <= 0 ? hit : before) = middle;
  }
  const Vec3d p = ray.at(hit);
  return SurfaceHit{hit, normal_of(surface, static_cast<float>(p.x), static_cast<float>(p.z))};
}

}  // namespace zoe::ground
