// SPDX-License-Identifier: MIT
#include "io/fbx/triangulate.h"

#include <cmath>

namespace zoe::io::fbx {
namespace {

// Larger polygons are likely damaged, and the quadratic search for ears would be slow.
constexpr std::size_t kMaxEarCorners = 512;

Vec3d newell_normal(std::span<const Vec3> corners) {
  Vec3d normal;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    normal += cross(to_double(corners[i]) - to_double(corners[0]),
                    to_double(corners[(i + 1) % corners.size()]) - to_double(corners[0]));
  }
  return normal;
}

}  // namespace

void Triangulator::run(std::span<const Vec3> corners, std::vector<std::uint32_t>* out) {
  if (corners.size() == 3) {
    out->insert(out->end(), {0, 1, 2});
  } else if (corners.size() == 4) {
    quad(corners, out);
  } else {
    clip_ears(corners, out);
  }
}

void Triangulator::quad(std::span<const Vec3> corners, std::vector<std::uint32_t>* out) {
  // The diagonal 0-2 is valid unless one of its triangles flips, as at a concave corner 1 or 3.
  const Vec3 a = cross(corners[1] - corners[0], corners[2] - corners[0]);
  const Vec3 b = cross(corners[2] - corners[0], corners[3] - corners[0]);
  if (dot(a, b) >= 0) {
    out->insert(out->end(), {0, 1, 2, 0, 2, 3});
  } else {
    out->insert(out->end(), {0, 1, 3, 1, 2, 3});
  }
}

bool Triangulator::is_ear(std::size_t at) const {
  const std::size_t n = ring_.size();
  const std::uint32_t ia = ring_[(at + n - 1) % n], ib = ring_[at], ic = ring_[(at + 1) % n];
  const Point a = flat_[ia], b = flat_[ib], c = flat_[ic];
  const auto side = [](Point p, Point q, Point r) { return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x); };
  if (side(a, b, c) <= 0) return false;
  for (const std::uint32_t i : ring_) {
    if (i == ia || i == ib || i == ic) continue;
    const Point p = flat_[i];
    // Points that coincide with a corner (a bridge to a hole) do not block the ear.
    if ((p.x == a.x && p.y == a.y) || (p.x == b.x && p.y == b.y) || (p.x == c.x && p.y == c.y)) continue;
    if (side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0) return false;
  }
  return true;
}

void Triangulator::clip_ears(std::span<const Vec3> corners, std::vector<std::uint32_t>* out) {
  const std::size_t n = corners.size();
  ring_.resize(n);
  for (std::size_t i = 0; i < n; ++i) ring_[i] = static_cast<std::uint32_t>(i);

  // Drops the axis along which the polygon is thinnest. The result is counter-clockwise.
  const Vec3d normal = newell_normal(corners);
  const Vec3d size{std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)};
  const std::size_t drop = size.x > size.y && size.x > size.z ? 0 : size.y > size.z ? 1 : 2;
  const bool flip = normal[drop] < 0;
  flat_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = corners[i][(drop + 1) % 3], v = corners[i][(drop + 2) % 3];
    flat_[i] = flip ? Point{v, u} : Point{u, v};
  }

  std::size_t at = 0;
  while (ring_.size() > 3) {
    const std::size_t left = ring_.size();
    std::size_t tried = 0;
    if (n <= kMaxEarCorners) {
      while (tried < left && !is_ear(at % left)) ++at, ++tried;
    }
    if (tried == left) at = 0;  // Degenerate: there is no ear, so any corner is cut.
    at %= left;
    out->insert(out->end(), {ring_[(at + left - 1) % left], ring_[at], ring_[(at + 1) % left]});
    ring_.erase(ring_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  out->insert(out->end(), {ring_[0], ring_[1], ring_[2]});
}

}  // namespace zoe::io::fbx
