// SPDX-License-Identifier: MIT
#include "io/fbx/geometry.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/fbx/layer_elements.h"
#include "io/fbx/triangulate.h"

namespace zoe::io::fbx {
namespace {

constexpr std::uint32_t kNoVertex = 0xffffffff;
// A point with more different corners than this is split without further search, so that damaged files stay fast.
constexpr int kMaxVersionsOfPoint = 64;

class GeometryReader {
 public:
  GeometryReader(const Document& document, const Node& node, const SpaceConversion& conversion)
      : document_(document), node_(node), conversion_(conversion) {}

  Result<Mesh> run() {
    ZOE_TRY(read_points());
    ZOE_TRY(read_polygons());
    ZOE_TRY_ASSIGN(normals_,
                   read_layer_element(document_, node_, "LayerElementNormal", 0, "Normals", "NormalsIndex", 3));
    ZOE_TRY_ASSIGN(uvs_, read_layer_element(document_, node_, "LayerElementUV", 0, "UV", "UVIndex", 2));
    ZOE_TRY_ASSIGN(uvs1_, read_layer_element(document_, node_, "LayerElementUV", 1, "UV", "UVIndex", 2));
    ZOE_TRY_ASSIGN(colors_, read_layer_element(document_, node_, "LayerElementColor", 0, "Colors", "ColorIndex", 4));
    make_vertices();
    ZOE_TRY(make_triangles());
    return std::move(mesh_);
  }

 private:
  Error invalid(std::string message) const { return {ErrorCode::kInvalid, std::move(message), document_.where(node_)}; }

  Result<void> read_points() {
    const auto vertices = document_.child(node_, "Vertices");
    if (!vertices) return {};
    ZOE_TRY_ASSIGN(const auto numbers, document_.read_array<float>(*vertices));
    points_.resize(numbers.size() / 3);
    const auto unit = static_cast<float>(conversion_.metres_per_unit());
    const float unit_x = conversion_.mirrored() ? -unit : unit;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      points_[i] = {numbers[i * 3] * unit_x, numbers[i * 3 + 1] * unit, numbers[i * 3 + 2] * unit};
      if (!is_finite(points_[i])) return invalid(fmt::format("control point {} is not a finite position", i));
    }
    mesh_.num_source_points = static_cast<std::uint32_t>(points_.size());
    return {};
  }

  // The last index of a polygon is stored as its complement.
  Result<void> read_polygons() {
    const auto indices = document_.child(node_, "PolygonVertexIndex");
    if (!indices) return {};
    ZOE_TRY_ASSIGN(const auto numbers, document_.read_array<std::int32_t>(*indices));
    corners_.reserve(numbers.size());
    polygon_starts_.push_back(0);
    for (const std::int32_t number : numbers) {
      const auto point = static_cast<std::uint32_t>(number < 0 ? ~number : number);
      if (point >= points_.size()) {
        return invalid(fmt::format("polygon names control point {} of {}", point, points_.size()));
      }
      corners_.push_back(point);
      if (number < 0) polygon_starts_.push_back(static_cast<std::uint32_t>(corners_.size()));
    }
    if (polygon_starts_.back() != corners_.size())
      polygon_starts_.push_back(static_cast<std::uint32_t>(corners_.size()));
    return {};
  }

  // Attributes in which corners of one point may differ.
  struct Attributes {
    Vec3 normal;
    Vec2 uv, uv1;
    Vec4 color;
    friend bool operator==(const Attributes&, const Attributes&) = default;
  };

  Attributes attributes_of(std::uint32_t corner, std::uint32_t polygon) const {
    Attributes a{};
    const std::uint32_t point = corners_[corner];
    const auto finite = [](float v) { return std::isfinite(v) ? v : 0.0F; };
    if (normals_.present()) {
      if (const float* n = normals_.at(corner, point, polygon)) {
        a.normal = {finite(conversion_.mirrored() ? -n[0] : n[0]), finite(n[1]), finite(n[2])};
      }
    }
    // FBX counts v from the bottom of the image.
    if (uvs_.present()) {
      if (const float* t = uvs_.at(corner, point, polygon)) a.uv = {finite(t[0]), finite(1 - t[1])};
    }
    if (uvs1_.present()) {
      if (const float* t = uvs1_.at(corner, point, polygon)) a.uv1 = {finite(t[0]), finite(1 - t[1])};
    }
    if (colors_.present()) {
      if (const float* c = colors_.at(corner, point, polygon))
        a.color = {finite(c[0]), finite(c[1]), finite(c[2]), finite(c[3])};
    }
    return a;
  }

  bool vertex_has(std::uint32_t vertex, const Attributes& a) const {
    return (!normals_.present() || mesh_.normals[vertex] == a.normal) &&
           (!uvs_.present() || mesh_.uvs[vertex] == a.uv) && (!uvs1_.present() || mesh_.uvs1[vertex] == a.uv1) &&
           (!colors_.present() || mesh_.colors[vertex] == a.color);
  }

  void make_vertices() {
    corner_vertices_.resize(corners_.size());
    std::vector<std::uint32_t> first_of_point(points_.size(), kNoVertex), next_of_vertex;
    next_of_vertex.reserve(points_.size() + points_.size() / 2);
    const std::size_t expected = points_.size() + points_.size() / 4;
    mesh_.positions.reserve(expected);
    mesh_.source_points.reserve(expected);
    for (std::uint32_t polygon = 0; polygon + 1 < polygon_starts_.size(); ++polygon) {
      for (std::uint32_t corner = polygon_starts_[polygon]; corner < polygon_starts_[polygon + 1]; ++corner) {
        const Attributes a = attributes_of(corner, polygon);
        const std::uint32_t point = corners_[corner];
        std::uint32_t vertex = first_of_point[point];
        for (int tried = 0; vertex != kNoVertex && !vertex_has(vertex, a); vertex = next_of_vertex[vertex]) {
          if (++tried == kMaxVersionsOfPoint) {
            vertex = kNoVertex;
            break;
          }
        }
        if (vertex == kNoVertex) {
          vertex = add_vertex(point, a);
          next_of_vertex.push_back(first_of_point[point]);
          first_of_point[point] = vertex;
        }
        corner_vertices_[corner] = vertex;
      }
    }
    if (mesh_.positions.size() == points_.size()) tidy_if_one_to_one();
  }

  std::uint32_t add_vertex(std::uint32_t point, const Attributes& a) {
    mesh_.positions.push_back(points_[point]);
    mesh_.source_points.push_back(point);
    if (normals_.present()) mesh_.normals.push_back(a.normal);
    if (uvs_.present()) mesh_.uvs.push_back(a.uv);
    if (uvs1_.present()) mesh_.uvs1.push_back(a.uv1);
    if (colors_.present()) mesh_.colors.push_back(a.color);
    return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
  }

  // Nothing was split and every point is used: number the vertices as the file numbers its points.
  void tidy_if_one_to_one() {
    std::vector<bool> seen(points_.size(), false);
    for (const std::uint32_t point : mesh_.source_points) {
      if (seen[point]) return;
      seen[point] = true;
    }
    const std::vector<std::uint32_t> old = mesh_.source_points;
    const auto reorder = [&](auto& array) {
      if (array.empty()) return;
      auto sorted = array;
      for (std::size_t i = 0; i < old.size(); ++i) sorted[old[i]] = array[i];
      array = std::move(sorted);
    };
    reorder(mesh_.positions);
    reorder(mesh_.normals);
    reorder(mesh_.uvs);
    reorder(mesh_.uvs1);
    reorder(mesh_.colors);
    for (std::uint32_t& vertex : corner_vertices_) vertex = old[vertex];
    for (std::size_t i = 0; i < old.size(); ++i) mesh_.source_points[i] = static_cast<std::uint32_t>(i);
  }

  Result<void> make_triangles() {
    const std::size_t num_polygons = polygon_starts_.empty() ? 0 : polygon_starts_.size() - 1;
    ZOE_TRY_ASSIGN(const auto slots, read_material_slots(document_, node_, num_polygons));
    std::size_t num_triangles = 0;
    for (std::size_t i = 0; i < num_polygons; ++i) {
      const std::uint32_t count = polygon_starts_[i + 1] - polygon_starts_[i];
      num_triangles += std::max(count, 2U) - 2;
    }
    mesh_.indices.reserve(num_triangles * 3);
    if (slots.empty()) {
      for (std::size_t polygon = 0; polygon < num_polygons; ++polygon) add_polygon(polygon);
      mesh_.submeshes.push_back({0, static_cast<std::uint32_t>(mesh_.indices.size()), 0});
      return {};
    }
    // One run of triangles per material, polygons in file order inside it.
    std::vector<std::uint32_t> order(num_polygons);
    for (std::size_t i = 0; i < num_polygons; ++i) order[i] = static_cast<std::uint32_t>(i);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return slots[a] < slots[b]; });
    for (std::size_t i = 0; i < num_polygons; ++i) {
      const int slot = std::max(slots[order[i]], 0);
      const auto first = static_cast<std::uint32_t>(mesh_.indices.size());
      if (mesh_.submeshes.empty() || mesh_.submeshes.back().material != slot)
        mesh_.submeshes.push_back({first, 0, slot});
      add_polygon(order[i]);
      mesh_.submeshes.back().num_indices += static_cast<std::uint32_t>(mesh_.indices.size()) - first;
    }
    return {};
  }

  void add_polygon(std::size_t polygon) {
    const std::uint32_t first = polygon_starts_[polygon], count = polygon_starts_[polygon + 1] - first;
    if (count < 3) return;  // Points and edges have no surface.
    const std::uint32_t* vertices = &corner_vertices_[first];
    local_triangles_.clear();
    if (count == 3) {
      local_triangles_ = {0, 1, 2};
    } else {
      polygon_points_.resize(count);
      for (std::uint32_t i = 0; i < count; ++i) polygon_points_[i] = points_[corners_[first + i]];
      triangulator_.run(polygon_points_, &local_triangles_);
    }
    for (std::size_t i = 0; i + 2 < local_triangles_.size(); i += 3) {
      const std::uint32_t a = vertices[local_triangles_[i]];
      std::uint32_t b = vertices[local_triangles_[i + 1]], c = vertices[local_triangles_[i + 2]];
      if (conversion_.mirrored()) std::swap(b, c);
      mesh_.indices.insert(mesh_.indices.end(), {a, b, c});
    }
  }

  const Document& document_;
  const Node& node_;
  const SpaceConversion& conversion_;
  Mesh mesh_;
  std::vector<Vec3> points_;                   // Control points, node space, metres.
  std::vector<std::uint32_t> corners_;         // Control point of every corner.
  std::vector<std::uint32_t> polygon_starts_;  // First corner of every polygon, and the end.
  std::vector<std::uint32_t> corner_vertices_;
  LayerElement normals_, uvs_, uvs1_, colors_;
  Triangulator triangulator_;
  std::vector<Vec3> polygon_points_;
  std::vector<std::uint32_t> local_triangles_;
};

}  // namespace

Result<Mesh> read_geometry(const Document& document, const Node& node, const SpaceConversion& conversion) {
  return GeometryReader(document, node, conversion).run();
}

PointVertices::PointVertices(const Mesh& mesh)
    : starts_(mesh.num_source_points + 1, 0), vertices_(mesh.source_points.size()) {
  for (const std::uint32_t point : mesh.source_points) ++starts_[point + 1];
  for (std::size_t i = 0; i < mesh.num_source_points; ++i) starts_[i + 1] += starts_[i];
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  for (std::uint32_t v = 0; v < mesh.source_points.size(); ++v) vertices_[next[mesh.source_points[v]]++] = v;
}

}  // namespace zoe::io::fbx
