// SPDX-License-Identifier: MIT
// A small body for the scene's tests: root, spine of three, two arms of three, one skinned
// triangle; and clips by formula.
#pragma once

#include <cmath>

#include "zoe/motion/motion.h"
#include "zoe/scene/motion_player.h"
#include "zoe/scene/scene.h"

namespace zoe::scene {

enum RigJoint { kRoot, kSpine, kChest, kHead, kLeftUpper, kLeftLower, kLeftHand, kRightUpper, kRightLower, kRightHand };

inline SkeletonPtr make_rig_skeleton() {
  const auto joint = [](const char* name, int parent, Vec3 offset) { return JointDesc{name, parent, {offset, {}}}; };
  return Skeleton::create(
             {joint("root", kNoJoint, {0, 1, 0}), joint("spine", kRoot, {0, 0.2F, 0}),
              joint("chest", kSpine, {0, 0.2F, 0}), joint("head", kChest, {0, 0.3F, 0}),
              joint("left_upper", kChest, {0.2F, 0.1F, 0}), joint("left_lower", kLeftUpper, {0.3F, 0, 0}),
              joint("left_hand", kLeftLower, {0.25F, 0, 0}), joint("right_upper", kChest, {-0.2F, 0.1F, 0}),
              joint("right_lower", kRightUpper, {-0.3F, 0, 0}), joint("right_hand", kRightLower, {-0.25F, 0, 0})})
      .value();
}

inline CharacterPtr make_rig() {
  auto character = std::make_shared<Character>();
  character->name = "rig";
  character->skeleton = make_rig_skeleton();
  Mesh mesh;
  mesh.positions = {{0, 1, 0}, {0.1F, 1, 0}, {0, 1.7F, 0}};
  mesh.indices = {0, 1, 2};
  mesh.submeshes = {{0, 3, -1}};
  mesh.influences_per_vertex = 1;
  mesh.influence_joints = {0, 0, 1};
  mesh.influence_weights = {1, 1, 1};
  mesh.morph_targets = {{"smile", {}, {{0, 0, 0.1F}, {0, 0, 0.1F}, {0, 0, 0.1F}}, {}}};
  character->meshes = {mesh, mesh};
  Skin skin;
  skin.joints = {kRoot, kHead};
  for (const int joint : skin.joints) {
    skin.joint_from_mesh.push_back(inverse(character->skeleton->rest_model()[static_cast<std::size_t>(joint)]));
  }
  character->skins = {skin};
  MeshInstance skinned, rigid;
  skinned.skin = 0;
  rigid.mesh = 1;
  rigid.joint = kHead;
  character->instances = {skinned, rigid};
  return character;
}

// Arms and spine swing; `phase` and `size` tell clips apart.
inline MotionPtr make_clip(const SkeletonPtr& skeleton, float phase, float size, int num_frames = 61, double fps = 30) {
  Motion motion = make_motion(skeleton, "clip", fps, num_frames, false);
  motion.num_morph_weights = 2;
  const auto n = static_cast<std::size_t>(skeleton->num_joints());
  for (int frame = 0; frame < num_frames; ++frame) {
    const float angle = 2 * 3.14159265F * static_cast<float>(frame) / static_cast<float>(num_frames - 1);
    for (std::size_t j = 0; j < n; ++j) {
      const float turn = size * std::sin(angle + phase + static_cast<float>(j));
      motion.rotations[static_cast<std::size_t>(frame) * n + j] = from_axis_angle(Vec3{0, 0.6F, 0.8F}, turn);
    }
    motion.translations[static_cast<std::size_t>(frame) * n].x = size * std::sin(angle + phase);
    motion.morph_weights.push_back(std::sin(angle));
    motion.morph_weights.push_back(std::cos(angle));
  }
  make_continuous(motion);
  return std::make_shared<const Motion>(std::move(motion));
}

}  // namespace zoe::scene
