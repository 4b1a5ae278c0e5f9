// SPDX-License-Identifier: MIT
// Boxes along the axes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "zoe/math/affine.h"

namespace zoe::render {

struct Bounds {
  Vec3 min{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
  Vec3 max{-std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()};

  bool empty() const { return min.x > max.x; }
  Vec3 center() const { return (min + max) * 0.5F; }
  Vec3 half_size() const { return (max - min) * 0.5F; }
  void add(Vec3 p) {
    min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
    max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
  }
  void add(const Bounds& other) {
    if (other.empty()) return;
    add(other.min);
    add(other.max);
  }
  void grow(float by) {
    if (empty()) return;
    min -= Vec3{by, by, by};
    max += Vec3{by, by, by};
  }
};

// The box around a moved box: its half size goes by the absolute values of the matrix (Arvo 1990).
inline Bounds transformed(const Affine& m, const Bounds& box) {
  if (box.empty()) return box;
  const Vec3 c = m.apply_point(box.center()), h = box.half_size();
  const auto reach = [&](float a, float b, float d) {
    return std::abs(a) * h.x + std::abs(b) * h.y + std::abs(d) * h.z;
  };
  const Vec3 half{reach(m.x.x, m.y.x, m.z.x), reach(m.x.y, m.y.y, m.z.y), reach(m.x.z, m.y.z, m.z.z)};
  return {c - half, c + half};
}

}  // namespace zoe::render
