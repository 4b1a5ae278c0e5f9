// SPDX-License-Identifier: MIT
#include "zoe/synth/terrain.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace zoe::synth {

const char* to_string(TerrainKind kind) {
  switch (kind) {
    case TerrainKind::kFlat:
      return "flat";
    case TerrainKind::kRough:
      return "rough";
    case TerrainKind::kSlope:
      return "slope";
    case TerrainKind::kStairs:
      return "stairs";
  }
  return "?";
}

Terrain::Terrain(TerrainKind kind, float leg_length_m, Random random) : kind_(kind) {
  const float leg = leg_length_m;
  switch (kind) {
    case TerrainKind::kFlat:
      break;
    case TerrainKind::kRough:
      // Plane waves of random directions: smooth, and cheap to ask anywhere. Short waves are low
      // ones.
      for (Wave& wave : waves_) {
        const float length_m = leg * random.uniform(2.2F, 8.0F),
                    direction = random.uniform(0, 2 * std::numbers::pi_v<float>);
        const float k = 2 * std::numbers::pi_v<float> / length_m;
        wave = {k * std::cos(direction), k * std::sin(direction), random.uniform(0, 6.28F), 0.011F * length_m};
      }
      break;
    case TerrainKind::kSlope: {
      climb_ = random.below(2) == 0 ? 1 : -1;
      slope_z_ = static_cast<float>(climb_) * random.uniform(0.07F, 0.2F);
      slope_x_ = random.uniform(-0.06F, 0.06F);
      break;
    }
    case TerrainKind::kStairs:
      climb_ = random.below(2) == 0 ? 1 : -1;
      run_m_ = leg * random.uniform(0.42F, 0.55F);
      rise_m_ = static_cast<float>(climb_) * leg * random.uniform(0.1F, 0.19F);
      start_m_ = leg * random.uniform(1.0F, 1.5F);
      num_steps_ = static_cast<int>(8 + random.below(20));
      break;
  }
}

float Terrain::height(float x, float z) const {
  switch (kind_) {
    case TerrainKind::kFlat:
      return 0;
    case TerrainKind::kRough: {
      float sum = 0;
      for (const Wave& wave : waves_) sum += wave.amplitude_m * std::sin(wave.kx * x + wave.kz * z + wave.phase);
      return sum;
    }
    case TerrainKind::kSlope:
      return slope_x_ * x + slope_z_ * z;
    case TerrainKind::kStairs:
      return rise_m_ * std::clamp(std::floor((z - start_m_) / run_m_) + 1, 0.0F, static_cast<float>(num_steps_));
  }
  return 0;
}

Vec3 Terrain::normal(float x, float z) const {
  float dx = 0, dz = 0;
  if (kind_ == TerrainKind::kRough) {
    for (const Wave& wave : waves_) {
      const float c = wave.amplitude_m * std::cos(wave.kx * x + wave.kz * z + wave.phase);
      dx += c * wave.kx;
      dz += c * wave.kz;
    }
  } else if (kind_ == TerrainKind::kSlope) {
    dx = slope_x_, dz = slope_z_;
  }
  return normalized(Vec3{-dx, 1, -dz});
}

float Terrain::supported_z(float z, float back_m, float front_m) const {
  if (kind_ != TerrainKind::kStairs) return z;
  const float size = back_m + front_m;
  // Edges lie at start + k run, k = 0..steps-1. The tread around the middle of the foot holds it.
  const float k = std::floor((z + 0.5F * (front_m - back_m) - start_m_) / run_m_);
  const bool first = k < 0, last = k + 1 >= static_cast<float>(num_steps_);
  const float low = first ? -1e9F : start_m_ + k * run_m_, high = last && !first ? 1e9F : start_m_ + (k + 1) * run_m_;
  const float margin = 0.02F * run_m_;
  if (first) return std::min(z, start_m_ - front_m - margin);
  if (high - low < size) return 0.5F * (low + high) + 0.5F * (back_m - front_m);
  return std::clamp(z, low + back_m + margin, std::max(low + back_m + margin, high - front_m - margin));
}

Mesh Terrain::to_mesh(float min_x, float min_z, float max_x, float max_z, float cell_m) const {
  Mesh mesh;
  mesh.name = "terrain";
  const int nx = std::max(2, static_cast<int>((max_x - min_x) / cell_m) + 2),
            nz = std::max(2, static_cast<int>((max_z - min_z) / cell_m) + 2);
  for (int j = 0; j < nz; ++j) {
    for (int i = 0; i < nx; ++i) {
      const float x = min_x + cell_m * static_cast<float>(i), z = min_z + cell_m * static_cast<float>(j);
      mesh.positions.push_back({x, height(x, z), z});
      mesh.normals.push_back(normal(x, z));
      if (i + 1 == nx || j + 1 == nz) continue;
      const auto a = static_cast<std::uint32_t>(j * nx + i), b = a + 1, c = a + static_cast<std::uint32_t>(nx),
                 d = c + 1;
      mesh.indices.insert(mesh.indices.end(), {a, c, d, a, d, b});
    }
  }
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), 0});
  return mesh;
}

}  // namespace zoe::synth
