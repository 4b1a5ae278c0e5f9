// SPDX-License-Identifier: MIT
// Part of Zoetrope. An axis-aligned box.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "zoe/math/affine.h"

namespace zoe {

// Default: empty. Components that are not numbers are ignored.
struct Box3 {
  Vec3 min{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
  Vec3 max{-std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()};

  // False for the box of one point.
  bool empty() const { return min.x > max.x; }
  Vec3 center() const { return (min + max) * 0.5F; }
  Vec3 size() const { return max - min; }
  Vec3 half_size() const { return (max - min) * 0.5F; }
  float longest_side() const { return std::max({max.x - min.x, max.y - min.y, max.z - min.z}); }
  // The border belongs to the box.
  bool contains(Vec3 p) const {
    return p.x >= min.x && p.x <= max.x && p.y >= min.y && p.y <= max.y && p.z >= min.z && p.z <= max.z;
  }

  void add(Vec3 p) {
    min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
    max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
  }
  void add(const Box3& other) {
    if (other.empty()) return;
    add(other.min);
    add(other.max);
  }
  void add(std::span<const Vec3> points) {
    for (const Vec3& p : points) add(p);
  }
  // Grows by a margin on every side. An empty box stays empty.
  void grow(float margin) {
    if (empty()) return;
    min -= Vec3{margin, margin, margin};
    max += Vec3{margin, margin, margin};
  }
  friend bool operator==(const Box3&, const Box3&) = default;
};

inline Box3 box_of(std::span<const Vec3> points) {
  Box3 box;
  box.add(points);
  return box;
}

// Bounds of a transformed box. Its half size follows from the absolute values of the matrix (Arvo 1990).
inline Box3 transformed(const Affine& m, const Box3& box) {
  if (box.empty()) return box;
  const Vec3 c = m.apply_point(box.center()), h = box.half_size();
  const auto reach = [&](float a, float b, float d) {
    return std::abs(a) * h.x + std::abs(b) * h.y + std::abs(d) * h.z;
  };
  const Vec3 half{reach(m.x.x, m.y.x, m.z.x), reach(m.x.y, m.y.y, m.z.y), reach(m.x.z, m.y.z, m.z.z)};
  return {c - half, c + half};
}

}  // namespace zoe
