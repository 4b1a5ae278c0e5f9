// SPDX-License-Identifier: MIT
#include "ground/mesh_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace zoe::ground {
namespace {

constexpr std::size_t kLeafSize = 4;
// Halves of at most 2^32 triangles: deeper than any tree.
constexpr std::size_t kStackSize = 40;

Vec3 center(const GroundTriangle& triangle) { return (triangle.a + triangle.b + triangle.c) * (1.0F / 3); }

// A whole order, by the centre first. Triangles share edges, and the first one that is found there counts: where the
// order of equal ones were left to the standard library, normals on edges would differ between machines.
struct Before {
  std::size_t axis;
  bool operator()(const GroundTriangle& l, const GroundTriangle& r) const {
    const float x = center(l)[axis], y = center(r)[axis];
    if (x != y) return x < y;
    const auto corners = [](const GroundTriangle& t) {
      return std::array{t.a.x, t.a.y, t.a.z, t.b.x, t.b.y, t.b.z, t.c.x, t.c.y, t.c.z};
    };
    return corners(l) < corners(r);
  }
};

// The part of [0, end] in which the ray is in the box. Not empty for a box without thickness.
bool meets(const Box3& box, const Ray& ray, double end) {
  double begin = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double low = box.min[k] - ray.origin[k], high = box.max[k] - ray.origin[k], speed = ray.direction[k];
    if (speed == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const double first = std::min(low / speed, high / speed), last = std::max(low / speed, high / speed);
    // Rounding of the two divisions must not lose a triangle on the box's border.
    constexpr double kSlack = 1e-14;
    begin = std::max(begin, first - kSlack * std::abs(first));
    end = std::min(end, last + kSlack * std::abs(last));
    if (begin > end) return false;
  }
  return true;
}

// Woop, Benthin, Wald 2013: uses a frame in which the ray is the third axis. Two triangles compute the same numbers for
// their shared edge, so no ray passes between them.
class RayFrame {
 public:
  explicit RayFrame(const Ray& ray) : origin_(ray.origin) {
    const Vec3d& d = ray.direction;
    depth_ = std::abs(d.x) > std::abs(d.y) ? (std::abs(d.x) > std::abs(d.z) ? 0 : 2)
                                           : (std::abs(d.y) > std::abs(d.z) ? 1 : 2);
    across_ = (depth_ + 1) % 3;
    down_ = (depth_ + 2) % 3;
    shear_ = {d[across_] / d[depth_], d[down_] / d[depth_], 1 / d[depth_]};
  }
  // Distance to the triangle. Negative when the ray misses it or is in its plane.
  double distance(const GroundTriangle& triangle) const {
    const Vec3d a = into(triangle.a), b = into(triangle.b), c = into(triangle.c);
    const double u = c.x * b.y - c.y * b.x, v = a.x * c.y - a.y * c.x, w = b.x * a.y - b.y * a.x;
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return -1;
    const double sum = u + v + w;
    return sum == 0 ? -1 : (u * a.z + v * b.z + w * c.z) / sum;
  }

 private:
  Vec3d into(Vec3 point) const {
    const Vec3d p = to_double(point) - origin_;
    return {p[across_] - shear_.x * p[depth_], p[down_] - shear_.y * p[depth_], shear_.z * p[depth_]};
  }
  Vec3d origin_, shear_;
  std::size_t depth_ = 0, across_ = 0, down_ = 0;
};

// Height of the triangle at (x, z), if it is there.
std::optional<double> height_of(const GroundTriangle& t, double x, double z) {
  const double ax = t.a.x - x, az = t.a.z - z, bx = t.b.x - x, bz = t.b.z - z, cx = t.c.x - x, cz = t.c.z - z;
  const double u = cx * bz - cz * bx, v = ax * cz - az * cx, w = bx * az - bz * ax;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return std::nullopt;
  const double sum = u + v + w;
  if (sum == 0) return std::nullopt;
  return (u * t.a.y + v * t.b.y + w * t.c.y) / sum;
}

}  // namespace

Vec3 normal_of(const GroundTriangle& triangle) {
  const Vec3d a = to_double(triangle.a);
  return to_float(normalized(cross(to_double(triangle.b) - a, to_double(triangle.c) - a), Vec3d{0, 1, 0}));
}

MeshSurface::MeshSurface(std::vector<GroundTriangle> triangles) : triangles_(std::move(triangles)) {
  nodes_.reserve(2 * triangles_.size());
  build(0, triangles_.size());
  nodes_.shrink_to_fit();
}

void MeshSurface::build(std::size_t begin, std::size_t end) {
  const std::size_t self = nodes_.size();
  nodes_.emplace_back();
  Box3 box, centers;
  for (std::size_t i = begin; i < end; ++i) {
    for (const Vec3& corner : {triangles_[i].a, triangles_[i].b, triangles_[i].c}) box.add(corner);
    centers.add(center(triangles_[i]));
  }
  nodes_[self].box = box;
  const auto from = triangles_.begin();
  const auto nth = [&](std::size_t i) { return from + static_cast<std::ptrdiff_t>(i); };
  if (end - begin <= kLeafSize) {
    std::sort(nth(begin), nth(end), Before{0});
    nodes_[self].first = static_cast<std::uint32_t>(begin);
    nodes_[self].count = static_cast<std::uint32_t>(end - begin);
    return;
  }
  // Split at the median: the depth is known for any arrangement of triangles.
  const Vec3 size = centers.size();
  const std::size_t axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
  const std::size_t middle = begin + (end - begin) / 2;
  std::nth_element(nth(begin), nth(middle), nth(end), Before{axis});
  build(begin, middle);
  nodes_[self].first = static_cast<std::uint32_t>(nodes_.size());
  build(middle, end);
}

std::optional<MeshSurface::Point> MeshSurface::highest(float x, float z) const noexcept {
  std::array<std::uint32_t, kStackSize> open;
  std::size_t num_open = 0;
  open[num_open++] = 0;
  const GroundTriangle* best = nullptr;
  double best_height = 0;
  while (num_open > 0) {
    const std::uint32_t index = open[--num_open];
    const Node& node = nodes_[index];
    const Box3& box = node.box;
    // Written so that NaN is outside.
    if (!(x >= box.min.x && x <= box.max.x && z >= box.min.z && z <= box.max.z)) continue;
    if (best != nullptr && box.max.y <= best_height) continue;
    if (node.count == 0) {
      open[num_open++] = node.first;
      open[num_open++] = index + 1;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const std::optional<double> height = height_of(triangles_[i], x, z);
      if (height && (best == nullptr || *height > best_height)) {
        best = &triangles_[i];
        best_height = *height;
      }
    }
  }
  if (best == nullptr) return std::nullopt;
  const Vec3 normal = normal_of(*best);
  return Point{static_cast<float>(best_height), normal.y < 0 ? -normal : normal};
}

std::optional<SurfaceHit> MeshSurface::cast(const Ray& ray) const noexcept {
  std::array<std::uint32_t, kStackSize> open;
  std::size_t num_open = 0;
  open[num_open++] = 0;
  const RayFrame frame(ray);
  const GroundTriangle* best = nullptr;
  double best_distance = ray.max_distance_m;
  while (num_open > 0) {
    const std::uint32_t index = open[--num_open];
    const Node& node = nodes_[index];
    if (!meets(node.box, ray, best_distance)) continue;
    if (node.count == 0) {
      // The child whose centre is farther along the ray comes second: a hit in the nearer one often makes it
      // unnecessary.
      std::uint32_t near = index + 1, far = node.first;
      const Vec3 between = nodes_[far].box.center() - nodes_[near].box.center();
      if (dot(to_double(between), ray.direction) < 0) std::swap(near, far);
      open[num_open++] = far;
      open[num_open++] = near;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const double distance = frame.distance(triangles_[i]);
      if (distance < 0 || distance > best_distance) continue;
      best = &triangles_[i];
      best_distance = distance;
    }
  }
  if (best == nullptr) return std::nullopt;
  return SurfaceHit{best_distance, normal_of(*best)};
}

}  // namespace zoe::ground
