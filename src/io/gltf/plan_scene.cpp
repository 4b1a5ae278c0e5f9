// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zoe/character/pose.h"

#include "io/gltf/write_parts.h"

namespace zoe::io::gltf {
namespace {

constexpr float kMaxShear = 1e-5F;

bool near_identity(const Affine& m, float tolerance) {
  const Affine one;
  return distance(m.x, one.x) <= tolerance && distance(m.y, one.y) <= tolerance && distance(m.z, one.z) <= tolerance &&
         length(m.t) <= tolerance;
}

// The mesh with a transform applied to it, for transforms that a node cannot have because they shear.
Mesh baked(const Mesh& mesh, const Affine& placed_from_mesh) {
  Mesh out = mesh;
  const Affine cofactor{cross(placed_from_mesh.y, placed_from_mesh.z),
                        cross(placed_from_mesh.z, placed_from_mesh.x),
                        cross(placed_from_mesh.x, placed_from_mesh.y),
                        {}};
  for (Vec3& p : out.positions) p = placed_from_mesh.apply_point(p);
  for (Vec3& n : out.normals) n = normalized(cofactor.apply_vector(n), {0, 1, 0});
  out.tangents.clear();
  for (MorphTarget& target : out.morph_targets) {
    for (Vec3& delta : target.position_deltas) delta = placed_from_mesh.apply_vector(delta);
    target.normal_deltas.clear();
  }
  return out;
}

class Planner {
 public:
  Planner(const Character& character, std::span<const Motion> clips, const GltfWriteOptions& options)
      : character_(character), clips_(clips), options_(options), skeleton_(*character.skeleton) {}

  OutScene plan() {
    for (int i = 0; i < skeleton_.num_joints(); ++i) {
      scene_.nodes.push_back({.name = skeleton_.name(i), .parent = skeleton_.parent(i), .joint = i});
    }
    for (const Skin& skin : character_.skins) skin_of_.push_back(add_skin(skin, {}));
    bool any_mesh = false;
    for (std::size_t i = 0; i < character_.instances.size(); ++i) any_mesh |= place_instance(i);
    if (!any_mesh && options_.skeleton_mesh && skeleton_.num_joints() > 0) add_skeleton_mesh();
    join_roots();
    note_kinds();
    return std::move(scene_);
  }

 private:
  int add_node(OutNode node) {
    scene_.nodes.push_back(std::move(node));
    return static_cast<int>(scene_.nodes.size()) - 1;
  }
  OutNode& node(int index) { return scene_.nodes[static_cast<std::size_t>(index)]; }

  // node_of_joint: the nodes of the skin's joints; empty for the joints' own nodes. Returns -1 for a skin without
  // joints.
  int add_skin(const Skin& skin, const std::vector<int>& node_of_joint) {
    if (skin.joints.empty()) return -1;
    OutSkin out{skin.name, {}, skin.joint_from_mesh, skin.blend};
    std::vector<bool> taken(scene_.nodes.size(), false);
    for (const int joint : skin.joints) {
      int target = node_of_joint.empty() ? joint : node_of_joint[static_cast<std::size_t>(joint)];
      // glTF allows every joint once. A second binding of the same bone uses a separate node.
      if (taken[static_cast<std::size_t>(target)]) {
        target = add_node({.name = node(target).name + "_again", .parent = target});
      } else {
        taken[static_cast<std::size_t>(target)] = true;
      }
      out.nodes.push_back(target);
    }
    scene_.skins.push_back(std::move(out));
    return static_cast<int>(scene_.skins.size()) - 1;
  }

  // False when there is nothing to draw.
  bool place_instance(std::size_t i) {
    const MeshInstance& instance = character_.instances[i];
    const Mesh& mesh = character_.meshes[static_cast<std::size_t>(instance.mesh)];
    if (mesh.indices.empty()) return false;
    OutNode holder{.name = mesh.name,
                   .parent = instance.joint,
                   .instance = static_cast<int>(i),
                   .mesh = instance.mesh,
                   .role = "holder"};
    bool own_node = instance.joint >= 0 && node(instance.joint).mesh < 0;
    if (instance.skin >= 0) {
      holder.skin = skin_of_[static_cast<std::size_t>(instance.skin)];
      // Viewers treat bones specially, so that a mesh on one may be drawn wrongly.
      own_node = own_node && skeleton_.kind(instance.joint) == JointKind::kNode;
      if (instance.skin_follows_joint && instance.joint >= 0 && follows_visibly(instance))
        holder.skin = add_following_skin(instance);
    } else if (!near_identity(instance.joint_from_mesh, 0.0F)) {
      own_node = false;
      float shear = 0;
      holder.local = decompose(instance.joint_from_mesh, &shear);
      if (shear > kMaxShear) {
        holder.local = {};
        holder.mesh = static_cast<int>(character_.meshes.size() + scene_.extra_meshes.size());
        scene_.extra_meshes.push_back(baked(mesh, instance.joint_from_mesh));
      }
    }
    if (own_node) {
      OutNode& target = node(instance.joint);
      target.instance = holder.instance;
      target.mesh = holder.mesh;
      target.skin = holder.skin;
    } else {
      add_node(std::move(holder));
    }
    return true;
  }

  // True if the node of a Maya-style skin ever leaves its bind position.
  bool follows_visibly(const MeshInstance& instance) const {
    const auto joint = static_cast<std::size_t>(instance.joint);
    float extent = 0;
    for (const Affine& m : skeleton_.rest_model()) extent = std::max(extent, length(m.t));
    const float tolerance = 1e-6F * std::max(1.0F, extent);
    const auto moved = [&](const Affine& model_from_joint) {
      return !near_identity(model_from_joint * instance.joint_from_model_at_bind, tolerance);
    };
    if (moved(skeleton_.rest_model()[joint])) return true;
    std::vector<Affine> model(static_cast<std::size_t>(skeleton_.num_joints()));
    for (const Motion& clip : clips_) {
      for (int f = 0; f < clip.num_frames; ++f) {
        compute_model_from_joint(skeleton_, clip.frame(f), model);
        if (moved(model[joint])) return true;
      }
    }
    return false;
  }

  // Skins of glTF ignore the mesh's node. Moving the skinned result by that node equals skinning to a copy of the
  // joints below it: node * joint_from_model_at_bind * (joint's own chain).
  int add_following_skin(const MeshInstance& instance) {
    const Skin& skin = character_.skins[static_cast<std::size_t>(instance.skin)];
    std::vector<bool> needed(static_cast<std::size_t>(skeleton_.num_joints()), false);
    for (int joint : skin.joints) {
      for (; joint >= 0 && !needed[static_cast<std::size_t>(joint)]; joint = skeleton_.parent(joint))
        needed[static_cast<std::size_t>(joint)] = true;
    }
    const int anchor = add_node({.name = skeleton_.name(instance.joint) + "_follow",
                                 .parent = instance.joint,
                                 .local = decompose(instance.joint_from_model_at_bind)});
    std::vector<int> copy_of(needed.size(), -1);
    for (int joint = 0; joint < skeleton_.num_joints(); ++joint) {
      if (!needed[static_cast<std::size_t>(joint)]) continue;
      const int parent = skeleton_.parent(joint);
      copy_of[static_cast<std::size_t>(joint)] =
          add_node({.name = skeleton_.name(joint) + "_follow",
                    .parent = parent < 0 ? anchor : copy_of[static_cast<std::size_t>(parent)],
                    .joint = joint});
    }
    return add_skin(skin, copy_of);
  }

  void add_skeleton_mesh() {
    Skin skin;
    skin.name = "skeleton";
    for (int i = 0; i < skeleton_.num_joints(); ++i) {
      if (skeleton_.kind(i) != JointKind::kNode) skin.joints.push_back(i);
    }
    if (skin.joints.empty()) {
      for (int i = 0; i < skeleton_.num_joints(); ++i) skin.joints.push_back(i);
    }
    for (const int joint : skin.joints) {
      const Affine& rest = skeleton_.rest_model()[static_cast<std::size_t>(joint)];
      skin.joint_from_mesh.push_back(std::abs(determinant(rest)) > 1e-30F ? inverse(rest) : Affine{});
    }
    const int mesh = static_cast<int>(character_.meshes.size() + scene_.extra_meshes.size());
    scene_.extra_meshes.push_back(make_skeleton_mesh(skeleton_, skin.joints));
    add_node({.name = "skeleton", .mesh = mesh, .skin = add_skin(skin, {}), .role = "generated"});
  }

  // glTF requires the joints of a skin in one tree.
  void join_roots() {
    const auto root_of = [&](int index) {
      while (node(index).parent >= 0) index = node(index).parent;
      return index;
    };
    const bool apart = std::any_of(scene_.skins.begin(), scene_.skins.end(), [&](const OutSkin& skin) {
      return std::any_of(skin.nodes.begin(), skin.nodes.end(),
                         [&](int n) { return root_of(n) != root_of(skin.nodes.front()); });
    });
    if (!apart) return;
    const int wrapper = static_cast<int>(scene_.nodes.size());
    for (OutNode& out : scene_.nodes) {
      if (out.parent < 0) out.parent = wrapper;
    }
    add_node({.name = "root", .role = "wrapper"});
  }

  void note_kinds() {
    std::vector<bool> in_skin(scene_.nodes.size(), false);
    for (const OutSkin& skin : scene_.skins) {
      for (const int n : skin.nodes) in_skin[static_cast<std::size_t>(n)] = true;
    }
    for (int i = 0; i < skeleton_.num_joints(); ++i) {
      const JointKind guess = in_skin[static_cast<std::size_t>(i)] ? JointKind::kBone : JointKind::kNode;
      // Without skins a reader would treat animated nodes as bones, so the type is stored.
      if (scene_.skins.empty() || guess != skeleton_.kind(i)) {
        node(i).kind = to_string(skeleton_.kind(i));
      }
    }
  }

  const Character& character_;
  std::span<const Motion> clips_;
  const GltfWriteOptions& options_;
  const Skeleton& skeleton_;
  OutScene scene_;
  std::vector<int> skin_of_;  // Written skin of each character skin, or -1.
};

}  // namespace

OutScene plan_scene(const Character& character, std::span<const Motion> clips, const GltfWriteOptions& options) {
  return Planner(character, clips, options).plan();
}

}  // namespace zoe::io::gltf
