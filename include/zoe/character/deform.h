// SPDX-License-Identifier: MIT
// Part of Zoetrope. Deforms one mesh instance: morph targets, then skin. Plain and exact: the
// reference for fast kernels, and what file writers use.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "zoe/character/character.h"

namespace zoe {

// Model space. One entry a vertex of the mesh; normals are empty when the mesh has none.
struct DeformedMesh {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;  // Unit.
};

// model_from_joint: [joints] of the pose (compute_model_from_joint).
// morph_weights: of the whole character, layout of Character::num_morph_weights(); empty takes the
// instance's defaults. Linear blend skinning in double precision; see MeshInstance for what the
// node of a skinned mesh does.
DeformedMesh deform_instance(const Character& character, std::size_t instance, std::span<const Affine> model_from_joint,
                             std::span<const float> morph_weights = {});

}  // namespace zoe
