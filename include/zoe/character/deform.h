// SPDX-License-Identifier: MIT
// Part of Zoetrope. Deforms one mesh instance: morph targets, then skin. Plain and exact: the reference for fast
// kernels, used by file writers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "zoe/character/character.h"

namespace zoe {

// Model space. One entry per vertex of the mesh; normals are empty when the mesh has none.
struct DeformedMesh {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;  // Unit.
};

// model_from_joint: [joints] of the pose (compute_model_from_joint). morph_weights: of the whole character, layout of
// Character::num_morph_weights(); empty takes the instance's defaults. Blends in double precision, linearly or with
// dual quaternions as the skin states. See MeshInstance for the node of a skinned mesh.
DeformedMesh deform_instance(const Character& character, std::size_t instance, std::span<const Affine> model_from_joint,
                             std::span<const float> morph_weights = {});

}  // namespace zoe
