// SPDX-License-Identifier: MIT
#include "zoe/scene/actor.h"

#include <algorithm>

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

void write_pose(const PoseView& pose, Actor& actor) {
  ZOE_CHECK(pose.rotations.size() == actor.pose.rotations.size(), "the pose is of another skeleton than the actor's");
  std::copy(pose.translations.begin(), pose.translations.end(), actor.pose.translations.begin());
  std::copy(pose.rotations.begin(), pose.rotations.end(), actor.pose.rotations.begin());
  std::fill(actor.pose.scales.begin(), actor.pose.scales.end(), Vec3{1, 1, 1});
  std::copy(pose.scales.begin(), pose.scales.end(), actor.pose.scales.begin());
}

void start_with_pose(const PoseView& pose, Actor& actor) {
  write_pose(pose, actor);
  update_joints(actor);
  keep_before(actor);
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
  if (alpha >= 1) {  // Exactly this step: pictures of a moment do not depend on the one before.
    std::copy(b.translations.begin(), b.translations.end(), out.translations.begin());
    std::copy(b.rotations.begin(), b.rotations.end(), out.rotations.begin());
    std::copy(b.scales.begin(), b.scales.end(), out.scales.begin());
    return;
  }
  for (std::size_t i = 0; i < b.rotations.size(); ++i) {
    out.translations[i] = lerp(a.translations[i], b.translations[i], alpha);
    out.rotations[i] = nlerp(a.rotations[i], b.rotations[i], alpha);
    out.scales[i] = lerp(a.scales[i], b.scales[i], alpha);
  }
}

}  // namespace zoe::scene
