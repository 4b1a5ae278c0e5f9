// SPDX-License-Identifier: MIT
#include "zoe/features/ground_signals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "zoe/core/check.h"
#include "zoe/core/index.h"
#include "zoe/math/portable.h"

namespace zoe::features {
namespace {

constexpr float kBehind_s = 0.5F, kAhead_s = 2.0F / 3;

struct GroundAxes {
  Vec3 forward, left;
};
GroundAxes ground_axes(float facing_rad) {
  const float s = portable_sin(facing_rad), c = portable_cos(facing_rad);
  return {{s, 0, c}, {c, 0, -s}};
}

Vec3 present_velocity(const ControlSeries& way) {
  const double step_s = way.times.step_s();
  if (way.roots.size() < 2 || !(step_s > 0)) return {};
  return (way.roots[1].position - way.roots[0].position) / static_cast<float>(step_s);
}

float clamped_height(const PlacedGround& ground, Vec3 at, bool* is_there = nullptr) {
  const float height = ground.height(at.x, at.z);
  if (is_there != nullptr) *is_there = std::isfinite(height);
  return std::isfinite(height) ? std::clamp(height, -kGroundClamp_m, kGroundClamp_m) : 0.0F;
}

// Squared distance in the plane of p from the segment a b.
float segment_distance2(Vec3 p, Vec3 a, Vec3 b) {
  const float dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
  const float t = length2 > 1e-12F ? std::clamp(((p.x - a.x) * dx + (p.z - a.z) * dz) / length2, 0.0F, 1.0F) : 0.0F;
  const float x = p.x - a.x - dx * t, z = p.z - a.z - dz * t;
  return x * x + z * z;
}

}  // namespace

void write_ground_heights(const PlacedGround& ground, const ControlSeries& way, std::span<float> out) {
  ZOE_CHECK(out.size() == idx(kGroundHeightsWidth) && !way.roots.empty(), "write_ground_heights: 36 numbers, a path");
  const PlanarRoot& now = way.roots[0];
  const Vec3 velocity = present_velocity(way);
  for (int i = 0; i < kGroundHeightTimes; ++i) {
    const float time_s = -kBehind_s + (kBehind_s + kAhead_s) * static_cast<float>(i) / (kGroundHeightTimes - 1);
    const PlanarRoot root =
        time_s < 0 ? PlanarRoot{now.position + velocity * time_s, now.facing_rad} : way.root_at(time_s);
    const Vec3 left = ground_axes(root.facing_rad).left * kGroundLateral_m;
    float* heights = &out[idx(3 * i)];
    heights[0] = clamped_height(ground, root.position + left);
    heights[1] = clamped_height(ground, root.position);
    heights[2] = clamped_height(ground, root.position - left);
  }
}

void write_ground_grid(const PlacedGround& ground, const ControlSeries& way, std::span<float> out) {
  ZOE_CHECK(out.size() == idx(kGroundGridWidth) && !way.roots.empty(), "write_ground_grid: one grid, a path");
  constexpr std::size_t kMaxPoints = 32;
  std::array<Vec3, kMaxPoints> path;
  std::size_t num_points = 0;
  const PlanarRoot& now = way.roots[0];
  path[num_points++] = now.position - present_velocity(way) * kBehind_s;
  for (const PlanarRoot& root : way.roots) {
    if (num_points < kMaxPoints) path[num_points++] = root.position;
  }
  const GroundAxes axes = ground_axes(now.facing_rad);
  for (int row = 0; row < kGroundGridRows; ++row) {
    for (int column = 0; column < kGroundGridColumns; ++column) {
      const float ahead_m = -kGroundGridBehind_m + kGroundGridCell_m * static_cast<float>(row);
      const float left_m = kGroundGridCell_m * (0.5F * (kGroundGridColumns - 1) - static_cast<float>(column));
      const Vec3 at = now.position + axes.forward * ahead_m + axes.left * left_m;
      float nearest2 = 1e30F;
      for (std::size_t i = 0; i + 1 < num_points; ++i)
        nearest2 = std::min(nearest2, segment_distance2(at, path[i], path[i + 1]));
      const std::size_t cell = idx(row * kGroundGridColumns + column);
      bool is_filled = nearest2 <= kGroundGridReach_m * kGroundGridReach_m;
      out[cell] = is_filled ? clamped_height(ground, at, &is_filled) : 0.0F;
      out[cell + idx(kGroundGridCells)] = is_filled ? 1.0F : 0.0F;
    }
  }
}

void mirror_ground_heights(std::span<float> values) {
  for (std::size_t i = 0; i + 2 < values.size(); i += 3) std::swap(values[i], values[i + 2]);
}

void mirror_ground_grid(std::span<float> values) {
  for (std::size_t i = 0; i + kGroundGridColumns <= values.size(); i += kGroundGridColumns)
    std::reverse(values.begin() + static_cast<std::ptrdiff_t>(i),
                 values.begin() + static_cast<std::ptrdiff_t>(i + kGroundGridColumns));
}

}  // namespace zoe::features
