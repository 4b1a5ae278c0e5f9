// SPDX-License-Identifier: MIT
#include "synth/flesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "zoe/math/box.h"

namespace zoe::synth {
namespace {

constexpr float kSharpness = 6;  // Larger: tighter fillets where blobs meet.
constexpr float kCutoff = 1.6F;  // In radii; farther away a blob adds less than exp(-9.6).

// Scales by 1 / stretch make the blob's cross-section round.
Vec3 inverse_of(Vec3 stretch) { return {1 / stretch.x, 1 / stretch.y, 1 / stretch.z}; }

struct BlobShape {
  Vec3 a, along, inverse;
  float along2 = 0, radius_a = 0, slope = 0;

  explicit BlobShape(const Blob& blob)
      : a(blob.a), inverse(inverse_of(blob.stretch)), radius_a(blob.radius_a), slope(blob.radius_b - blob.radius_a) {
    along = (blob.b - blob.a) * inverse;
    along2 = std::max(dot(along, along), 1e-12F);
  }
  // Distance in radii; optionally its gradient.
  float distance(Vec3 p, Vec3* gradient = nullptr) const {
    const Vec3 q = (p - a) * inverse;
    const float t = std::clamp(dot(q, along) / along2, 0.0F, 1.0F);
    const Vec3 away = q - along * t;
    const float far = std::sqrt(dot(away, away)), radius = radius_a + slope * t;
    if (gradient != nullptr) *gradient = away * inverse * (1 / (std::max(far, 1e-9F) * radius));
    return (far - radius) / radius;
  }
};

float reach_of(const Blob& blob) {
  const float widest = std::max({blob.stretch.x, blob.stretch.y, blob.stretch.z});
  return std::max(blob.radius_a, blob.radius_b) * (1 + kCutoff) * widest;
}

struct Grid {
  Vec3 origin;
  float cell = 1;
  int nx = 0, ny = 0, nz = 0;
  std::vector<float> sums;

  std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(nx) +
           static_cast<std::size_t>(x);
  }
};

Grid fill_grid(std::span<const Blob> blobs, float cell) {
  Box3 all;
  for (const Blob& blob : blobs) {
    const float widest = std::max({blob.stretch.x, blob.stretch.y, blob.stretch.z});
    const float margin = 1.5F * widest * std::max(blob.radius_a, blob.radius_b) + 2 * cell;
    for (const Vec3 p : {blob.a, blob.b}) {
      Box3 around{p, p};
      around.grow(margin);
      all.add(around);
    }
  }
  const auto& [low, high] = all;
  Grid grid;
  grid.cell = cell;
  // The middle plane is between corners, with equal distances to both sides: left and right are mirror images.
  const float half = (std::ceil(std::max(-low.x, high.x) / cell) + 0.5F) * cell;
  grid.origin = {-half, low.y, low.z};
  grid.nx = static_cast<int>(std::lround(2 * half / cell)) + 1;
  grid.ny = static_cast<int>((high.y - low.y) / cell) + 2;
  grid.nz = static_cast<int>((high.z - low.z) / cell) + 2;
  grid.sums.assign(
      static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny) * static_cast<std::size_t>(grid.nz), 0.0F);
  for (const Blob& blob : blobs) {
    const BlobShape shape(blob);
    const float reach = reach_of(blob);
    const auto range = [&](std::size_t k, int n) {
      const float from = std::min(blob.a[k], blob.b[k]) - reach - grid.origin[k],
                  to = std::max(blob.a[k], blob.b[k]) + reach - grid.origin[k];
      return std::pair{std::clamp(static_cast<int>(from / cell), 1, n - 1),
                       std::clamp(static_cast<int>(to / cell) + 1, 1, n - 1)};
    };
    const auto [x0, x1] = range(0, grid.nx);
    const auto [y0, y1] = range(1, grid.ny);
    const auto [z0, z1] = range(2, grid.nz);
    for (int z = z0; z < z1; ++z) {
      for (int y = y0; y < y1; ++y) {
        float* row = &grid.sums[grid.index(0, y, z)];
        for (int x = x0; x < x1; ++x) {
          const Vec3 p = grid.origin + Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)} * cell;
          const float d = shape.distance(p);
          if (d < kCutoff) row[x] += std::exp(-kSharpness * d);
        }
      }
    }
  }
  return grid;
}

}  // namespace

float cell_for(std::span<const Blob> blobs, int num_vertices) {
  float area = 0, thinnest = std::numeric_limits<float>::max();
  for (const Blob& blob : blobs) {
    const float r = 0.5F * (blob.radius_a + blob.radius_b),
                widest = std::max({blob.stretch.x, blob.stretch.y, blob.stretch.z});
    area += 2 * std::numbers::pi_v<float> * r * widest * (distance(blob.a, blob.b) + 0.5F * r);
    thinnest = std::min(thinnest, std::min(blob.radius_a, blob.radius_b));
  }
  const float cell = std::sqrt(0.8F * area / static_cast<float>(num_vertices));
  return std::min(cell, std::max(1.0F * thinnest, 0.6F * cell));
}

// Naive surface nets (Gibson, "Constrained elastic surface nets", 1998): a vertex in every cell
// that the surface crosses, at the mean of its edges' crossings; a quad around every edge that it
// crosses.
Surface extract_surface(std::span<const Blob> blobs, float cell_m) {
  const Grid grid = fill_grid(blobs, cell_m);
  Surface surface;
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> vertex_of(grid.sums.size(), kNone);
  const auto inside = [&](std::size_t i) { return grid.sums[i] > 1.0F; };
  const auto level = [&](std::size_t i) { return std::log(std::max(grid.sums[i], 1e-4F)); };
  const std::array<std::size_t, 3> step{1, static_cast<std::size_t>(grid.nx),
                                        static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny)};
  for (int z = 0; z + 1 < grid.nz; ++z) {
    for (int y = 0; y + 1 < grid.ny; ++y) {
      for (int x = 0; x + 1 < grid.nx; ++x) {
        const std::size_t i = grid.index(x, y, z);
        int mask = 0;
        for (std::size_t c = 0; c < 8; ++c)
          mask |= inside(i + (c & 1) + (c >> 1 & 1) * step[1] + (c >> 2) * step[2]) ? 1 << c : 0;
        if (mask == 0 || mask == 255) continue;
        Vec3 sum{};
        int count = 0;
        for (unsigned c = 0; c < 8; ++c) {
          for (unsigned axis = 0; axis < 3; ++axis) {
            if (c >> axis & 1) continue;
            const unsigned d = c | 1U << axis;
            if ((mask >> c & 1) == (mask >> d & 1)) continue;
            const std::size_t ic = i + (c & 1) + (c >> 1 & 1) * step[1] + (c >> 2) * step[2];
            const float lc = level(ic), ld = level(ic + step[axis]);
            Vec3 p{static_cast<float>(c & 1), static_cast<float>(c >> 1 & 1), static_cast<float>(c >> 2)};
            p[axis] += lc / (lc - ld);
            sum += p;
            ++count;
          }
        }
        vertex_of[i] = static_cast<std::uint32_t>(surface.positions.size());
        const Vec3 corner{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
        surface.positions.push_back(grid.origin + (corner + sum / static_cast<float>(count)) * grid.cell);
      }
    }
  }
  for (int z = 1; z + 1 < grid.nz; ++z) {
    for (int y = 1; y + 1 < grid.ny; ++y) {
      for (int x = 1; x + 1 < grid.nx; ++x) {
        const std::size_t i = grid.index(x, y, z);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (inside(i) == inside(i + step[axis])) continue;
          const std::size_t u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
          std::array<std::uint32_t, 4> quad{vertex_of[i - u - v], vertex_of[i - v], vertex_of[i], vertex_of[i - u]};
          if (!inside(i)) std::swap(quad[1], quad[3]);
          // Cut along the shorter diagonal.
          const auto at = [&](std::size_t k) { return surface.positions[quad[k]]; };
          if (distance(at(0), at(2)) <= distance(at(1), at(3))) {
            surface.indices.insert(surface.indices.end(), {quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]});
          } else {
            surface.indices.insert(surface.indices.end(), {quad[1], quad[2], quad[3], quad[1], quad[3], quad[0]});
          }
        }
      }
    }
  }
  return surface;
}

void FleshField::gather(Vec3 p) {
  near_.clear();
  for (std::size_t i = 0; i < blobs_.size(); ++i) {
    const Blob& blob = blobs_[i];
    const Vec3 middle = (blob.a + blob.b) * 0.5F;
    const float far = reach_of(blob) + 0.5F * length(blob.b - blob.a) + std::max(blob.radius_a, blob.radius_b);
    const Vec3 away = p - middle;
    if (dot(away, away) < far * far) near_.push_back({static_cast<int>(i), 0});
  }
  measure(p);
}

void FleshField::measure(Vec3 p) {
  for (Near& near : near_) near.distance = BlobShape(blobs_[static_cast<std::size_t>(near.blob)]).distance(p);
}

Vec3 FleshField::project(Vec3& p, float max_step_m) const {
  Vec3 normal{0, 1, 0};
  const Vec3 start = p;
  for (int iteration = 0; iteration < 3; ++iteration) {
    float sum = 0;
    Vec3 slope{};
    for (const Near& near : near_) {
      Vec3 gradient;
      const float d = BlobShape(blobs_[static_cast<std::size_t>(near.blob)]).distance(p, &gradient);
      if (d > kCutoff) continue;
      const float e = std::exp(-kSharpness * d);
      sum += e;
      slope += gradient * (kSharpness * e);
    }
    if (sum < 1e-6F) return normal;
    slope = slope / sum;  // Of -log(sum), which is zero on the surface and grows outwards.
    const float steep2 = std::max(dot(slope, slope), 1e-12F);
    normal = normalized(slope, normal);
    if (iteration == 2) break;
    p += slope * (std::log(sum) / steep2);
    if (const Vec3 moved = p - start; length(moved) > max_step_m) p = start + normalized(moved) * max_step_m;
  }
  return normal;
}

}  // namespace zoe::synth
