// SPDX-License-Identifier: MIT
// Part of Zoetrope. An FBX polygon mesh as our triangle mesh.
#pragma once

#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/core/result.h"

#include "io/fbx/document.h"
#include "io/fbx/settings.h"

namespace zoe::io::fbx {

// Positions, normals, uvs, colours, triangles. Submesh::material holds the slot in the node's list of materials.
// Vertices are split only where corners differ. Mesh::source_points maps them to the file's control points. Refuses
// indices out of range.
Result<Mesh> read_geometry(const Document& document, const Node& node, const SpaceConversion& conversion);

// For each control point, the vertices made from it.
class PointVertices {
 public:
  explicit PointVertices(const Mesh& mesh);
  std::span<const std::uint32_t> of(std::uint32_t point) const {
    return std::span(vertices_).subspan(starts_[point], starts_[point + 1] - starts_[point]);
  }

 private:
  std::vector<std::uint32_t> starts_, vertices_;
};

}  // namespace zoe::io::fbx
