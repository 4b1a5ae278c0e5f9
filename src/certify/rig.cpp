// SPDX-License-Identifier: MIT
// Rigs: skin that follows joints of another part of the body.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "zoe/certify/certify.h"
#include "zoe/certify/sabotage.h"
#include "zoe/core/random.h"

#include "certify/judge.h"

namespace zoe::certify {
namespace {

float distance_to_bone(Vec3 p, Vec3 from, Vec3 to) {
  const Vec3 along = to - from;
  const float squared = dot(along, along);
  const float t = squared > 1e-12F ? std::clamp(dot(p - from, along) / squared, 0.0F, 1.0F) : 0.0F;
  return distance(p, from + along * t);
}

// The bones of a skin at bind time, mesh space.
struct BoundBones {
  std::vector<Vec3> heads;               // [skin joints]
  std::vector<std::vector<Vec3>> tails;  // [skin joints] of its children within the skin, or itself.
  float size = 0;                        // Largest extent of mesh and bones: a cape is a part of a body.

  float distance_of(Vec3 p, std::size_t bone) const {
    float nearest = distance(p, heads[bone]);
    for (const Vec3 tail : tails[bone]) nearest = std::min(nearest, distance_to_bone(p, heads[bone], tail));
    return nearest;
  }
};

BoundBones find_bones(const Skeleton& skeleton, const Mesh& mesh, const Skin& skin) {
  BoundBones bones;
  for (const Affine& joint_from_mesh : skin.joint_from_mesh) bones.heads.push_back(inverse(joint_from_mesh).t);
  bones.tails.resize(bones.heads.size());
  for (std::size_t child = 0; child < skin.joints.size(); ++child) {
    int parent = skeleton.parent(skin.joints[child]);
    while (parent != kNoJoint) {
      const auto at = std::ranges::find(skin.joints, parent);
      if (at != skin.joints.end()) {
        bones.tails[static_cast<std::size_t>(at - skin.joints.begin())].push_back(bones.heads[child]);
        break;
      }
      parent = skeleton.parent(parent);
    }
  }
  Vec3 low{1e30F, 1e30F, 1e30F}, high{-1e30F, -1e30F, -1e30F};
  for (const std::vector<Vec3>* points : {&mesh.positions, &std::as_const(bones.heads)}) {
    for (const Vec3 p : *points)
      for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  const Vec3 extent = high - low;
  bones.size = std::max({extent.x, extent.y, extent.z});
  return bones;
}

// The skin entry with the most weight, or npos for a vertex without weights.
std::size_t main_bone(const Mesh& mesh, std::size_t vertex) {
  const auto count = static_cast<std::size_t>(mesh.influences_per_vertex);
  std::size_t best = vertex * count;
  for (std::size_t i = best; i < (vertex + 1) * count; ++i)
    if (mesh.influence_weights[i] > mesh.influence_weights[best]) best = i;
  return mesh.influence_weights[best] > 0 ? mesh.influence_joints[best] : static_cast<std::size_t>(-1);
}

bool is_skinned(const Character& character, const MeshInstance& instance) {
  return instance.skin >= 0 && character.meshes[idx(instance.mesh)].influences_per_vertex > 0 &&
         !character.meshes[idx(instance.mesh)].positions.empty();
}

void check_weights(const Character& character, Judge& judge) {
  constexpr float kFar = 0.25F;  // Of the mesh's size, further than the nearest bone.
  bool any = false;
  for (const MeshInstance& instance : character.instances) {
    if (!is_skinned(character, instance)) continue;
    const Mesh& mesh = character.meshes[idx(instance.mesh)];
    const Skin& skin = character.skins[idx(instance.skin)];
    if (skin.joints.size() < 2) continue;
    any = true;
    const BoundBones bones = find_bones(*character.skeleton, mesh, skin);
    std::size_t bad = 0, without = 0;
    std::vector<std::size_t> per_joint(skin.joints.size(), 0);
    for (std::size_t v = 0; v < mesh.num_vertices(); ++v) {
      const std::size_t own = main_bone(mesh, v);
      if (own >= skin.joints.size()) {
        ++bad, ++without;
        continue;
      }
      const float there = bones.distance_of(mesh.positions[v], own);
      if (there <= kFar * bones.size) continue;
      float nearest = there;
      for (std::size_t b = 0; b < bones.heads.size(); ++b)
        nearest = std::min(nearest, bones.distance_of(mesh.positions[v], b));
      if (there - nearest > kFar * bones.size) ++bad, ++per_joint[own];
    }
    const double share = 100.0 * static_cast<double>(bad) / static_cast<double>(mesh.num_vertices());
    const auto most = std::ranges::max_element(per_joint) - per_joint.begin();
    const int joint = skin.joints[static_cast<std::size_t>(most)];
    judge.add(Check::kWeights, share, 0, 0, bad > without ? std::vector<int>{joint} : std::vector<int>{},
              fmt::format("{:.1f} % of the vertices of mesh '{}' follow joints of another part of the body{}{}. Paint "
                          "their weights again.",
                          share, mesh.name, bad > without ? ", most of them " + character.skeleton->name(joint) : "",
                          without > 0 ? fmt::format(", {} have no weight", without) : ""));
  }
  if (!any) judge.skip(Check::kWeights, "the file has no skin");
}

}  // namespace

Certificate certify_rig(const Character& character, const SkeletonAnalysis& analysis, std::span<const Motion> clips,
                        const CertifyOptions& options) {
  const float size_m = body_size_m(*character.skeleton, analysis);
  Judge judge(options, size_m);
  if (character.skeleton->num_joints() > 0) check_body(*character.skeleton, analysis, clips, &character, judge);
  check_weights(character, judge);
  return judge.finish(0, 1, 30);
}

std::optional<Character> sabotage_weights(const Character& character, std::uint64_t seed) {
  Random random(seed);
  Character out = character;
  bool any = false;
  for (const MeshInstance& instance : character.instances) {
    if (!is_skinned(character, instance)) continue;
    Mesh& mesh = out.meshes[idx(instance.mesh)];
    const BoundBones bones = find_bones(*character.skeleton, mesh, character.skins[idx(instance.skin)]);
    const auto count = static_cast<std::size_t>(mesh.influences_per_vertex);
    for (std::size_t v = 0; v < mesh.num_vertices(); ++v) {
      if (random.uniform() > 0.05F) continue;
      std::vector<std::size_t> far;
      for (std::size_t b = 0; b < bones.heads.size(); ++b)
        if (bones.distance_of(mesh.positions[v], b) > 0.4F * bones.size) far.push_back(b);
      if (far.empty()) continue;
      any = true;
      for (std::size_t i = 0; i < count; ++i) mesh.influence_weights[v * count + i] = i == 0 ? 1.0F : 0.0F;
      mesh.influence_joints[v * count] = static_cast<std::uint16_t>(far[random.below(far.size())]);
    }
  }
  return any ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace zoe::certify
