// SPDX-License-Identifier: MIT
#include "zoe/scene/actor.h"

#include "zoe/character/local_to_model_job.h"

namespace zoe::scene {

Actor make_actor(CharacterPtr character) {
  ZOE_CHECK(character != nullptr && character->skeleton != nullptr, "an actor needs a character with a skeleton");
  Actor actor;
  actor.pose = make_pose(*character->skeleton);
  actor.pose_before = actor.pose;
  for (const MeshInstance& instance : character->instances) {
    const std::size_t n = character->meshes[static_cast<std::size_t>(instance.mesh)].morph_targets.size();
    for (std::size_t i = 0; i < n; ++i) {
      actor.morph_weights.push_back(i < instance.morph_weights.size() ? instance.morph_weights[i] : 0.0F);
    }
  }
  actor.morph_weights_before = actor.morph_weights;
  const std::span<const Affine> rest = character->skeleton->rest_model();
  actor.model_from_joint.assign(rest.begin(), rest.end());
  actor.model_from_joint_before = actor.model_from_joint;
  actor.character = std::move(character);
  return actor;
}

CharacterPtr make_bare_character(SkeletonPtr skeleton, std::string name) {
  auto character = std::make_shared<Character>();
  character->name = std::move(name);
  character->skeleton = std::move(skeleton);
  return character;
}

void keep_before(Actor& actor) {
  actor.pose_before.translations = actor.pose.translations;
  actor.pose_before.rotations = actor.pose.rotations;
  actor.pose_before.scales = actor.pose.scales;
  actor.model_from_joint_before = actor.model_from_joint;
  actor.morph_weights_before = actor.morph_weights;
}

void update_joints(Actor& actor) {
  LocalToModelJob{.skeleton = &actor.skeleton(), .pose = actor.pose.view(), .model_from_joint = actor.model_from_joint}
      .run();
}

Vec3 joint_velocity_model(const Actor& actor, int joint, double step_s) {
  const auto j = static_cast<std::size_t>(joint);
  return (actor.model_from_joint[j].t - actor.model_from_joint_before[j].t) / static_cast<float>(step_s);
}

void interpolate_pose(const Actor& actor, float alpha, Pose& out) {
  const Pose &a = actor.pose_before, &b = actor.pose;
  for (std::size_t i = 0; i < b.rotations.size(); ++i) {
    out.translations[i] = lerp(a.translations[i], b.translations[i], alpha);
    out.rotations[i] = nlerp(a.rotations[i], b.rotations[i], alpha);
    out.scales[i] = lerp(a.scales[i], b.scales[i], alpha);
  }
}

}  // namespace zoe::scene
