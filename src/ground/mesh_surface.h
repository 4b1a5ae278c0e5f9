// SPDX-License-Identifier: MIT
// Queries of triangles, through a tree of boxes. Nothing allocates after the build.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zoe/ground/triangle.h"
#include "zoe/math/box.h"

#include "ground/ray.h"

namespace zoe::ground {

class MeshSurface {
 public:
  // At least one triangle; each has an area.
  explicit MeshSurface(std::vector<GroundTriangle> triangles);

  struct Point {
    float height_m = 0;
    Vec3 normal;  // Unit, y > 0.
  };
  // The highest point above (x, z). Vertical triangles have none.
  std::optional<Point> highest(float x, float z) const noexcept;
  std::optional<SurfaceHit> cast(const Ray& ray) const noexcept;

  std::span<const GroundTriangle> triangles() const { return triangles_; }
  Box3 bounds() const { return nodes_.front().box; }

 private:
  struct Node {
    Box3 box;
    std::uint32_t first = 0;  // Leaf: its first triangle. Else: the second child. The first child follows its parent.
    std::uint32_t count = 0;  // Leaf: number of triangles. 0: not a leaf.
  };
  void build(std::size_t begin, std::size_t end);

  std::vector<GroundTriangle> triangles_;  // In the order of the leaves.
  std::vector<Node> nodes_;
};

// Unit, by the winding a, b, c.
Vec3 normal_of(const GroundTriangle& triangle);

}  // namespace zoe::ground
