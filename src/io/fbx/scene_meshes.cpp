// SPDX-License-Identifier: MIT
#include "io/fbx/scene_meshes.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/fbx/geometry.h"
#include "io/fbx/marks.h"
#include "io/fbx/materials.h"
#include "io/fbx/properties.h"
#include "io/fbx/skin.h"

namespace zoe::io::fbx {
namespace {

// A geometry after reading; nodes that share it share its meshes.
struct ReadGeometry {
  SkinBinding binding;
  std::vector<ShapeChannel> channels;
  // Meshes made from it: one for every different list of materials.
  std::vector<std::pair<std::vector<int>, int>> meshes;
};

double approximate_bytes(const Mesh& mesh) {
  double bytes =
      static_cast<double>(mesh.num_vertices()) * (2 * sizeof(Vec3) + 2 * sizeof(Vec2) + sizeof(Vec4)) +
      static_cast<double>(mesh.indices.size() + mesh.influence_weights.size() * 2 + mesh.linear_shares.size()) *
          sizeof(std::uint32_t);
  for (const MorphTarget& target : mesh.morph_targets)
    bytes +=
        static_cast<double>(target.position_deltas.size()) * (sizeof(Vec3) + sizeof(std::uint32_t)) + sizeof target;
  return bytes;
}

bool near_identity(const Affined& m) {
  constexpr double kTolerance = 1e-5;  // For directions and for metres.
  return distance(m.x, {1, 0, 0}) < kTolerance && distance(m.y, {0, 1, 0}) < kTolerance &&
         distance(m.z, {0, 0, 1}) < kTolerance && length(m.t) < kTolerance;
}

class MeshAdder {
 public:
  MeshAdder(const SceneContext& context, Character* character)
      : context_(context),
        character_(character),
        materials_(context.document, context.graph, character),
        geometry_of_object_(context.graph.objects().size(), -1) {}

  Result<std::vector<InstanceChannels>> run() {
    for (std::size_t node = 0; node < context_.scene.nodes.size(); ++node) {
      for (const Link& link : context_.graph.sources(context_.scene.nodes[node].object)) {
        if (context_.graph.object(link.object).kind == ObjectKind::kGeometry) {
          ZOE_TRY(add_instance(node, link.object));
        }
      }
    }
    return std::move(instance_channels_);
  }

 private:
  Result<ReadGeometry*> geometry(std::uint32_t object, std::size_t node) {
    int& index = geometry_of_object_[object];
    if (index < 0) {
      const Object& geometry = context_.graph.object(object);
      ZOE_TRY_ASSIGN(Mesh mesh,
                     read_geometry(context_.document, context_.document.node_at(geometry.record), context_.conversion));
      const std::string_view model = context_.graph.object(context_.scene.nodes[node].object).name();
      mesh.name = geometry.name().empty() ? model : geometry.name();
      ReadGeometry read;
      ZOE_TRY_ASSIGN(read.binding, read_skin(context_.document, context_.graph, context_.scene, object, &mesh,
                                             context_.budget, context_.warnings));
      ZOE_TRY_ASSIGN(read.channels, read_blend_shapes(context_.document, context_.graph, object, context_.conversion,
                                                      &mesh, context_.warnings));
      warn_about_deformers(object, mesh.name);
      index = static_cast<int>(geometries_.size());
      read.meshes.emplace_back(std::vector<int>(), static_cast<int>(character_->meshes.size()));
      fresh_ = true;
      geometries_.push_back(std::move(read));
      character_->meshes.push_back(std::move(mesh));
    }
    return &geometries_[static_cast<std::size_t>(index)];
  }

  void warn_about_deformers(std::uint32_t object, const std::string& mesh) {
    for (const Link& link : context_.graph.sources(object)) {
      const Object& source = context_.graph.object(link.object);
      if (source.kind == ObjectKind::kOther && source.record != nullptr &&
          context_.document.node_at(source.record).name == "Deformer") {
        context_.warnings->push_back({fmt::format("mesh '{}' has a deformer of type '{}', which is not applied", mesh,
                                                  context_.graph.subclass(source)),
                                      {}});
      }
    }
  }

  // Material slots of the first node that uses a geometry are written into its mesh. A node with other materials gets a
  // copy.
  Result<int> mesh_with(ReadGeometry* geometry, const std::vector<int>& materials) {
    if (fresh_) {
      fresh_ = false;
      geometry->meshes[0].first = materials;
      const int mesh = geometry->meshes[0].second;
      slots_.resize(character_->meshes.size());
      for (const Submesh& part : character_->meshes[static_cast<std::size_t>(mesh)].submeshes) {
        slots_[static_cast<std::size_t>(mesh)].push_back(part.material);
      }
      assign_materials(mesh, mesh, materials);
      return mesh;
    }
    for (const auto& [known, mesh] : geometry->meshes) {
      if (known == materials) return mesh;
    }
    const int original = geometry->meshes[0].second;
    const auto copy = static_cast<int>(character_->meshes.size());
    if (!context_.budget->spend(approximate_bytes(character_->meshes[static_cast<std::size_t>(original)]))) {
      return too_much("copies of a mesh with other materials");
    }
    character_->meshes.push_back(Mesh(character_->meshes[static_cast<std::size_t>(original)]));
    slots_.resize(character_->meshes.size());
    assign_materials(copy, original, materials);
    geometry->meshes.emplace_back(materials, copy);
    return copy;
  }

  void assign_materials(int mesh, int slots_of, const std::vector<int>& materials) {
    const std::vector<int>& slots = slots_[static_cast<std::size_t>(slots_of)];
    auto& parts = character_->meshes[static_cast<std::size_t>(mesh)].submeshes;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto slot = static_cast<std::size_t>(slots[i]);
      parts[i].material = slot < materials.size() ? materials[slot] : -1;
    }
  }

  Result<void> add_instance(std::size_t node, std::uint32_t geometry_object) {
    ZOE_TRY_ASSIGN(ReadGeometry * read, geometry(geometry_object, node));
    const std::uint32_t model = context_.scene.nodes[node].object;
    MeshInstance instance;
    ZOE_TRY_ASSIGN(instance.mesh, mesh_with(read, materials_.materials_of(model)));
    instance.joint = context_.plan.nodes()[node].full_joint();
    const Affined node_from_geometry =
        geometric_transform(PropertyList(context_.document, context_.graph, context_.graph.object(model)));
    const Affined joint_from_mesh = context_.conversion.between_nodes(node_from_geometry);
    instance.joint_from_mesh = to_float(joint_from_mesh);
    if (!is_finite(instance.joint_from_mesh)) {
      return Error{ErrorCode::kInvalid,
                   "the geometric transform is not finite",
                   {.joint = std::string(context_.graph.object(model).name())}};
    }
    if (!read->binding.clusters.empty()) {
      ZOE_TRY_ASSIGN(instance.skin, add_skin(read->binding, instance.joint, joint_from_mesh, model));
      set_skin_space(read->binding, node, &instance);
    }
    ZOE_TRY(add_morph_weights(*read, &instance));
    character_->instances.push_back(std::move(instance));
    return {};
  }

  Affined rest_model(int joint) const {
    return to_double(character_->skeleton->rest_model()[static_cast<std::size_t>(joint)]);
  }

  // The cluster's own Transform defines the binding. Files without it give the position of the bone, or nothing.
  Result<int> add_skin(const SkinBinding& binding, int mesh_joint, const Affined& joint_from_mesh,
                       std::uint32_t model) {
    const double bytes = static_cast<double>(binding.clusters.size() + 1) * (sizeof(int) + sizeof(Affine));
    if (!context_.budget->spend(bytes)) return too_much("skins");
    Skin skin;
    skin.name = context_.graph.object(model).name();
    skin.blend = binding.blend;
    for (const ClusterBind& cluster : binding.clusters) {
      const int bone = context_.plan.nodes()[static_cast<std::size_t>(cluster.node)].full_joint();
      Affined bone_from_node;
      if (cluster.bone_from_mesh_node) {
        bone_from_node = context_.conversion.between_nodes(*cluster.bone_from_mesh_node);
      } else {
        const Affined model_from_bone =
            cluster.world_from_bone ? context_.conversion.world_from_node(*cluster.world_from_bone) : rest_model(bone);
        bone_from_node = inverse(model_from_bone) * rest_model(mesh_joint);
      }
      skin.joints.push_back(bone);
      skin.joint_from_mesh.push_back(to_float(bone_from_node * joint_from_mesh));
    }
    if (binding.has_free_vertices) {
      skin.joints.push_back(mesh_joint);
      skin.joint_from_mesh.push_back(to_float(joint_from_mesh));
    }
    if (!std::all_of(skin.joint_from_mesh.begin(), skin.joint_from_mesh.end(),
                     [](const Affine& m) { return is_finite(m); })) {
      return Error{ErrorCode::kInvalid, fmt::format("skin '{}' has a bind matrix that is not finite", skin.name), {}};
    }
    character_->skins.push_back(std::move(skin));
    return static_cast<int>(character_->skins.size() - 1);
  }

  // In Maya a skinned mesh is still a child of its transform node, which moves it in addition to the skin. In every
  // other program only the skin moves the mesh. The node's transform at bind time follows from any cluster.
  void set_skin_space(const SkinBinding& binding, std::size_t node, MeshInstance* instance) const {
    const bool marked =
        context_.settings.application == kCreator &&
        PropertyList(context_.document, context_.graph, context_.graph.object(context_.scene.nodes[node].object))
            .boolean(kFollowsProperty, false);
    if (context_.settings.application != "Maya" && !marked) return;
    for (const ClusterBind& cluster : binding.clusters) {
      if (!cluster.bone_from_mesh_node || !cluster.world_from_bone) continue;
      const Affined model_from_node =
          context_.conversion.world_from_node(*cluster.world_from_bone * *cluster.bone_from_mesh_node);
      const Affine node_from_model = to_float(inverse(model_from_node));
      if (determinant(model_from_node) == 0 || !is_finite(node_from_model)) continue;
      // A node that does not move from its bind position adds nothing.
      if (!context_.plan.moves(node) && near_identity(rest_model(instance->joint) * to_double(node_from_model))) return;
      instance->skin_follows_joint = true;
      instance->joint_from_model_at_bind = node_from_model;
      return;
    }
  }

  Result<void> add_morph_weights(const ReadGeometry& read, MeshInstance* instance) {
    const Mesh& mesh = character_->meshes[static_cast<std::size_t>(instance->mesh)];
    if (read.channels.empty()) return {};
    if (!context_.budget->spend(static_cast<double>(mesh.morph_targets.size()) * 64)) return too_much("morph weights");
    instance->morph_weights.assign(mesh.morph_targets.size(), 0);
    for (const ShapeChannel& channel : read.channels) {
      target_weights(channel.full_weights, channel.percent,
                     std::span(instance->morph_weights).subspan(channel.first_target, channel.full_weights.size()));
    }
    instance_channels_.push_back({character_->instances.size(), read.channels});
    return {};
  }

  static Error too_much(std::string_view what) {
    return {ErrorCode::kLimit,
            fmt::format("{} of the many instances would take far more memory than the file; raise "
                        "bytes_always_granted",
                        what),
            {}};
  }

  const SceneContext& context_;
  Character* character_;
  MaterialReader materials_;
  std::vector<int> geometry_of_object_;
  std::vector<ReadGeometry> geometries_;
  std::vector<std::vector<int>> slots_;  // Material slots of each mesh's parts, as in the geometry.
  bool fresh_ = false;                   // The geometry is new; its mesh has no materials yet.
  std::vector<InstanceChannels> instance_channels_;
};

}  // namespace

Result<std::vector<InstanceChannels>> add_meshes(const SceneContext& context, Character* character) {
  return MeshAdder(context, character).run();
}

}  // namespace zoe::io::fbx
