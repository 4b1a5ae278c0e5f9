// SPDX-License-Identifier: MIT
// Two passes: visibility (depth and triangle of each sample, in integers), then the surface of the visible samples.
#include "zoe/render/software/raster.h"

#include <algorithm>
#include <cmath>

#include "zoe/core/check.h"
#include "zoe/render/software/srgb.h"

namespace zoe::render {
namespace {

constexpr int kSubBits = 4;  // Positions are whole sixteenths of a sample, so that edges are exact.
constexpr int kSub = 1 << kSubBits;
constexpr float kFar = 2e5F;  // Samples; positions beyond are clamped.
constexpr int kSmall = 1000;  // Triangles of at most this many samples each way need 32-bit edges only.

// To the nearest whole number, |value| < 2^22: adding 1.5 · 2^23 leaves no bits for the fraction. The library's lrint
// is a call.
inline int round_small(float value) {
  constexpr float kShift = 12582912.0F;
  return static_cast<int>((value + kShift) - kShift);
}

struct Point {
  std::int64_t x, y;
};

Point to_fixed(Vec3 p) {
  return {round_small(std::clamp(p.x, -kFar, kFar) * kSub), round_small(std::clamp(p.y, -kFar, kFar) * kSub)};
}

// Twice the area of a triangle, positive where a, b, c turn to the right on a screen with y down.
std::int64_t area_of(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// Depth as a plane over samples: depth(x, y) = at_origin + x · dx + y · dy, at the centres.
struct Plane {
  float at_origin, dx, dy;
};

Plane depth_plane(const Vec3* p) {
  const Vec3 u = p[1] - p[0], v = p[2] - p[0];
  const float area = u.x * v.y - u.y * v.x;
  if (area == 0) return {p[0].z, 0, 0};
  const float dx = (u.z * v.y - v.z * u.y) / area, dy = (v.z * u.x - u.z * v.x) / area;
  return {p[0].z - p[0].x * dx - p[0].y * dy, dx, dy};
}

struct Barycentric {
  float weight[3];
};

// What the samples of one triangle share.
struct Corners {
  explicit Corners(const Vec3* p) : first(p[0]), u(p[1] - p[0]), v(p[2] - p[0]) {
    const float area = u.x * v.y - u.y * v.x;
    scale = std::abs(area) > 1e-30F ? 1 / area : 0;  // Without an area all samples are at the first corner.
  }

  // Of the centre of a sample. Weights are within 0 to 1 for samples at an edge as well.
  Barycentric at(int sample_x, int sample_y) const {
    const float x = static_cast<float>(sample_x) + 0.5F - first.x, y = static_cast<float>(sample_y) + 0.5F - first.y;
    const float b = std::clamp((x * v.y - y * v.x) * scale, 0.0F, 1.0F);
    const float c = std::clamp((u.x * y - u.y * x) * scale, 0.0F, 1.0F - b);
    return {{1 - b - c, b, c}};
  }

  Vec3 first, u, v;
  float scale;
};

Vec2 uv_at(const SoftwareModel& model, const SoftwareModel::Triangle& t, const Barycentric& at) {
  const Vec2 a = model.uvs()[t.vertices[0]], b = model.uvs()[t.vertices[1]], c = model.uvs()[t.vertices[2]];
  return {a.x * at.weight[0] + b.x * at.weight[1] + c.x * at.weight[2],
          a.y * at.weight[0] + b.y * at.weight[1] + c.y * at.weight[2]};
}

// The nearest texel. Coordinates repeat.
const std::uint8_t* texel(const Picture& picture, Vec2 uv) {
  const auto wrap = [](float value, int size) {
    if (!(std::abs(value) < 1e6F)) return 0;                             // Not a number, or without a fraction.
    float inside = value - static_cast<float>(static_cast<int>(value));  // The library's floor is a call.
    if (inside < 0) inside += 1;
    return std::min(static_cast<int>(inside * static_cast<float>(size)), size - 1);
  };
  return picture.pixel(wrap(uv.x, picture.width), wrap(uv.y, picture.height));
}

class Raster {
 public:
  Raster(const SoftwareModel& model, const PosedVertices& vertices, const SurfaceView& view, SurfaceBuffer& buffer)
      : model_(model), vertices_(vertices), view_(view), buffer_(buffer) {}

  void run() {
    prepare();
    project();
    const std::span<const SoftwareModel::Triangle> triangles = model_.triangles();
    for (std::size_t i = 0; i < triangles.size(); ++i) draw(static_cast<std::uint32_t>(i), triangles[i]);
    clear_old_surfaces();
    for (int y = buffer_.top; view_.surfaces && y < buffer_.bottom; ++y) resolve_row(y);
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(buffer_.width) + static_cast<std::size_t>(x);
  }

  // Only the box of the picture before is cleared.
  void prepare() {
    const auto size = static_cast<std::size_t>(view_.width) * static_cast<std::size_t>(view_.height);
    if (buffer_.width != view_.width || buffer_.height != view_.height) {
      buffer_.width = view_.width;
      buffer_.height = view_.height;
      buffer_.surfels.assign(size, {});
      buffer_.depth.assign(size, Surfel::kNothing);
      buffer_.triangle.assign(size, 0);
      buffer_.left = buffer_.top = buffer_.right = buffer_.bottom = 0;
    } else {
      const auto count = std::max(0, buffer_.right - buffer_.left);
      for (int y = buffer_.top; y < buffer_.bottom; ++y) {
        const std::size_t first = index(buffer_.left, y);
        std::fill_n(buffer_.depth.begin() + static_cast<long>(first), count, Surfel::kNothing);
        std::fill_n(buffer_.triangle.begin() + static_cast<long>(first), count, 0U);
      }
    }
    before_ = {buffer_.left, buffer_.top, buffer_.right, buffer_.bottom};
    buffer_.left = view_.width;
    buffer_.top = view_.height;
    buffer_.right = buffer_.bottom = 0;
  }

  // Surfaces of the picture before that are outside of the new box; inside of it resolve_row() writes all samples.
  void clear_old_surfaces() {
    const auto clear = [&](int left, int right, int y) {
      if (left < right)
        std::fill_n(buffer_.surfels.begin() + static_cast<long>(index(left, y)), right - left, Surfel{});
    };
    for (int y = before_.y0; y < before_.y1; ++y) {
      const bool overlaps = view_.surfaces && y >= buffer_.top && y < buffer_.bottom;
      clear(before_.x0, overlaps ? std::min(before_.x1, buffer_.left) : before_.x1, y);
      if (overlaps) clear(std::max(before_.x0, buffer_.right), before_.x1, y);
    }
  }

  void project() {
    buffer_.projected.resize(vertices_.positions.size());
    for (std::size_t i = 0; i < vertices_.positions.size(); ++i) {
      const Vec3 p = view_.view_from_model.apply_point(vertices_.positions[i]);
      buffer_.projected[i] = {view_.origin_x + p.x * view_.samples_per_unit,
                              view_.origin_y - p.y * view_.samples_per_unit, p.z};
    }
    if (!view_.surfaces) return;
    buffer_.view_normals.resize(vertices_.normals.size());
    for (std::size_t i = 0; i < vertices_.normals.size(); ++i)
      buffer_.view_normals[i] = view_.view_from_model.apply_vector(vertices_.normals[i]);
  }

  void draw(std::uint32_t number, const SoftwareModel::Triangle& t) {
    const Vec3 p[3] = {buffer_.projected[t.vertices[0]], buffer_.projected[t.vertices[1]],
                       buffer_.projected[t.vertices[2]]};
    if (!is_finite(p[0]) || !is_finite(p[1]) || !is_finite(p[2])) return;
    Point a = to_fixed(p[0]), b = to_fixed(p[1]), c = to_fixed(p[2]);
    const std::int64_t area = area_of(a, b, c);
    const SoftwareModel::Surface& surface = model_.surfaces()[t.surface];
    // Counter-clockwise outside turns to the left where y is down.
    if (area == 0 || (area > 0 && !surface.double_sided)) return;
    if (area < 0) std::swap(b, c);
    // Samples whose centre may be inside.
    const auto low = [](std::int64_t v) { return static_cast<int>((v + kSub / 2 - 1) >> kSubBits); };
    const int x0 = std::max(0, low(std::min({a.x, b.x, c.x}))), y0 = std::max(0, low(std::min({a.y, b.y, c.y})));
    const int x1 = std::min(view_.width, low(std::max({a.x, b.x, c.x}) + 1)),
              y1 = std::min(view_.height, low(std::max({a.y, b.y, c.y}) + 1));
    if (x0 >= x1 || y0 >= y1) return;
    buffer_.left = std::min(buffer_.left, x0);
    buffer_.top = std::min(buffer_.top, y0);
    buffer_.right = std::max(buffer_.right, x1);
    buffer_.bottom = std::max(buffer_.bottom, y1);

    const Edge edges[3] = {make_edge(a, b, x0, y0), make_edge(b, c, x0, y0), make_edge(c, a, x0, y0)};
    const std::int64_t wide = std::max({a.x, b.x, c.x}) - std::min({a.x, b.x, c.x}),
                       high = std::max({a.y, b.y, c.y}) - std::min({a.y, b.y, c.y});
    const Box box{x0, y0, x1, y1};
    if (std::max(wide, high) < kSmall * kSub) {
      fill<std::int32_t>(number, t, p, edges, box);
    } else {
      fill<std::int64_t>(number, t, p, edges, box);
    }
  }

  struct Box {
    int x0, y0, x1, y1;
  };
  struct Edge {
    std::int64_t start, dx, dy;
  };

  template <typename Int>
  void fill(std::uint32_t number, const SoftwareModel::Triangle& t, const Vec3* p, const Edge* edges, const Box& box) {
    const Plane plane = depth_plane(p);
    const float nearest = std::max({p[0].z, p[1].z, p[2].z}), farthest = std::min({p[0].z, p[1].z, p[2].z});
    const bool cut = model_.surfaces()[t.surface].alpha_cutoff > 0;
    const Int dx0 = static_cast<Int>(edges[0].dx), dx1 = static_cast<Int>(edges[1].dx),
              dx2 = static_cast<Int>(edges[2].dx);
    Int row0 = static_cast<Int>(edges[0].start), row1 = static_cast<Int>(edges[1].start),
        row2 = static_cast<Int>(edges[2].start);
    for (int y = box.y0; y < box.y1; ++y) {
      Int e0 = row0, e1 = row1, e2 = row2;
      const float row_depth = plane.at_origin + plane.dy * (static_cast<float>(y) + 0.5F);
      float* depth = &buffer_.depth[index(0, y)];
      std::uint32_t* triangle = &buffer_.triangle[index(0, y)];
      for (int x = box.x0; x < box.x1; ++x, e0 += dx0, e1 += dx1, e2 += dx2) {
        if ((e0 | e1 | e2) < 0) continue;
        // The planes of slivers are steep: clamped to the triangle.
        const float z = std::min(std::max(row_depth + plane.dx * (static_cast<float>(x) + 0.5F), farthest), nearest);
        if (z > depth[x] && (!cut || is_solid(t, p, x, y))) {
          depth[x] = z;
          triangle[x] = number + 1;
        }
      }
      row0 += static_cast<Int>(edges[0].dy);
      row1 += static_cast<Int>(edges[1].dy);
      row2 += static_cast<Int>(edges[2].dy);
    }
  }

  // >= 0 inside. Samples on an edge that two triangles share belong to one of them: the top-left rule.
  static Edge make_edge(Point a, Point b, int x0, int y0) {
    const std::int64_t ex = b.x - a.x, ey = b.y - a.y;
    const std::int64_t px = std::int64_t{x0} * kSub + kSub / 2 - a.x, py = std::int64_t{y0} * kSub + kSub / 2 - a.y;
    const bool top_left = ey < 0 || (ey == 0 && ex > 0);
    return {ex * py - ey * px - (top_left ? 0 : 1), -ey * kSub, ex * kSub};
  }

  bool is_solid(const SoftwareModel::Triangle& t, const Vec3* p, int x, int y) const {
    const SoftwareModel::Surface& surface = model_.surfaces()[t.surface];
    if (surface.texture < 0) return surface.alpha >= surface.alpha_cutoff;
    const Barycentric at = Corners(p).at(x, y);
    const std::uint8_t* color =
        texel(model_.textures()[static_cast<std::size_t>(surface.texture)], uv_at(model_, t, at));
    return surface.alpha * static_cast<float>(color[3]) >= surface.alpha_cutoff * 255;
  }

  // Neighbours are mostly of one triangle: what its samples share is computed once for each run.
  void resolve_row(int y) {
    for (int x = buffer_.left; x < buffer_.right;) {
      const std::uint32_t number = buffer_.triangle[index(x, y)];
      int end = x + 1;
      while (end < buffer_.right && buffer_.triangle[index(end, y)] == number) ++end;
      if (number != 0) {
        resolve_run(model_.triangles()[number - 1], x, end, y);
      } else {
        std::fill_n(buffer_.surfels.begin() + static_cast<long>(index(x, y)), end - x, Surfel{});
      }
      x = end;
    }
  }

  void resolve_run(const SoftwareModel::Triangle& t, int begin, int end, int y) {
    const Vec3 p[3] = {buffer_.projected[t.vertices[0]], buffer_.projected[t.vertices[1]],
                       buffer_.projected[t.vertices[2]]};
    const Corners corners(p);
    const SoftwareModel::Surface& surface = model_.surfaces()[t.surface];
    const Picture* texture =
        surface.texture >= 0 ? &model_.textures()[static_cast<std::size_t>(surface.texture)] : nullptr;
    const bool tinted = !model_.colors().empty(), flat = model_.is_flat(t);
    const bool white = !tinted && surface.color.x == 1 && surface.color.y == 1 && surface.color.z == 1;
    Surfel shared;
    shared.part = static_cast<std::uint8_t>(t.part);
    shared.glow = srgb_from_linear(std::max({surface.emissive.x, surface.emissive.y, surface.emissive.z}));
    for (std::size_t k = 0; k < 3; ++k) shared.albedo[k] = srgb_from_linear(surface.color[k]);
    if (flat) set_normal(flat_normal(t), surface, shared);
    for (int x = begin; x < end; ++x) {
      const Barycentric at = corners.at(x, y);
      Surfel& surfel = buffer_.surfels[index(x, y)];
      surfel = shared;
      surfel.depth = buffer_.depth[index(x, y)];
      if (texture != nullptr && white) {  // The texture's own bytes: linear light and back gives the same.
        const std::uint8_t* bytes = texel(*texture, uv_at(model_, t, at));
        for (std::size_t k = 0; k < 3; ++k) surfel.albedo[k] = bytes[k];
      } else if (texture != nullptr || tinted) {
        Vec3 color = surface.color;
        if (tinted) {
          Vec3 tint{};
          for (std::size_t k = 0; k < 3; ++k) tint += model_.colors()[t.vertices[k]] * at.weight[k];
          color = color * tint;
        }
        if (texture != nullptr) {
          const std::uint8_t* bytes = texel(*texture, uv_at(model_, t, at));
          color = color * Vec3{srgb_.linear[bytes[0]], srgb_.linear[bytes[1]], srgb_.linear[bytes[2]]};
        }
        for (std::size_t k = 0; k < 3; ++k) surfel.albedo[k] = srgb_from_linear(color[k]);
      }
      if (!flat) set_normal(smooth_normal(t, at), surface, surfel);
    }
  }

  static void set_normal(Vec3 normal, const SoftwareModel::Surface& surface, Surfel& surfel) {
    if (normal.z < 0 && surface.double_sided) normal = -normal;
    for (std::size_t k = 0; k < 3; ++k)
      surfel.normal[k] = static_cast<std::int8_t>(round_small(std::clamp(normal[k], -1.0F, 1.0F) * 127));
  }

  Vec3 smooth_normal(const SoftwareModel::Triangle& t, const Barycentric& at) const {
    Vec3 normal{};
    for (std::size_t k = 0; k < 3; ++k) normal += buffer_.view_normals[t.vertices[k]] * at.weight[k];
    const float square = dot(normal, normal);
    return square > 1e-20F ? normal * (1 / std::sqrt(square)) : Vec3{0, 0, 1};
  }
  Vec3 flat_normal(const SoftwareModel::Triangle& t) const {
    const Vec3 a = vertices_.positions[t.vertices[0]], b = vertices_.positions[t.vertices[1]],
               c = vertices_.positions[t.vertices[2]];
    return normalized(view_.view_from_model.apply_vector(cross(b - a, c - a)), {0, 0, 1});
  }

  const SoftwareModel& model_;
  const PosedVertices& vertices_;
  const SurfaceView& view_;
  SurfaceBuffer& buffer_;
  const SrgbTables& srgb_ = srgb_tables();
  Box before_{};  // Of the picture before.
};

}  // namespace

void rasterise(const SoftwareModel& model, const PosedVertices& vertices, const SurfaceView& view,
               SurfaceBuffer& buffer) {
  ZOE_CHECK(view.width >= 1 && view.width <= 8192 && view.height >= 1 && view.height <= 8192,
            "rasterise: 1 to 8192 samples each way");
  ZOE_CHECK(vertices.positions.size() == model.num_vertices(), "rasterise: vertices of another model");
  Raster(model, vertices, view, buffer).run();
}

}  // namespace zoe::render
