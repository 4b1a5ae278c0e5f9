// SPDX-License-Identifier: MIT
#include "render/software/visibility.h"

#include <algorithm>
#include <cmath>

namespace zoe::render {
namespace {

constexpr int kSubBits = 4, kSub = 1 << kSubBits;  // Sixteenths of a sample.
constexpr float kGuard = 3;                        // Triangles beyond this many half screens are clipped.

struct ClipVertex {
  Vec4 clip;
  Barycentrics at;
};

// Distances to the planes of the view, >= 0 inside: w above a little, and the guard band.
float plane_distance(const Vec4& c, int plane) {
  switch (plane) {
    case 0:
      return c.w - 1e-4F;
    case 1:
      return c.w - c.z;  // The near plane: depth 1.
    case 2:
      return kGuard * c.w - c.x;
    case 3:
      return kGuard * c.w + c.x;
    case 4:
      return kGuard * c.w - c.y;
    default:
      return kGuard * c.w + c.y;
  }
}
constexpr int kPlanes = 6;

ClipVertex between(const ClipVertex& a, const ClipVertex& b, float t) {
  const auto mix = [t](float from, float to) { return from + (to - from) * t; };
  ClipVertex out;
  out.clip = {mix(a.clip.x, b.clip.x), mix(a.clip.y, b.clip.y), mix(a.clip.z, b.clip.z), mix(a.clip.w, b.clip.w)};
  for (int k = 0; k < 3; ++k) out.at.weight[k] = mix(a.at.weight[k], b.at.weight[k]);
  return out;
}

// Sutherland and Hodgman 1974. Returns the number of corners.
int clip_polygon(ClipVertex (&polygon)[3 + kPlanes], int count) {
  for (int plane = 0; plane < kPlanes && count > 0; ++plane) {
    ClipVertex out[3 + kPlanes];
    int num_out = 0;
    for (int i = 0; i < count; ++i) {
      const ClipVertex &a = polygon[i], &b = polygon[(i + 1) % count];
      const float da = plane_distance(a.clip, plane), db = plane_distance(b.clip, plane);
      if (da >= 0) out[num_out++] = a;
      if ((da >= 0) != (db >= 0) && num_out < 3 + kPlanes) out[num_out++] = between(a, b, da / (da - db));
    }
    count = num_out;
    std::copy_n(out, count, polygon);
  }
  return count;
}

std::int64_t to_sixteenths(float v) { return std::lrint(v * kSub); }

struct Edge64 {
  std::int64_t start, dx, dy;
};

// >= 0 inside. Samples on a shared edge belong to one of its triangles: the top-left rule.
Edge64 edge_from(std::int64_t ax, std::int64_t ay, std::int64_t bx, std::int64_t by, int x0, int y0) {
  const std::int64_t ex = bx - ax, ey = by - ay;
  const std::int64_t px = std::int64_t{x0} * kSub + kSub / 2 - ax, py = std::int64_t{y0} * kSub + kSub / 2 - ay;
  const bool top_left = ey < 0 || (ey == 0 && ex > 0);
  return {ex * py - ey * px - (top_left ? 0 : 1), -ey * kSub, ex * kSub};
}

}  // namespace

void ScreenTriangles::add(const WorldBodies& bodies, std::uint32_t number, const SceneStore& store,
                          const Mat4& clip_from_world, int width, int height, bool blended, bool both_sides) {
  const WorldBody& body = bodies.bodies[number];
  const Mesh& mesh = body.mesh->mesh;
  clip_.resize(mesh.num_vertices());
  for (std::size_t v = 0; v < clip_.size(); ++v) {
    const Vec3 p = bodies.positions[body.first_vertex + v];
    clip_[v] = transform(clip_from_world, {p.x, p.y, p.z, 1});
  }
  const float half_width = static_cast<float>(width) * 0.5F, half_height = static_cast<float>(height) * 0.5F;
  const auto set_corner = [&](const Vec4& clip, Vec3& p, float& inv_w) {
    inv_w = 1 / clip.w;
    p = {(clip.x * inv_w + 1) * half_width, (1 - clip.y * inv_w) * half_height, clip.z * inv_w};
  };
  const auto push = [&](const ScreenTriangle& triangle, bool both) {
    const Vec3 u = triangle.p[1] - triangle.p[0], v = triangle.p[2] - triangle.p[0];
    const float area = u.x * v.y - u.y * v.x;
    if (!is_finite(triangle.p[0]) || !is_finite(triangle.p[1]) || !is_finite(triangle.p[2])) return;
    if (area == 0 || (area > 0 && !both)) return;  // Counter-clockwise outside turns to the left where y is down.
    list.push_back(triangle);
  };
  for (std::size_t s = 0; s < mesh.submeshes.size(); ++s) {
    const MaterialDesc& material = store.material(body.mesh->materials[s]);
    if (material.blend != blended && body.ghost == 0) continue;
    const bool both = both_sides || material.double_sided;
    const Submesh& submesh = mesh.submeshes[s];
    for (std::uint32_t i = 0; i + 2 < submesh.num_indices; i += 3) {
      ScreenTriangle triangle;
      triangle.body = number;
      triangle.submesh = static_cast<std::uint32_t>(s);
      triangle.cut = material.alpha_cutoff > 0;
      bool inside = true, visible = true;
      int outside[kPlanes] = {};
      for (int k = 0; k < 3; ++k) {
        triangle.vertices[k] = mesh.indices[submesh.first_index + i + static_cast<std::uint32_t>(k)];
        for (int plane = 0; plane < kPlanes; ++plane) {
          if (!(plane_distance(clip_[triangle.vertices[k]], plane) >= 0)) {
            inside = false;
            ++outside[plane];
          }
        }
      }
      if (inside) {
        for (int k = 0; k < 3; ++k) set_corner(clip_[triangle.vertices[k]], triangle.p[k], triangle.inv_w[k]);
        push(triangle, both);
        continue;
      }
      for (const int count : outside) visible &= count < 3;
      if (!visible) continue;
      ClipVertex polygon[3 + kPlanes];
      for (int k = 0; k < 3; ++k) {
        polygon[k].clip = clip_[triangle.vertices[k]];
        for (int j = 0; j < 3; ++j) polygon[k].at.weight[j] = j == k ? 1.0F : 0.0F;
      }
      const int count = clip_polygon(polygon, 3);
      for (int k = 1; k + 1 < count; ++k) {
        triangle.corners = static_cast<std::int32_t>(corners.size());
        const int of[3] = {0, k, k + 1};
        for (int j = 0; j < 3; ++j) {
          set_corner(polygon[of[j]].clip, triangle.p[j], triangle.inv_w[j]);
          corners.push_back(polygon[of[j]].at);
        }
        push(triangle, both);
      }
    }
  }
}

Barycentrics ScreenTriangles::at(const ScreenTriangle& t, int sample_x, int sample_y) const {
  const Vec3 u = t.p[1] - t.p[0], v = t.p[2] - t.p[0];
  const float area = u.x * v.y - u.y * v.x, scale = std::abs(area) > 1e-30F ? 1 / area : 0;
  const float x = static_cast<float>(sample_x) + 0.5F - t.p[0].x, y = static_cast<float>(sample_y) + 0.5F - t.p[0].y;
  const float b = std::clamp((x * v.y - y * v.x) * scale, 0.0F, 1.0F);
  const float c = std::clamp((u.x * y - u.y * x) * scale, 0.0F, 1.0F - b);
  const float a = (1 - b - c) * t.inv_w[0], bw = b * t.inv_w[1], cw = c * t.inv_w[2], sum = a + bw + cw;
  const Barycentrics own{{a / sum, bw / sum, cw / sum}};
  if (t.corners < 0) return own;
  Barycentrics out{};
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < 3; ++k)
      out.weight[k] += corners[static_cast<std::size_t>(t.corners + j)].weight[k] * own.weight[j];
  }
  return out;
}

bool CutTest::operator()(const ScreenTriangle& t, int x, int y) const {
  const WorldBody& body = bodies.bodies[t.body];
  const MaterialDesc& material = store.material(body.mesh->materials[t.submesh]);
  float alpha = material.base_color.w * 255;
  if (material.base_color_texture && !body.mesh->mesh.uvs.empty()) {
    const Barycentrics at = triangles.at(t, x, y);
    Vec2 uv{};
    for (int k = 0; k < 3; ++k) {
      const Vec2 corner = body.mesh->mesh.uvs[t.vertices[k]];
      uv = {uv.x + corner.x * at.weight[k], uv.y + corner.y * at.weight[k]};
    }
    alpha = material.base_color.w * sample_texture(store.textures.get(material.base_color_texture), uv, 1).w;
  }
  return alpha >= material.alpha_cutoff * 255;
}

void Visibility::reset(int new_width, int new_height) {
  width = new_width;
  height = new_height;
  const auto size = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  depth.assign(size, 0.0F);
  triangle.assign(size, 0U);
}

void Visibility::draw(const ScreenTriangles& triangles, const CutTest& cut, int y_begin, int y_end) {
  const auto low = [](std::int64_t v) { return static_cast<int>((v + kSub / 2 - 1) >> kSubBits); };
  for (std::size_t i = 0; i < triangles.list.size(); ++i) {
    const ScreenTriangle& t = triangles.list[i];
    const float top = std::min({t.p[0].y, t.p[1].y, t.p[2].y}), bottom = std::max({t.p[0].y, t.p[1].y, t.p[2].y});
    if (bottom < static_cast<float>(y_begin) - 1 || top > static_cast<float>(y_end) + 1) continue;
    std::int64_t ax = to_sixteenths(t.p[0].x), ay = to_sixteenths(t.p[0].y), bx = to_sixteenths(t.p[1].x),
                 by = to_sixteenths(t.p[1].y), cx = to_sixteenths(t.p[2].x), cy = to_sixteenths(t.p[2].y);
    const std::int64_t area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area == 0) continue;
    if (area < 0) {
      std::swap(bx, cx);
      std::swap(by, cy);
    }
    const int x0 = std::max(0, low(std::min({ax, bx, cx}))), x1 = std::min(width, low(std::max({ax, bx, cx}) + 1));
    const int y0 = std::max(y_begin, low(std::min({ay, by, cy}))),
              y1 = std::min(y_end, low(std::max({ay, by, cy}) + 1));
    if (x0 >= x1 || y0 >= y1) continue;
    Edge64 e0 = edge_from(ax, ay, bx, by, x0, y0), e1 = edge_from(bx, by, cx, cy, x0, y0),
           e2 = edge_from(cx, cy, ax, ay, x0, y0);
    // Depth is linear on the screen. The planes of slivers are steep: clamped to the triangle.
    const Vec3 u = t.p[1] - t.p[0], v = t.p[2] - t.p[0];
    const float flat = u.x * v.y - u.y * v.x, scale = flat != 0 ? 1 / flat : 0;
    const float slope_x = (u.z * v.y - v.z * u.y) * scale, slope_y = (v.z * u.x - u.z * v.x) * scale;
    const float nearest = std::max({t.p[0].z, t.p[1].z, t.p[2].z}), farthest = std::min({t.p[0].z, t.p[1].z, t.p[2].z});
    for (int y = y0; y < y1; ++y) {
      std::int64_t f0 = e0.start, f1 = e1.start, f2 = e2.start;
      const float row = t.p[0].z + slope_y * (static_cast<float>(y) + 0.5F - t.p[0].y);
      float* depths = &depth[index(0, y)];
      std::uint32_t* numbers = &triangle[index(0, y)];
      for (int x = x0; x < x1; ++x, f0 += e0.dx, f1 += e1.dx, f2 += e2.dx) {
        if ((f0 | f1 | f2) < 0) continue;
        const float z =
            std::min(std::max(row + slope_x * (static_cast<float>(x) + 0.5F - t.p[0].x), farthest), nearest);
        if (z > depths[x] && (!t.cut || cut(t, x, y))) {
          depths[x] = z;
          numbers[x] = static_cast<std::uint32_t>(i + 1);
        }
      }
      e0.start += e0.dy;
      e1.start += e1.dy;
      e2.start += e2.dy;
    }
  }
}

}  // namespace zoe::render
