// SPDX-License-Identifier: MIT
#include "zoe/scene/skinned_mesh.h"

#include <algorithm>

#include "zoe/character/local_to_model_job.h"

namespace zoe::scene {

SkinnedMesh make_skinned_mesh(const Character& character) {
  SkinnedMesh mesh;
  mesh.pose = make_pose(*character.skeleton);
  const std::span<const Affine> rest = character.skeleton->rest_model();
  mesh.model_from_joint.assign(rest.begin(), rest.end());
  mesh.morph_weights.resize(character.num_morph_weights());
  return mesh;
}

void update_skinned_mesh(const Actor& actor, float alpha, SkinnedMesh& mesh) {
  interpolate_pose(actor, alpha, mesh.pose);
  LocalToModelJob{.skeleton = &actor.skeleton(), .pose = mesh.pose.view(), .model_from_joint = mesh.model_from_joint}
      .run();
  if (alpha >= 1) {
    std::copy(actor.morph_weights.begin(), actor.morph_weights.end(), mesh.morph_weights.begin());
    return;
  }
  for (std::size_t i = 0; i < mesh.morph_weights.size(); ++i) {
    mesh.morph_weights[i] =
        actor.morph_weights_before[i] + (actor.morph_weights[i] - actor.morph_weights_before[i]) * alpha;
  }
}

}  // namespace zoe::scene
