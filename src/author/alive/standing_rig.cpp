// SPDX-License-Identifier: MIT
#include "author/alive/standing_rig.h"

#include <algorithm>
#include <limits>

#include "zoe/character/deform.h"
#include "zoe/core/index.h"

namespace zoe::author {
namespace {

int heaviest_joint(const Character& character, const MeshInstance& instance, std::size_t vertex) {
  const Mesh& mesh = character.meshes[idx(instance.mesh)];
  if (instance.skin < 0 || mesh.influences_per_vertex <= 0) return instance.joint;
  const Skin& skin = character.skins[idx(instance.skin)];
  const std::size_t at = vertex * idx(mesh.influences_per_vertex);
  const std::size_t entry = mesh.influence_joints[at];
  return entry < skin.joints.size() ? skin.joints[entry] : instance.joint;
}

}  // namespace

bool StandingRig::is_below(int joint, int above) const {
  while (joint != above && joint != kNoJoint) joint = skeleton->parent(joint);
  return joint == above;
}

void StandingRig::update() {
  model.resize(idx(skeleton->num_joints()));
  rotations.resize(model.size());
  compute_model_from_joint(*skeleton, pose.view(), model);
  for (int j = 0; j < skeleton->num_joints(); ++j) {
    const int parent = skeleton->parent(j);
    const Quat local = pose.rotations[idx(j)];
    rotations[idx(j)] = parent == kNoJoint ? local : normalized(rotations[idx(parent)] * local);
  }
  skin.clear();
  if (!character) return;
  for (std::size_t i = 0; i < character->instances.size(); ++i) {
    const DeformedMesh mesh = deform_instance(*character, i, model);
    const bool is_skinned = character->instances[i].skin >= 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
      skin.push_back({mesh.positions[v], heaviest_joint(*character, character->instances[i], v), is_skinned});
  }
}

void StandingRig::turn(int joint, Quat by) {
  const int parent = skeleton->parent(joint);
  const Quat axes = parent == kNoJoint ? Quat{} : rotations[idx(parent)];
  Quat& local = pose.rotations[idx(joint)];
  local = normalized(conjugate(axes) * by * axes * local);
}

void StandingRig::move(Vec3 by) {
  for (int j = 0; j < skeleton->num_joints(); ++j)
    if (skeleton->parent(j) == kNoJoint) pose.translations[idx(j)] += by;
}

float StandingRig::lowest_below(int joint) const {
  float low = std::numeric_limits<float>::infinity();
  std::vector<char> below(model.size(), 0);
  for (int j = 0; j < skeleton->num_joints(); ++j) {
    const int parent = skeleton->parent(j);
    below[idx(j)] = j == joint || (parent != kNoJoint && below[idx(parent)] != 0) ? 1 : 0;
  }
  for (const SkinPoint& point : skin)
    if (point.joint >= 0 && below[idx(point.joint)] != 0) low = std::min(low, point.position.y);
  if (low < std::numeric_limits<float>::infinity()) return low;
  for (std::size_t j = 0; j < below.size(); ++j)
    if (below[j] != 0) low = std::min(low, model[j].t.y);
  return low;
}

StandingRig make_standing_rig(CharacterPtr character, SkeletonAnalysis analysis, Pose reference) {
  StandingRig rig;
  rig.skeleton = character->skeleton;
  rig.character = std::move(character);
  rig.analysis = std::move(analysis);
  rig.pose = std::move(reference);
  const Vec3 up = normalized(rig.analysis.up, Vec3{0, 1, 0});
  const Vec3 level = rig.analysis.forward - up * dot(rig.analysis.forward, up);
  const Vec3 forward = normalized(level, normalized(cross(Vec3{1, 0, 0}, up), Vec3{0, 0, 1}));
  const Quat root_from_model = conjugate(rotation_of(Affine{cross(up, forward), up, forward, {}}));
  for (int j = 0; j < rig.skeleton->num_joints(); ++j) {
    if (rig.skeleton->parent(j) != kNoJoint) continue;
    rig.pose.translations[idx(j)] = rotate(root_from_model, rig.pose.translations[idx(j)]) -
                                    Vec3{0, static_cast<float>(rig.analysis.ground_height), 0};
    rig.pose.rotations[idx(j)] = normalized(root_from_model * rig.pose.rotations[idx(j)]);
  }
  rig.update();
  return rig;
}

}  // namespace zoe::author
