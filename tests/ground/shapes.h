// SPDX-License-Identifier: MIT
// Grounds to test with, and the slow truth about them: every triangle is asked.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "zoe/core/random.h"
#include "zoe/ground/ground.h"

namespace zoe::ground_test {

inline float hills(float x, float z) { return 0.3F * std::sin(x) + 0.4F * std::cos(z); }

// 41 × 41 corners from -5 m to 5 m.
inline HeightGrid hilly_grid() {
  HeightGrid grid{{}, 41, 41, 0.25F, -5, -5};
  for (int row = 0; row < 41; ++row) {
    for (int column = 0; column < 41; ++column) {
      grid.heights_m.push_back(hills(-5 + 0.25F * static_cast<float>(column), -5 + 0.25F * static_cast<float>(row)));
    }
  }
  return grid;
}

struct Triangles {
  std::vector<Vec3> positions;
  std::vector<std::uint32_t> indices;

  void add(Vec3 a, Vec3 b, Vec3 c) {
    for (const Vec3& p : {a, b, c}) {
      indices.push_back(static_cast<std::uint32_t>(positions.size()));
      positions.push_back(p);
    }
  }
  // Level, between two corners.
  void add_quad(Vec3 low, Vec3 high) {
    add(low, {low.x, low.y, high.z}, high);
    add(low, high, {high.x, low.y, low.z});
  }
};

// Two triangles a cell.
inline Triangles triangles_of(const HeightGrid& grid) {
  Triangles out;
  for (int row = 0; row < grid.num_z; ++row) {
    for (int column = 0; column < grid.num_x; ++column) {
      const auto a = static_cast<std::uint32_t>(row * grid.num_x + column), b = a + 1,
                 c = a + static_cast<std::uint32_t>(grid.num_x), d = c + 1;
      out.positions.push_back({grid.origin_x_m + grid.cell_m * static_cast<float>(column), grid.heights_m[a],
                               grid.origin_z_m + grid.cell_m * static_cast<float>(row)});
      if (row + 1 < grid.num_z && column + 1 < grid.num_x) {
        out.indices.insert(out.indices.end(), {a, c, d, a, d, b});
      }
    }
  }
  return out;
}

// Small triangles in all directions, in a box of 10 m × 3 m × 10 m.
inline Triangles make_soup(int count, Random& random) {
  Triangles out;
  const auto near = [&](Vec3 p) {
    return p + Vec3{random.uniform(-0.6F, 0.6F), random.uniform(-0.6F, 0.6F), random.uniform(-0.6F, 0.6F)};
  };
  for (int i = 0; i < count; ++i) {
    const Vec3 at{random.uniform(-5, 5), random.uniform(-1.5F, 1.5F), random.uniform(-5, 5)};
    out.add(near(at), near(at), near(at));
  }
  return out;
}

// Möller and Trumbore 1997 in double precision: another method than the one under test.
inline std::optional<double> brute_distance(Vec3 a, Vec3 b, Vec3 c, Vec3d origin, Vec3d direction) {
  const Vec3d p = to_double(a), ab = to_double(b) - p, ac = to_double(c) - p;
  const Vec3d across = cross(direction, ac);
  const double det = dot(ab, across);
  if (det == 0) return std::nullopt;
  const Vec3d from = origin - p;
  const double u = dot(from, across) / det;
  const Vec3d q = cross(from, ab);
  const double v = dot(direction, q) / det, t = dot(ac, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? std::optional(t) : std::nullopt;
}

struct BruteHit {
  double distance = 0;
  Vec3 normal;
};
inline std::optional<BruteHit> brute_ray(const Triangles& mesh, Vec3 origin, Vec3 direction) {
  std::optional<BruteHit> best;
  const Vec3d unit = normalized(to_double(direction));
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const Vec3 a = mesh.positions[mesh.indices[i]], b = mesh.positions[mesh.indices[i + 1]],
               c = mesh.positions[mesh.indices[i + 2]];
    const auto t = brute_distance(a, b, c, to_double(origin), unit);
    if (!t || (best && best->distance <= *t)) continue;
    const Vec3d normal = normalized(cross(to_double(b) - to_double(a), to_double(c) - to_double(a)));
    best = BruteHit{*t, to_float(dot(normal, unit) > 0 ? -normal : normal)};
  }
  return best;
}

struct BrutePoint {
  float height = 0;
  Vec3 normal;
};
inline std::optional<BrutePoint> brute_height(const Triangles& mesh, float x, float z) {
  const auto hit = brute_ray(mesh, {x, 100, z}, {0, -1, 0});
  if (!hit) return std::nullopt;
  return BrutePoint{static_cast<float>(100 - hit->distance), hit->normal};
}

}  // namespace zoe::ground_test
