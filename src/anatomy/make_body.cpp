// SPDX-License-Identifier: MIT
#include "anatomy/make_body.h"

#include <algorithm>

#include "zoe/anatomy/bind_pose.h"
#include "zoe/core/index.h"

#include "anatomy/flesh.h"
#include "anatomy/upright.h"

namespace zoe::anatomy {
namespace {

// Number of vertices that each joint moves: by a skin, or as the carrier of a rigid mesh.
struct Load {
  bool any_skin = false;
  std::vector<char> skinned;   // [joints]
  std::vector<char> has_mesh;  // [joints]
};

Load load_of(const Skeleton& skeleton, const Character* character) {
  Load load;
  load.skinned.assign(idx(skeleton.num_joints()), 0);
  load.has_mesh = load.skinned;
  if (character == nullptr) return load;
  for (const MeshInstance& instance : character->instances) {
    if (instance.joint >= 0 && instance.joint < skeleton.num_joints()) load.has_mesh[idx(instance.joint)] = 1;
    if (instance.skin < 0) continue;
    const Skin& skin = character->skins[idx(instance.skin)];
    const Mesh& mesh = character->meshes[idx(instance.mesh)];
    for (std::size_t i = 0; i < mesh.influence_weights.size(); ++i) {
      if (mesh.influence_weights[i] < 0.01F) continue;
      const std::size_t joint_in_skin = mesh.influence_joints[i];
      if (joint_in_skin >= skin.joints.size()) continue;
      load.skinned[idx(skin.joints[joint_in_skin])] = 1;
      load.any_skin = true;
    }
  }
  return load;
}

std::vector<char> find_body_joints(const Skeleton& skeleton, const std::vector<NameReading>& names, const Load& load) {
  const int n = skeleton.num_joints();
  std::vector<char> needed(idx(n), 0);  // Carries a bone that is not a helper, at or below.
  std::vector<char> loaded(idx(n), 0);  // Deforms part of the mesh, at or below.
  std::vector<int> num_children(idx(n), 0);
  for (int j = n - 1; j >= 0; --j) {
    const bool helper = names[idx(j)].role == Role::kHelper;
    if (skeleton.kind(j) != JointKind::kNode && !helper) needed[idx(j)] = 1;
    loaded[idx(j)] = loaded[idx(j)] || load.skinned[idx(j)] || load.has_mesh[idx(j)];
    const int parent = skeleton.parent(j);
    if (parent == kNoJoint) continue;
    needed[idx(parent)] = needed[idx(parent)] || needed[idx(j)];
    loaded[idx(parent)] = loaded[idx(parent)] || loaded[idx(j)];
    ++num_children[idx(parent)];
  }
  std::vector<char> in_body(idx(n), 0);
  for (int j = 0; j < n; ++j) {
    const int parent = skeleton.parent(j);
    const bool parent_is_body = parent != kNoJoint && in_body[idx(parent)];
    if (skeleton.kind(j) == JointKind::kNode) {
      // A plain node at the end of a bone is its tip, unless it carries a mesh.
      const bool tip = parent_is_body && skeleton.kind(parent) != JointKind::kNode && num_children[idx(j)] == 0;
      in_body[idx(j)] = tip && !load.has_mesh[idx(j)] && names[idx(j)].role != Role::kHelper;
      if (needed[idx(j)] && parent_is_body) in_body[idx(j)] = 1;
      continue;
    }
    in_body[idx(j)] = needed[idx(j)];
    if (load.any_skin && !loaded[idx(j)]) {
      // Moves nothing: a control, unless it is the tip of a bone that does, or has the name of a part of the body.
      const bool named = names[idx(j)].role != Role::kUnknown;
      in_body[idx(j)] =
          in_body[idx(j)] && parent_is_body && num_children[idx(j)] == 0 && (named || load.skinned[idx(parent)]);
    }
  }
  return in_body;
}

// Empty where the skin was bound in the rest pose, to a hundredth of the body's size.
std::vector<Affine> posed_bind(const Skeleton& skeleton, const Character* character, const std::vector<char>& in_body) {
  if (character == nullptr || character->skeleton.get() != &skeleton) return {};
  const std::optional<Pose> pose = bind_pose(*character);
  if (!pose) return {};
  std::vector<Affine> model(idx(skeleton.num_joints()));
  compute_model_from_joint(skeleton, pose->view(), model);
  if (!is_measurable(model)) return {};
  const auto rest = skeleton.rest_model();
  float apart = 0, size = 0;
  for (std::size_t j = 0; j < model.size(); ++j) {
    if (in_body[j] == 0) continue;
    apart = std::max(apart, distance(model[j].t, rest[j].t));
    size = std::max(size, distance(rest[j].t, rest[idx(0)].t));
  }
  return apart > 0.01F * size ? model : std::vector<Affine>{};
}

}  // namespace

Body make_body(const Skeleton& skeleton, std::span<const Motion> clips, const Character* character,
               const AnalysisOptions& options) {
  Body body;
  body.skeleton = &skeleton;
  const int n = skeleton.num_joints();
  body.names.resize(idx(n));
  if (options.use_names) {
    for (int j = 0; j < n; ++j) body.names[idx(j)] = read_name(skeleton.name(j));
  }
  const Load load = load_of(skeleton, character);
  body.skinned = load.any_skin;
  body.deforms = load.skinned;
  body.moves = load.skinned;
  for (int j = n - 1; j >= 0; --j) {
    body.moves[idx(j)] = body.moves[idx(j)] != 0 || load.has_mesh[idx(j)] != 0;
    const int parent = skeleton.parent(j);
    if (parent != kNoJoint && body.moves[idx(j)] != 0) body.moves[idx(parent)] = 1;
  }
  body.in_body = find_body_joints(skeleton, body.names, load);
  if (character != nullptr && character->skeleton.get() == &skeleton)
    body.flesh = flesh_of(skeleton, *character, body.in_body, load.skinned);
  if (body.skinned) body.bind_model = posed_bind(skeleton, character, body.in_body);
  body.children.resize(idx(n));
  body.subtree_size.assign(idx(n), 0);
  body.bone_length.assign(idx(n), 0);
  body.reach.assign(idx(n), 0);
  const auto rest = skeleton.rest_model();
  for (int j = n - 1; j >= 0; --j) {
    if (!body.has(j)) continue;
    ++body.subtree_size[idx(j)];
    const int parent = skeleton.parent(j);
    if (parent == kNoJoint || !body.has(parent)) continue;
    body.bone_length[idx(j)] = distance(rest[idx(j)].t, rest[idx(parent)].t);
    body.subtree_size[idx(parent)] += body.subtree_size[idx(j)];
    body.reach[idx(parent)] = std::max(body.reach[idx(parent)], body.reach[idx(j)] + body.bone_length[idx(j)]);
  }
  for (int j = 0; j < n; ++j) {
    const int parent = skeleton.parent(j);
    if (body.has(j) && parent != kNoJoint && body.has(parent)) body.children[idx(parent)].push_back(j);
    if (body.has(j) && (body.root == kNoJoint || body.subtree_size[idx(j)] > body.subtree_size[idx(body.root)]))
      body.root = j;
  }
  body.up_evidence = {0.95, EvidenceSource::kStated};
  if (!options.up_is_known) {
    const Upright upright = find_up(body, clips);
    body.up = upright.up;
    body.up_evidence = upright.evidence;
  }
  std::vector<PosedBody> poses = candidate_poses(body, clips);
  if (!poses.empty()) use_pose(body, std::move(poses.front()));
  return body;
}

}  // namespace zoe::anatomy
