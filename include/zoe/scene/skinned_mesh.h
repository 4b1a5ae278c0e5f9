// SPDX-License-Identifier: MIT
// Part of Zoetrope. An actor's meshes as they are drawn: the pose between two fixed steps, and the matrices of its skins.
#pragma once

#include <vector>

#include "zoe/scene/actor.h"

namespace zoe::scene {

// A component beside Actor. All but the looks is computed once a frame.
struct SkinnedMesh {
  bool visible = true;
  bool casts_shadow = true;
  Vec4 tint{1, 1, 1, 1};  // Times the materials' colours.

  Pose pose;                                  // As drawn.
  std::vector<Affine> model_from_joint;       // [joints]
  std::vector<float> morph_weights;
  std::vector<std::vector<Affine>> palettes;  // [mesh instances][skin joints]; empty for rigid ones.
  std::vector<Affine> model_from_mesh;        // [mesh instances], of rigid ones; no map for skinned ones.
};
SkinnedMesh make_skinned_mesh(const Character& character);

// alpha: 0 draws the step before, 1 this one. Allocates nothing.
void update_skinned_mesh(const Actor& actor, float alpha, SkinnedMesh& mesh);

}  // namespace zoe::scene
