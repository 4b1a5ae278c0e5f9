// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "io/gltf/document.h"

namespace zoe::io::gltf {
namespace {

Error invalid(std::string element, std::string message) {
  return {ErrorCode::kInvalid, fmt::format("{} {}", element, message), {}};
}

// Collects the first reference out of range. Element names are only formatted on failure.
class Checker {
 public:
  template <typename T>
  void reference(int index, const std::vector<T>& list, const char* list_name, const char* owner,
                 std::size_t owner_index) {
    if (error || (index >= -1 && index < static_cast<int>(list.size()))) return;
    error = invalid(fmt::format("{}[{}]", owner, owner_index),
                    fmt::format("refers to {}[{}], but there are {}", list_name, index, list.size()));
  }

  std::optional<Error> error;
};

void check_primitive(const Document& d, const PrimitiveDef& p, std::size_t mesh, Checker& check) {
  const auto accessor = [&](int index) { check.reference(index, d.accessors, "accessors", "meshes", mesh); };
  for (const int index : {p.position, p.normal, p.tangent, p.uv0, p.uv1, p.color, p.indices}) accessor(index);
  for (const int index : p.joints) accessor(index);
  for (const int index : p.weights) accessor(index);
  for (const TargetDef& target : p.targets) {
    accessor(target.position);
    accessor(target.normal);
  }
  check.reference(p.material, d.materials, "materials", "meshes", mesh);
}

void check_animation(const Document& d, const AnimationDef& animation, std::size_t i, Checker& check) {
  for (const SamplerDef& sampler : animation.samplers) {
    check.reference(sampler.input, d.accessors, "accessors", "animations", i);
    check.reference(sampler.output, d.accessors, "accessors", "animations", i);
  }
  for (const ChannelDef& channel : animation.channels) {
    check.reference(channel.node, d.nodes, "nodes", "animations", i);
    check.reference(channel.sampler, animation.samplers, "samplers", "animations", i);
  }
}

Result<void> check_data(const Document& d) {
  for (std::size_t i = 0; i < d.views.size(); ++i) {
    const ViewDef& view = d.views[i];
    if (view.buffer < 0 || view.buffer >= static_cast<int>(d.buffers.size())) {
      return invalid(fmt::format("bufferViews[{}]", i), fmt::format("refers to buffers[{}]", view.buffer));
    }
    const std::size_t length = d.buffers[static_cast<std::size_t>(view.buffer)].length;
    if (view.offset > length || view.length > length - view.offset) {
      return invalid(fmt::format("bufferViews[{}]", i),
                     fmt::format("reaches past the end of buffers[{}]", view.buffer));
    }
  }
  for (std::size_t i = 0; i < d.meshopt.size(); ++i) {
    const MeshoptDef& def = d.meshopt[i];
    const bool known = def.buffer >= 0 && def.buffer < static_cast<int>(d.buffers.size());
    const std::size_t length = known ? d.buffers[static_cast<std::size_t>(def.buffer)].length : 0;
    if (!known || def.offset > length || def.length > length - def.offset) {
      return invalid("a compressed bufferView", fmt::format("reaches past the end of buffers[{}]", def.buffer));
    }
  }
  Checker check;
  for (const DracoDef& def : d.draco) check.reference(def.view, d.views, "bufferViews", "meshes (Draco)", 0);
  for (std::size_t i = 0; i < d.accessors.size(); ++i) {
    const AccessorDef& accessor = d.accessors[i];
    check.reference(accessor.view, d.views, "bufferViews", "accessors", i);
    if (accessor.sparse < 0) continue;
    const SparseDef& sparse = d.sparse[static_cast<std::size_t>(accessor.sparse)];
    check.reference(sparse.indices_view, d.views, "bufferViews", "accessors", i);
    check.reference(sparse.values_view, d.views, "bufferViews", "accessors", i);
  }
  for (std::size_t i = 0; i < d.images.size(); ++i)
    check.reference(d.images[i].view, d.views, "bufferViews", "images", i);
  for (std::size_t i = 0; i < d.texture_images.size(); ++i) {
    check.reference(d.texture_images[i], d.images, "images", "textures", i);
  }
  for (std::size_t i = 0; i < d.materials.size(); ++i) {
    const Material& m = d.materials[i];
    for (const int texture :
         {m.base_color_image, m.metallic_roughness_image, m.normal_image, m.occlusion_image, m.emissive_image}) {
      check.reference(texture, d.texture_images, "textures", "materials", i);
    }
  }
  for (std::size_t i = 0; i < d.meshes.size(); ++i) {
    for (const PrimitiveDef& primitive : d.meshes[i].primitives) check_primitive(d, primitive, i, check);
  }
  for (std::size_t i = 0; i < d.skins.size(); ++i) {
    check.reference(d.skins[i].inverse_bind_matrices, d.accessors, "accessors", "skins", i);
    for (const int joint : d.skins[i].joints) check.reference(joint, d.nodes, "nodes", "skins", i);
  }
  for (std::size_t i = 0; i < d.animations.size(); ++i) check_animation(d, d.animations[i], i, check);
  if (check.error) return std::move(*check.error);
  return {};
}

// Checks that every node has at most one parent and that there are no cycles.
Result<void> check_hierarchy(Document& d) {
  const int n = static_cast<int>(d.nodes.size());
  for (int i = 0; i < n; ++i) {
    for (const int child : d.nodes[static_cast<std::size_t>(i)].children) {
      const auto refuse = [i](std::string message) { return invalid(fmt::format("nodes[{}]", i), std::move(message)); };
      if (child >= n) return refuse(fmt::format("has child {}, but there are {} nodes", child, n));
      NodeDef& node = d.nodes[static_cast<std::size_t>(child)];
      if (child == i) return refuse("is its own child");
      if (node.parent == i) return refuse(fmt::format("lists child {} twice", child));
      if (node.parent >= 0) {
        return invalid(fmt::format("nodes[{}]", child),
                       fmt::format("has two parents, nodes[{}] and nodes[{}]", node.parent, i));
      }
      node.parent = i;
    }
  }
  // With at most one parent each, nodes that the roots do not reach form a cycle.
  std::vector<int> pending;
  for (int i = 0; i < n; ++i) {
    if (d.nodes[static_cast<std::size_t>(i)].parent < 0) pending.push_back(i);
  }
  std::vector<bool> reached(static_cast<std::size_t>(n), false);
  while (!pending.empty()) {
    const auto i = static_cast<std::size_t>(pending.back());
    pending.pop_back();
    reached[i] = true;
    pending.insert(pending.end(), d.nodes[i].children.begin(), d.nodes[i].children.end());
  }
  for (int i = 0; i < n; ++i) {
    if (!reached[static_cast<std::size_t>(i)]) {
      return invalid(fmt::format("nodes[{}]", i), "is its own ancestor: the hierarchy has a cycle");
    }
  }
  return {};
}

}  // namespace

Result<void> check_references(Document& d) {
  ZOE_TRY(check_data(d));
  Checker check;
  for (std::size_t i = 0; i < d.nodes.size(); ++i) {
    check.reference(d.nodes[i].mesh, d.meshes, "meshes", "nodes", i);
    check.reference(d.nodes[i].skin, d.skins, "skins", "nodes", i);
  }
  for (std::size_t i = 0; i < d.scene_roots.size(); ++i) {
    for (const int root : d.scene_roots[i]) check.reference(root, d.nodes, "nodes", "scenes", i);
  }
  check.reference(d.default_scene, d.scene_roots, "scenes", "scene", 0);
  if (check.error) return std::move(*check.error);
  return check_hierarchy(d);
}

}  // namespace zoe::io::gltf
