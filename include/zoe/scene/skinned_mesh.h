// SPDX-License-Identifier: MIT
// Part of Zoetrope. The drawn form of an actor: looks, and the pose between two fixed steps.
#pragma once

#include <vector>

#include "zoe/scene/actor.h"

namespace zoe::scene {

// A component beside Actor. All but the looks is computed once per frame; draw.h passes it to the renderer.
struct SkinnedMesh {
  bool visible = true;
  bool casts_shadow = true;
  Vec4 tint{1, 1, 1, 1};  // Times the materials' colours; alpha < 1 is transparent.

  Pose pose;                             // As drawn.
  std::vector<Affine> model_from_joint;  // [joints]
  std::vector<float> morph_weights;      // Character::num_morph_weights().
};
SkinnedMesh make_skinned_mesh(const Character& character);

// alpha: 0 draws the step before, 1 this one. Allocates nothing.
void update_skinned_mesh(const Actor& actor, float alpha, SkinnedMesh& mesh);

}  // namespace zoe::scene
