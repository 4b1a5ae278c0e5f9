// SPDX-License-Identifier: MIT
#include "io/gltf/rig.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace zoe::io::gltf {
namespace {

// A node matrix off by more than this cannot be a rotation and scale.
constexpr double kMaxShear = 1e-4;

const NodeDef& node_at(const Document& d, int index) { return d.nodes[static_cast<std::size_t>(index)]; }

Result<std::vector<int>> scene_roots(const Document& d, int wanted, Warnings& warnings) {
  const int num_scenes = static_cast<int>(d.scene_roots.size());
  if (wanted >= num_scenes) {
    return Error{ErrorCode::kUsage, fmt::format("scene {} was requested, but the file has {}", wanted, num_scenes), {}};
  }
  if (num_scenes == 0) {
    std::vector<int> roots;
    for (std::size_t i = 0; i < d.nodes.size(); ++i) {
      if (d.nodes[i].parent < 0) roots.push_back(static_cast<int>(i));
    }
    return roots;
  }
  const int scene = wanted >= 0 ? wanted : std::max(d.default_scene, 0);
  if (num_scenes > 1) {
    warnings.push_back(
        {fmt::format("the file has {} scenes; scene {} is read (GltfReadOptions::scene chooses)", num_scenes, scene),
         {}});
  }
  return d.scene_roots[static_cast<std::size_t>(scene)];
}

int root_of(const Document& d, int node) {
  while (node_at(d, node).parent >= 0) node = node_at(d, node).parent;
  return node;
}

// Nodes below the roots, depth first, parents first. `seen` prevents duplicates.
void append_trees(const Document& d, const std::vector<int>& roots, std::vector<bool>& seen, std::vector<int>& order) {
  std::vector<int> pending(roots.rbegin(), roots.rend());
  while (!pending.empty()) {
    const int node = pending.back();
    pending.pop_back();
    if (seen[static_cast<std::size_t>(node)]) continue;
    seen[static_cast<std::size_t>(node)] = true;
    order.push_back(node);
    const std::vector<int>& children = node_at(d, node).children;
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
}

// Roots of the trees that skins or animations reach into.
std::vector<int> needed_roots(const Document& d) {
  std::vector<bool> wanted(d.nodes.size(), false);
  for (const SkinDef& skin : d.skins) {
    for (const int joint : skin.joints) wanted[static_cast<std::size_t>(joint)] = true;
  }
  for (const AnimationDef& animation : d.animations) {
    for (const ChannelDef& channel : animation.channels) wanted[static_cast<std::size_t>(channel.node)] = true;
  }
  std::vector<bool> is_root(d.nodes.size(), false);
  std::vector<int> roots;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i]) continue;
    const int root = root_of(d, static_cast<int>(i));
    if (!is_root[static_cast<std::size_t>(root)]) roots.push_back(root);
    is_root[static_cast<std::size_t>(root)] = true;
  }
  return roots;
}

std::vector<JointKind> joint_kinds(const Document& d) {
  std::vector<JointKind> kinds(d.nodes.size(), JointKind::kNode);
  for (const SkinDef& skin : d.skins) {
    for (const int joint : skin.joints) kinds[static_cast<std::size_t>(joint)] = JointKind::kBone;
  }
  if (d.skins.empty()) {
    for (const AnimationDef& animation : d.animations) {
      for (const ChannelDef& channel : animation.channels)
        kinds[static_cast<std::size_t>(channel.node)] = JointKind::kBone;
    }
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = d.nodes[i].kind.value_or(kinds[i]);
  return kinds;
}

bool is_joint(const NodeDef& node) {
  return node.role == NodeRole::kJoint || (node.role != NodeRole::kWrapper && !node.children.empty());
}

}  // namespace

Result<Rig> build_rig(const Document& d, const GltfReadOptions& options, Warnings& warnings) {
  ZOE_TRY_ASSIGN(const std::vector<int> roots, scene_roots(d, options.scene, warnings));
  std::vector<bool> seen(d.nodes.size(), false);
  std::vector<int> order;
  append_trees(d, roots, seen, order);
  const std::vector<bool> in_scene = seen;
  append_trees(d, needed_roots(d), seen, order);
  const bool parents_first = std::all_of(order.begin(), order.end(), [&](int i) {
    const int parent = node_at(d, i).parent;
    return parent < i || node_at(d, parent).role == NodeRole::kWrapper;
  });
  if (parents_first) std::sort(order.begin(), order.end());

  Rig rig;
  rig.joint_of_node.assign(d.nodes.size(), -1);
  const std::vector<JointKind> kinds = joint_kinds(d);
  std::vector<JointDesc> joints;
  joints.reserve(order.size());
  for (const int i : order) {
    const NodeDef& node = node_at(d, i);
    if (in_scene[static_cast<std::size_t>(i)] && node.mesh >= 0 && node.role != NodeRole::kGenerated)
      rig.mesh_nodes.push_back(i);
    if (!is_joint(node)) continue;
    // A scene may start in the middle of a tree. Nodes above it are ignored.
    const int parent = node.parent >= 0 ? rig.joint_of_node[static_cast<std::size_t>(node.parent)] : -1;
    if (node.shear > kMaxShear) {
      warnings.push_back(
          {fmt::format("the node's matrix shears (cosine {:.4f} between its axes); the shear is dropped", node.shear),
           {.joint = node.name}});
    }
    rig.joint_of_node[static_cast<std::size_t>(i)] = static_cast<int>(joints.size());
    joints.push_back({node.name, parent, to_float(node.local), kinds[static_cast<std::size_t>(i)]});
  }
  ZOE_TRY_ASSIGN(rig.skeleton, Skeleton::create(std::move(joints)));
  return rig;
}

}  // namespace zoe::io::gltf
