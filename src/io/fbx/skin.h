// SPDX-License-Identifier: MIT
// Part of Zoetrope. Skin deformers: the joints that move a mesh, and their weights.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "zoe/character/mesh.h"
#include "zoe/core/result.h"
#include "zoe/math/affine.h"

#include "io/fbx/document.h"
#include "io/fbx/growth_budget.h"
#include "io/fbx/objects.h"
#include "io/fbx/scene_nodes.h"

namespace zoe::io::fbx {

// One cluster's binding, in file space.
struct ClusterBind {
  int node = kNoNode;                          // The bone.
  std::optional<Affined> bone_from_mesh_node;  // "Transform": the mesh's node at bind time, in the space of the bone.
  std::optional<Affined> world_from_bone;      // "TransformLink": the bone at bind time.
};

struct SkinBinding {
  std::vector<ClusterBind> clusters;
  // Some vertices have no weights. They follow the mesh's own node, which is influence number clusters.size().
  bool has_free_vertices = false;
  SkinBlend blend = SkinBlend::kLinear;
};

// Fills the mesh's influences. No clusters: the geometry has no skin.
Result<SkinBinding> read_skin(const Document& document, const ObjectGraph& graph, const SceneNodes& scene,
                              std::uint32_t geometry, Mesh* mesh, GrowthBudget* budget, Warnings* warnings);

}  // namespace zoe::io::fbx
