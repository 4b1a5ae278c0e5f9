// SPDX-License-Identifier: MIT
// Part of Zoetrope. Triangulates polygons, also concave and slightly bent ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoe/math/vec.h"

namespace zoe::io::fbx {

class Triangulator {
 public:
  // Appends 3 * (n - 2) corner numbers in 0..n-1 for a polygon of n >= 3 corners. The triangles keep its direction.
  void run(std::span<const Vec3> corners, std::vector<std::uint32_t>* out);

 private:
  void quad(std::span<const Vec3> corners, std::vector<std::uint32_t>* out);
  void clip_ears(std::span<const Vec3> corners, std::vector<std::uint32_t>* out);
  bool is_ear(std::size_t at) const;

  struct Point {
    double x, y;
  };
  std::vector<Point> flat_;          // The polygon in its own plane.
  std::vector<std::uint32_t> ring_;  // Remaining corners.
};

}  // namespace zoe::io::fbx
