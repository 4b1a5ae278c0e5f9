// SPDX-License-Identifier: MIT
#include "sprite/identity/shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/math/portable.h"

namespace zoe::sprite::identity {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// Unit circle, or towards the square around it.
Vec2 section(int step, int segments, float boxy) {
  const SineCosine at = sine_cosine(kTurn * step / segments);
  const auto c = static_cast<float>(at.cosine), s = static_cast<float>(at.sine);
  const float fourth = std::sqrt(std::sqrt(c * c * c * c + s * s * s * s));
  const float grow = 1 + boxy * (1 / fourth - 1);
  return {c * grow, s * grow};
}

}  // namespace

Skinner rigid(int joint) {
  return [joint](Vec3) { return Influence{{joint, 0, 0, 0}, {1, 0, 0, 0}}; };
}

Skinner along(Vec3 axis, std::vector<int> joints, std::vector<float> borders, float width) {
  return [=](Vec3 p) {
    const float at = dot(p, axis);
    for (std::size_t i = 0; i < borders.size(); ++i) {
      const float share = std::clamp((at - borders[i]) / width + 0.5F, 0.0F, 1.0F);
      if (share >= 1) continue;
      const float smooth = share * share * (3 - 2 * share);
      return Influence{{joints[i], joints[i + 1], 0, 0}, {1 - smooth, smooth, 0, 0}};
    }
    return Influence{{joints.back(), 0, 0, 0}, {1, 0, 0, 0}};
  };
}

std::uint32_t Shapes::add(Vec3 position, const Skinner& skin) {
  positions_.push_back(position);
  influences_.push_back(skin(position));
  return static_cast<std::uint32_t>(positions_.size() - 1);
}

void Shapes::triangle(Slot slot, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  indices_[slot].insert(indices_[slot].end(), {a, b, c});
}

void Shapes::loft(std::span<const Ring> rings, Vec3 across, Vec3 up, Slot slot, const Skinner& skin, int segments,
                  bool caps) {
  const auto n = static_cast<std::uint32_t>(segments);
  const auto first = static_cast<std::uint32_t>(positions_.size());
  const auto ring_of = [&](const Ring& ring) {
    for (int k = 0; k < segments; ++k) {
      const Vec2 at = section(k, segments, ring.boxy);
      add(ring.center + across * (ring.rx * at.x) + up * (ring.ry * at.y), skin);
    }
  };
  for (const Ring& ring : rings) ring_of(ring);
  for (std::uint32_t r = 0; r + 1 < rings.size(); ++r) {
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t a = first + r * n + k, b = first + r * n + (k + 1) % n;
      triangle(slot, a, b, b + n);
      triangle(slot, a, b + n, a + n);
    }
  }
  if (!caps) return;
  // Own vertices, so that the edge is sharp.
  for (const bool end : {false, true}) {
    const Ring& ring = end ? rings.back() : rings.front();
    if (ring.rx < 1e-4F && ring.ry < 1e-4F) continue;
    const std::uint32_t center = add(ring.center, skin);
    ring_of(ring);
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t a = center + 1 + k, b = center + 1 + (k + 1) % n;
      if (end) {
        triangle(slot, center, a, b);
      } else {
        triangle(slot, center, b, a);
      }
    }
  }
}

void Shapes::tube(std::span<const Vec3> points, std::span<const float> radii, Slot slot, const Skinner& skin,
                  int segments, float flat) {
  const auto n = static_cast<std::uint32_t>(segments);
  const auto first = static_cast<std::uint32_t>(positions_.size());
  Vec3 side = normalized(points[1] - points[0]);
  side = normalized(cross(side, std::abs(side.y) < 0.9F ? Vec3{0, 1, 0} : Vec3{0, 0, 1}));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 ahead =
        normalized(points[std::min(i + 1, points.size() - 1)] - points[i > 0 ? i - 1 : 0], Vec3{0, 1, 0});
    side = normalized(side - ahead * dot(side, ahead), side);
    const Vec3 other = cross(ahead, side);
    for (int k = 0; k < segments; ++k) {
      const Vec2 at = section(k, segments, 0);
      add(points[i] + side * (radii[i] * at.x) + other * (radii[i] * flat * at.y), skin);
    }
  }
  for (std::uint32_t r = 0; r + 1 < points.size(); ++r) {
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t a = first + r * n + k, b = first + r * n + (k + 1) % n;
      triangle(slot, a, b, b + n);
      triangle(slot, a, b + n, a + n);
    }
  }
  for (const bool end : {false, true}) {
    const std::size_t i = end ? points.size() - 1 : 0;
    const std::uint32_t center = add(points[i], skin);
    const std::uint32_t start = first + static_cast<std::uint32_t>(i) * n;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t a = start + k, b = start + (k + 1) % n;
      if (end) {
        triangle(slot, center, a, b);
      } else {
        triangle(slot, center, b, a);
      }
    }
  }
}

void Shapes::blob(Vec3 center, Vec3 radii, Slot slot, const Skinner& skin, float boxy, int segments) {
  const int num_rings = std::max(4, segments * 2 / 3);
  std::vector<Ring> rings;
  for (int i = 0; i <= num_rings; ++i) {
    const SineCosine at = sine_cosine(std::numbers::pi * i / num_rings);
    const auto c = static_cast<float>(at.cosine), s = static_cast<float>(at.sine);
    const float grow = 1 + boxy * (1 / std::sqrt(std::sqrt(c * c * c * c + s * s * s * s)) - 1);
    const float wide = std::max(s * grow, 1e-3F);
    rings.push_back({center + Vec3{0, -radii.y * c * grow, 0}, radii.z * wide, radii.x * wide, boxy});
  }
  tower(rings, slot, skin, segments, false);
}

void Shapes::cone(Vec3 base, Vec3 tip, float radius, Slot slot, const Skinner& skin, int segments, float flat) {
  const std::array<Vec3, 3> points{base, base + (tip - base) * 0.5F, tip};
  const std::array<float, 3> radii{radius, radius * 0.56F, radius * 0.03F};
  tube(points, radii, slot, skin, segments, flat);
}

void Shapes::sheet(std::span<const Vec3> points, int columns, Slot slot, const Skinner& skin, bool both_sides) {
  const auto n = static_cast<std::uint32_t>(columns);
  const auto rows = static_cast<std::uint32_t>(points.size()) / n;
  for (int side = 0; side < (both_sides ? 2 : 1); ++side) {
    const auto first = static_cast<std::uint32_t>(positions_.size());
    for (const Vec3 p : points) add(p, skin);
    for (std::uint32_t r = 0; r + 1 < rows; ++r) {
      for (std::uint32_t k = 0; k + 1 < n; ++k) {
        const std::uint32_t a = first + r * n + k, b = a + 1, c = a + n, d = c + 1;
        if (side == 0) {
          triangle(slot, a, c, b);
          triangle(slot, b, c, d);
        } else {
          triangle(slot, a, b, c);
          triangle(slot, b, d, c);
        }
      }
    }
  }
}

Mesh Shapes::build_rigid(const std::string& name) const {
  Mesh mesh;
  mesh.name = name;
  mesh.positions = positions_;
  mesh.normals.resize(positions_.size());
  for (int slot = 0; slot < kNumSlots; ++slot) {
    const std::vector<std::uint32_t>& list = indices_[static_cast<std::size_t>(slot)];
    if (list.empty()) continue;
    mesh.submeshes.push_back(
        {static_cast<std::uint32_t>(mesh.indices.size()), static_cast<std::uint32_t>(list.size()), slot});
    mesh.indices.insert(mesh.indices.end(), list.begin(), list.end());
    for (std::size_t i = 0; i + 2 < list.size(); i += 3) {
      const Vec3 a = positions_[list[i]], b = positions_[list[i + 1]], c = positions_[list[i + 2]];
      const Vec3 face = cross(b - a, c - a);  // Twice the area: large triangles weigh more.
      for (std::size_t k = 0; k < 3; ++k) mesh.normals[list[i + k]] += face;
    }
  }
  for (Vec3& normal : mesh.normals) normal = normalized(normal, Vec3{0, 1, 0});
  return mesh;
}

Mesh Shapes::build(const std::string& name) const {
  Mesh mesh = build_rigid(name);
  mesh.influences_per_vertex = 4;
  for (const Influence& influence : influences_) {
    // Heaviest first.
    std::array<int, 4> order{0, 1, 2, 3};
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return influence.weights[static_cast<std::size_t>(a)] > influence.weights[static_cast<std::size_t>(b)];
    });
    float sum = 0;
    for (const float weight : influence.weights) sum += weight;
    for (const int k : order) {
      const auto i = static_cast<std::size_t>(k);
      const float weight = influence.weights[i] / sum;
      mesh.influence_joints.push_back(weight > 0 ? static_cast<std::uint16_t>(influence.joints[i]) : 0);
      mesh.influence_weights.push_back(weight);
    }
  }
  return mesh;
}

}  // namespace zoe::sprite::identity
