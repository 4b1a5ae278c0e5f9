// SPDX-License-Identifier: MIT
#include "zoe/scene/skinned_mesh.h"

#include "zoe/character/local_to_model_job.h"
#include "zoe/character/palette_job.h"

namespace zoe::scene {

SkinnedMesh make_skinned_mesh(const Character& character) {
  SkinnedMesh mesh;
  mesh.pose = make_pose(*character.skeleton);
  const std::span<const Affine> rest = character.skeleton->rest_model();
  mesh.model_from_joint.assign(rest.begin(), rest.end());
  mesh.morph_weights.resize(character.num_morph_weights());
  for (const MeshInstance& instance : character.instances) {
    const std::size_t n =
        instance.skin < 0 ? 0 : character.skins[static_cast<std::size_t>(instance.skin)].joints.size();
    mesh.palettes.emplace_back(n);
  }
  mesh.model_from_mesh.resize(character.instances.size());
  return mesh;
}

void update_skinned_mesh(const Actor& actor, float alpha, SkinnedMesh& mesh) {
  interpolate_pose(actor, alpha, mesh.pose);
  LocalToModelJob{.skeleton = &actor.skeleton(), .pose = mesh.pose.view(), .model_from_joint = mesh.model_from_joint}
      .run();
  for (std::size_t i = 0; i < mesh.morph_weights.size(); ++i) {
    mesh.morph_weights[i] =
        actor.morph_weights_before[i] + (actor.morph_weights[i] - actor.morph_weights_before[i]) * alpha;
  }
  const Character& character = *actor.character;
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const MeshInstance& instance = character.instances[i];
    const Affine joint =
        instance.joint < 0 ? Affine{} : mesh.model_from_joint[static_cast<std::size_t>(instance.joint)];
    if (instance.skin < 0) {
      mesh.model_from_mesh[i] = joint * instance.joint_from_mesh;
      continue;
    }
    const Affine moved = joint * instance.joint_from_model_at_bind;
    PaletteJob{.skin = &character.skins[static_cast<std::size_t>(instance.skin)],
               .model_from_joint = mesh.model_from_joint,
               .target_from_model = instance.skin_follows_joint ? std::span(&moved, 1) : std::span<const Affine>{},
               .palettes = mesh.palettes[i]}
        .run();
  }
}

}  // namespace zoe::scene
