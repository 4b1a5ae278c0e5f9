// SPDX-License-Identifier: MIT
// Part of Zoetrope's tests. Small skinned characters made by hand.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/character/pose.h"

namespace zoe {

struct BodyJoint {
  const char* name;
  const char* parent;
  Vec3 position;  // Model space.
};

inline SkeletonPtr make_skeleton(const std::vector<BodyJoint>& list) {
  std::vector<JointDesc> joints;
  std::map<std::string, int> index;
  for (const BodyJoint& one : list) {
    JointDesc joint;
    joint.name = one.name;
    joint.kind = JointKind::kBone;
    if (*one.parent != '\0') joint.parent = index.at(one.parent);
    const Vec3 base = joint.parent == kNoJoint ? Vec3{} : list[static_cast<std::size_t>(joint.parent)].position;
    joint.rest_local.translation = one.position - base;
    index[one.name] = static_cast<int>(joints.size());
    joints.push_back(joint);
  }
  return Skeleton::create(std::move(joints)).value();
}

// A triangle at every weighted joint, and one to the next weighted joint above it (else the first weighted joint), so
// that edges span the bones. Bound in `bind`, model_from_joint.
inline CharacterPtr make_skinned(const SkeletonPtr& skeleton, const std::vector<Affine>& bind,
                                 const std::function<bool(int)>& is_weighted) {
  auto character = std::make_shared<Character>();
  character->skeleton = skeleton;
  Mesh mesh;
  Skin skin;
  mesh.influences_per_vertex = 1;
  std::map<int, std::uint32_t> vertex_of;
  for (int j = 0; j < skeleton->num_joints(); ++j) {
    skin.joints.push_back(j);
    skin.joint_from_mesh.push_back(inverse(bind[static_cast<std::size_t>(j)]));
    if (!is_weighted(j)) continue;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3 offset : {Vec3{}, Vec3{0.02F, 0, 0}, Vec3{0, 0.02F, 0}}) {
      mesh.positions.push_back(bind[static_cast<std::size_t>(j)].t + offset);
      mesh.influence_joints.push_back(static_cast<std::uint16_t>(j));
      mesh.influence_weights.push_back(1);
    }
    mesh.indices.insert(mesh.indices.end(), {first, first + 1, first + 2});
    int above = skeleton->parent(j);
    while (above != kNoJoint && !vertex_of.contains(above)) above = skeleton->parent(above);
    if (above == kNoJoint && !vertex_of.empty()) above = vertex_of.begin()->first;
    if (above != kNoJoint) mesh.indices.insert(mesh.indices.end(), {first, first + 1, vertex_of[above]});
    vertex_of[j] = first;
  }
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), -1});
  character->meshes.push_back(std::move(mesh));
  character->skins.push_back(std::move(skin));
  MeshInstance instance;
  instance.skin = 0;
  character->instances.push_back(instance);
  return character;
}

inline std::vector<Affine> rest_of(const Skeleton& skeleton) {
  return {skeleton.rest_model().begin(), skeleton.rest_model().end()};
}

// A person in a T-pose, 1.7 m, with a root on the ground.
inline std::vector<BodyJoint> person_joints() {
  return {{"Root", "", {0, 0, 0}},
          {"Hips", "Root", {0, 1, 0}},
          {"Spine", "Hips", {0, 1.2F, 0}},
          {"Chest", "Spine", {0, 1.4F, 0}},
          {"Neck", "Chest", {0, 1.5F, 0}},
          {"Head", "Neck", {0, 1.65F, 0}},
          {"LeftArm", "Chest", {0.2F, 1.4F, 0}},
          {"LeftForeArm", "LeftArm", {0.45F, 1.4F, 0}},
          {"LeftHand", "LeftForeArm", {0.7F, 1.4F, 0}},
          {"RightArm", "Chest", {-0.2F, 1.4F, 0}},
          {"RightForeArm", "RightArm", {-0.45F, 1.4F, 0}},
          {"RightHand", "RightForeArm", {-0.7F, 1.4F, 0}},
          {"LeftUpLeg", "Hips", {0.1F, 0.95F, 0}},
          {"LeftLeg", "LeftUpLeg", {0.1F, 0.5F, 0.02F}},
          {"LeftFoot", "LeftLeg", {0.1F, 0.08F, 0}},
          {"LeftToe", "LeftFoot", {0.1F, 0.02F, 0.15F}},
          {"RightUpLeg", "Hips", {-0.1F, 0.95F, 0}},
          {"RightLeg", "RightUpLeg", {-0.1F, 0.5F, 0.02F}},
          {"RightFoot", "RightLeg", {-0.1F, 0.08F, 0}},
          {"RightToe", "RightFoot", {-0.1F, 0.02F, 0.15F}}};
}

}  // namespace zoe
