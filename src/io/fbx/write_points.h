// SPDX-License-Identifier: MIT
// Part of Zoetrope. The control points of a mesh: vertices that share everything but corner attributes share a point.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/character/mesh.h"

namespace zoe::io::fbx {

struct ControlPoints {
  std::vector<std::uint32_t> point_of_vertex;
  std::vector<std::uint32_t> vertex_of_point;  // The first vertex of each point.
};

// Points of the author's file (Mesh::source_points) where all vertices of a point agree in position, influences and
// morph targets. One point for each vertex otherwise.
ControlPoints control_points(const Mesh& mesh);

// Offsets of a target for each vertex.
std::vector<Vec3> dense_deltas(const MorphTarget& target, const std::vector<Vec3>& deltas, std::size_t num_vertices);

}  // namespace zoe::io::fbx
