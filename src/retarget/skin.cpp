// SPDX-License-Identifier: MIT
#include "retarget/skin.h"

#include <algorithm>
#include <map>

#include "zoe/core/index.h"

namespace zoe::retarget_detail {
namespace {

constexpr float kLightest = 0.01F;  // Weights below are noise of painting.

// Calls visit(joints of one vertex with their weights) for every vertex of every skin.
template <typename Visit>
void for_each_vertex(const Character& character, const Visit& visit) {
  std::vector<std::pair<int, float>> joints;
  for (const MeshInstance& instance : character.instances) {
    if (instance.skin < 0) continue;
    const Skin& skin = character.skins[idx(instance.skin)];
    const Mesh& mesh = character.meshes[idx(instance.mesh)];
    const std::size_t stride = idx(mesh.influences_per_vertex);
    for (std::size_t v = 0; stride > 0 && v < mesh.positions.size(); ++v) {
      joints.clear();
      for (std::size_t i = v * stride; i < (v + 1) * stride; ++i) {
        const std::size_t in_skin = mesh.influence_joints[i];
        if (mesh.influence_weights[i] >= kLightest && in_skin < skin.joints.size())
          joints.emplace_back(skin.joints[in_skin], mesh.influence_weights[i]);
      }
      visit(joints);
    }
  }
}

}  // namespace

std::vector<char> weighted_joints(const Character& character) {
  std::vector<char> weighted(idx(character.skeleton->num_joints()), 0);
  // Rigid parts of a robot; not the scenery on plain nodes around a skinned body.
  for (const MeshInstance& instance : character.instances) {
    if (instance.skin >= 0 || instance.joint < 0) continue;
    const int parent = character.skeleton->parent(instance.joint);
    const bool on_bone = character.skeleton->kind(instance.joint) == JointKind::kBone ||
                         (parent != kNoJoint && character.skeleton->kind(parent) == JointKind::kBone);
    if (character.skins.empty() || on_bone) weighted[idx(instance.joint)] = 1;
  }
  for_each_vertex(character, [&](const auto& joints) {
    for (const auto& [joint, weight] : joints) weighted[idx(joint)] = 1;
  });
  return weighted;
}

int travel_joint(const Skeleton& skeleton, int hips, const std::vector<char>& weighted) {
  int travel = hips;
  for (int j = hips; j != kNoJoint; j = skeleton.parent(j))
    if (weighted[idx(j)] != 0) travel = j;
  return travel;
}

std::vector<DetachedFoot> find_loose_parts(const RetargetBody& body, const Character& character,
                                           const std::vector<DetachedFoot>& feet) {
  const Skeleton& skeleton = body.skeleton;
  const std::vector<char> weighted = weighted_joints(character);
  const std::size_t n = weighted.size();
  std::vector<char> carries(n, 0);  // Some of the skin, at or below.
  std::vector<char> goes(n, 0);     // With the body already.
  for (std::size_t j = n; j-- > 0;) {
    carries[j] = carries[j] != 0 || weighted[j] != 0;
    if (const int parent = skeleton.parent(static_cast<int>(j)); parent != kNoJoint)
      carries[idx(parent)] = carries[idx(parent)] != 0 || carries[j] != 0;
  }
  for (int j = body.travel; j != kNoJoint; j = skeleton.parent(j)) goes[idx(j)] = 1;
  std::vector<char> below(n, 0);  // The joint that travels: all that hangs on it.
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    below[idx(j)] = j == body.travel || (parent != kNoJoint && below[idx(parent)] != 0);
    const bool foot = std::ranges::find(feet, j, &DetachedFoot::joint) != feet.end();
    goes[idx(j)] = goes[idx(j)] != 0 || below[idx(j)] != 0 || foot ||
                   (parent != kNoJoint && goes[idx(parent)] != 0 && below[idx(parent)] == 0 &&
                    std::ranges::find(feet, parent, &DetachedFoot::joint) != feet.end());
  }
  std::vector<DetachedFoot> parts;
  std::vector<int> part_of(n, -1);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.parent(j);
    if (parent != kNoJoint && part_of[idx(parent)] >= 0) {
      part_of[idx(j)] = part_of[idx(parent)];
    } else if (goes[idx(j)] == 0 && carries[idx(j)] != 0 && skeleton.kind(j) == JointKind::kBone) {
      part_of[idx(j)] = static_cast<int>(parts.size());
      parts.push_back({j, body.travel});
    }
  }
  if (parts.empty()) return parts;
  std::vector<std::map<int, float>> shared(parts.size());
  for_each_vertex(character, [&](const auto& joints) {
    for (const auto& [joint, weight] : joints) {
      if (part_of[idx(joint)] < 0) continue;
      for (const auto& [other, other_weight] : joints)
        if (below[idx(other)] != 0) shared[idx(part_of[idx(joint)])][other] += std::min(weight, other_weight);
    }
  });
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!shared[p].empty()) {
      parts[p].leg_end = std::ranges::max_element(shared[p], {}, [](const auto& one) { return one.second; })->first;
      continue;
    }
    float nearest = 1e30F;
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      const float apart = distance(body.at(j), body.at(parts[p].joint));
      if (below[idx(j)] == 0 || weighted[idx(j)] == 0 || apart >= nearest) continue;
      nearest = apart;
      parts[p].leg_end = j;
    }
  }
  return parts;
}

}  // namespace zoe::retarget_detail
