// SPDX-License-Identifier: MIT
#include "io/fbx/write_points.h"

#include <algorithm>
#include <numeric>

#include "zoe/core/index.h"

namespace zoe::io::fbx {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

bool same_influences(const Mesh& mesh, std::uint32_t a, std::uint32_t b) {
  const std::size_t width = idx(mesh.influences_per_vertex);
  const auto same = [&](const auto& values) {
    return std::equal(values.begin() + static_cast<std::ptrdiff_t>(a * width),
                      values.begin() + static_cast<std::ptrdiff_t>((a + 1) * width),
                      values.begin() + static_cast<std::ptrdiff_t>(b * width));
  };
  return width == 0 || (same(mesh.influence_joints) && same(mesh.influence_weights));
}

bool points_agree(const Mesh& mesh, const ControlPoints& points) {
  const auto all = [&](const auto& same) {
    for (std::uint32_t v = 0; v < points.point_of_vertex.size(); ++v) {
      if (!same(v, points.vertex_of_point[points.point_of_vertex[v]])) return false;
    }
    return true;
  };
  if (!all([&](std::uint32_t a, std::uint32_t b) {
        return mesh.positions[a] == mesh.positions[b] && same_influences(mesh, a, b);
      })) {
    return false;
  }
  return std::all_of(mesh.morph_targets.begin(), mesh.morph_targets.end(), [&](const MorphTarget& target) {
    const std::vector<Vec3> deltas = dense_deltas(target, target.position_deltas, mesh.num_vertices());
    return all([&](std::uint32_t a, std::uint32_t b) { return deltas[a] == deltas[b]; });
  });
}

}  // namespace

std::vector<Vec3> dense_deltas(const MorphTarget& target, const std::vector<Vec3>& deltas, std::size_t num_vertices) {
  std::vector<Vec3> dense(num_vertices);
  for (std::size_t i = 0; i < deltas.size(); ++i) dense[target.vertices.empty() ? i : target.vertices[i]] = deltas[i];
  return dense;
}

ControlPoints control_points(const Mesh& mesh) {
  ControlPoints points;
  const std::size_t n = mesh.num_vertices();
  if (mesh.source_points.size() == n && n > 0) {
    // Points without a vertex have no position left and are dropped.
    std::vector<std::uint32_t> first(mesh.num_source_points, kNone), number(mesh.num_source_points, kNone);
    for (std::uint32_t v = 0; v < n; ++v) first[mesh.source_points[v]] = std::min(first[mesh.source_points[v]], v);
    for (std::size_t p = 0; p < first.size(); ++p) {
      if (first[p] == kNone) continue;
      number[p] = static_cast<std::uint32_t>(points.vertex_of_point.size());
      points.vertex_of_point.push_back(first[p]);
    }
    for (std::uint32_t v = 0; v < n; ++v) points.point_of_vertex.push_back(number[mesh.source_points[v]]);
    if (points_agree(mesh, points)) return points;
  }
  points.point_of_vertex.resize(n);
  std::iota(points.point_of_vertex.begin(), points.point_of_vertex.end(), 0U);
  points.vertex_of_point = points.point_of_vertex;
  return points;
}

}  // namespace zoe::io::fbx
