// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "zoe/core/index.h"

#include "io/fbx/write_parts.h"
#include "io/fbx/write_points.h"

namespace zoe::io::fbx {
namespace {

class MeshWriter {
 public:
  MeshWriter(OutPlan& plan, std::span<const std::int64_t> material_ids, ObjectWriter& objects)
      : plan_(plan), material_ids_(material_ids), objects_(objects), out_(objects.out) {}

  void run() {
    std::map<int, std::int64_t> shared;  // Meshes without skin, shapes and baked offset.
    for (std::size_t i = 0; i < plan_.instances.size(); ++i) {
      OutInstance& instance = plan_.instances[i];
      const MeshInstance& source = plan_.character.instances[i];
      const Mesh& mesh = plan_.character.meshes[idx(source.mesh)];
      const bool plain = source.skin < 0 && mesh.morph_targets.empty() && !instance.bake;
      if (const auto known = shared.find(source.mesh); plain && known != shared.end()) {
        instance.geometry_id = known->second;
      } else {
        instance.geometry_id = write_geometry(mesh, instance);
        if (plain) shared.emplace(source.mesh, instance.geometry_id);
      }
      const std::int64_t model = plan_.models[idx(instance.model)].id;
      objects_.connect(instance.geometry_id, model);
      connect_materials(mesh, model);
      if (source.skin >= 0) write_skin(mesh, source, instance);
      if (!mesh.morph_targets.empty()) write_shapes(mesh, source, instance);
    }
    if (!binds_.empty()) write_bind_pose();
  }

 private:
  // Materials of a mesh in the order of their first use. Triangles without one get a slot of their own at the end.
  static std::vector<int> slots_of(const Mesh& mesh) {
    std::vector<int> slots;
    for (const Submesh& part : mesh.submeshes) {
      if (part.material >= 0 && std::find(slots.begin(), slots.end(), part.material) == slots.end())
        slots.push_back(part.material);
    }
    return slots;
  }

  static bool some_without_material(const Mesh& mesh) {
    return std::any_of(mesh.submeshes.begin(), mesh.submeshes.end(),
                       [](const Submesh& part) { return part.material < 0 && part.num_indices > 0; });
  }

  void connect_materials(const Mesh& mesh, std::int64_t model) {
    const std::vector<int> slots = slots_of(mesh);
    for (const int material : slots) objects_.connect(material_ids_[idx(material)], model);
    if (slots.empty() || !some_without_material(mesh)) return;
    if (plain_material_ == 0) {
      plain_material_ = objects_.new_id();
      objects_.begin("Material", plain_material_, "none", "Material", "");
      out_.record("Version", 102);
      out_.record("ShadingModel", "lambert");
      out_.end();
    }
    objects_.connect(plain_material_, model);
  }

  std::int64_t write_geometry(const Mesh& mesh, const OutInstance& instance) {
    points_ = control_points(mesh);
    const std::int64_t id = objects_.new_id();
    objects_.begin("Geometry", id, mesh.name, "Geometry", "Mesh");
    out_.begin("Properties70");
    out_.end();
    out_.record("GeometryVersion", 124);
    std::vector<double> numbers;
    for (const std::uint32_t vertex : points_.vertex_of_point) {
      Vec3d p = to_double(mesh.positions[vertex]);
      if (instance.bake) p = instance.baked.apply_point(p);
      p *= plan_.units_per_metre;
      numbers.insert(numbers.end(), {p.x, p.y, p.z});
    }
    out_.record("Vertices", numbers);
    std::vector<std::int32_t> corners;
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
      const auto point = static_cast<std::int32_t>(points_.point_of_vertex[mesh.indices[i]]);
      corners.push_back(i % 3 == 2 ? ~point : point);  // The complement ends a polygon.
    }
    out_.record("PolygonVertexIndex", corners);
    write_layers(mesh, instance);
    out_.end();
    return id;
  }

  // What a layer lists: type of element, and its number among those of the type.
  std::vector<std::pair<const char*, int>> elements_;

  void begin_element(const char* name, int number, const char* mapping, const char* reference) {
    elements_.emplace_back(name, number);
    out_.begin(name);
    out_.put(number);
    out_.record("Version", 101);
    out_.record("Name", "");
    out_.record("MappingInformationType", mapping);
    out_.record("ReferenceInformationType", reference);
  }

  void write_layers(const Mesh& mesh, const OutInstance& instance) {
    elements_.clear();
    if (!mesh.normals.empty()) {
      // Normals follow the inverse transpose of a baked offset; its determinant's sign keeps them outside.
      const Affined linear = instance.bake ? inverse(instance.baked) : Affined{};
      std::vector<double> numbers;
      for (const std::uint32_t vertex : mesh.indices) {
        Vec3d n = to_double(mesh.normals[vertex]);
        if (instance.bake) n = normalized(Vec3d{dot(linear.x, n), dot(linear.y, n), dot(linear.z, n)}, n);
        numbers.insert(numbers.end(), {n.x, n.y, n.z});
      }
      begin_element("LayerElementNormal", 0, "ByPolygonVertex", "Direct");
      out_.record("Normals", numbers);
      out_.end();
    }
    const std::vector<std::int32_t> indices(mesh.indices.begin(), mesh.indices.end());
    if (!mesh.colors.empty()) {
      std::vector<double> numbers;
      for (const Vec4& c : mesh.colors) numbers.insert(numbers.end(), {c.x, c.y, c.z, c.w});
      begin_element("LayerElementColor", 0, "ByPolygonVertex", "IndexToDirect");
      out_.record("Colors", numbers);
      out_.record("ColorIndex", indices);
      out_.end();
    }
    int num_uvs = 0;
    for (const std::vector<Vec2>* uvs : {&mesh.uvs, &mesh.uvs1}) {
      if (uvs->empty()) continue;
      std::vector<double> numbers;
      for (const Vec2& uv : *uvs) numbers.insert(numbers.end(), {uv.x, 1.0 - static_cast<double>(uv.y)});
      begin_element("LayerElementUV", num_uvs++, "ByPolygonVertex", "IndexToDirect");
      out_.record("UV", numbers);
      out_.record("UVIndex", indices);
      out_.end();
    }
    write_material_slots(mesh);
    write_layer(0);
    if (num_uvs > 1) write_layer(1);
  }

  void write_material_slots(const Mesh& mesh) {
    const std::vector<int> slots = slots_of(mesh);
    if (slots.empty()) return;
    std::vector<std::int32_t> of_polygon;
    for (const Submesh& part : mesh.submeshes) {
      const auto slot = std::find(slots.begin(), slots.end(), part.material) - slots.begin();
      of_polygon.insert(of_polygon.end(), part.num_indices / 3, static_cast<std::int32_t>(slot));
    }
    begin_element("LayerElementMaterial", 0, "ByPolygon", "IndexToDirect");
    out_.record("Materials", of_polygon);
    out_.end();
  }

  void write_layer(int layer) {
    out_.begin("Layer");
    out_.put(layer);
    out_.record("Version", 100);
    for (const auto& [name, number] : elements_) {
      if (number != layer) continue;
      out_.begin("LayerElement");
      out_.record("Type", name);
      out_.record("TypedIndex", number);
      out_.end();
    }
    out_.end();
  }

  void write_skin(const Mesh& mesh, const MeshInstance& source, const OutInstance& instance) {
    const Skin& skin = plan_.character.skins[idx(source.skin)];
    const std::int64_t id = objects_.new_id();
    objects_.begin("Deformer", id, skin.name, "Deformer", "Skin");
    out_.record("Version", 101);
    out_.record("Link_DeformAcuracy", 50.0);
    write_blend(mesh, skin);
    out_.end();
    objects_.connect(id, instance.geometry_id);
    const std::size_t width = idx(mesh.influences_per_vertex);
    std::vector<std::vector<std::int32_t>> points(skin.joints.size());
    std::vector<std::vector<double>> weights(skin.joints.size());
    for (std::size_t p = 0; p < points_.vertex_of_point.size(); ++p) {
      for (std::size_t k = 0; k < width; ++k) {
        const std::size_t at = points_.vertex_of_point[p] * width + k;
        if (mesh.influence_weights[at] <= 0) continue;
        points[mesh.influence_joints[at]].push_back(static_cast<std::int32_t>(p));
        weights[mesh.influence_joints[at]].push_back(static_cast<double>(mesh.influence_weights[at]));
      }
    }
    const Affined& model_from_mesh = instance.model_from_mesh_at_bind;
    binds_.emplace_back(plan_.models[idx(instance.model)].id, model_from_mesh);
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      const Affined joint_from_mesh = to_double(skin.joint_from_mesh[i]);
      const Affined model_from_joint = model_from_mesh * inverse(joint_from_mesh);
      const OutModel& bone = plan_.models[idx(skin.joints[i])];
      const std::int64_t cluster = objects_.new_id();
      objects_.begin("Deformer", cluster, bone.name, "SubDeformer", "Cluster");
      out_.record("Version", 100);
      out_.record("UserData", "", "");
      if (!points[i].empty()) {
        out_.record("Indexes", points[i]);
        out_.record("Weights", weights[i]);
      }
      put_matrix("Transform", joint_from_mesh);
      put_matrix("TransformLink", model_from_joint);
      put_matrix("TransformAssociateModel", model_from_armature(skin.joints[i]));
      out_.end();
      objects_.connect(cluster, id);
      objects_.connect(bone.id, cluster);
      binds_.emplace_back(bone.id, model_from_joint);
    }
  }

  // The node above a joint's topmost bone, at rest: Blender's armature object.
  Affined model_from_armature(int joint) const {
    const Skeleton& skeleton = *plan_.character.skeleton;
    while (joint >= 0 && plan_.models[idx(joint)].type == ModelClass::kLimb) joint = skeleton.parent(joint);
    return joint >= 0 ? to_double(skeleton.rest_model()[idx(joint)]) : Affined{};
  }

  void write_blend(const Mesh& mesh, const Skin& skin) {
    if (skin.blend == SkinBlend::kLinear) return;
    const bool mixed = !mesh.linear_shares.empty();
    out_.record("SkinningType", mixed ? "Blend" : "DualQuaternion");
    if (!mixed) return;
    std::vector<std::int32_t> points;
    std::vector<double> weights;
    for (std::size_t p = 0; p < points_.vertex_of_point.size(); ++p) {
      points.push_back(static_cast<std::int32_t>(p));
      weights.push_back(1 - static_cast<double>(mesh.linear_shares[points_.vertex_of_point[p]]));
    }
    out_.record("Indexes", points);
    out_.record("BlendWeights", weights);
  }

  void put_matrix(const char* name, const Affined& affine) {
    const std::array<double, 16> m = matrix_of(affine, plan_.units_per_metre);
    out_.record(name, std::span<const double>(m));
  }

  void write_shapes(const Mesh& mesh, const MeshInstance& source, OutInstance& instance) {
    const std::int64_t deformer = objects_.new_id();
    objects_.begin("Deformer", deformer, mesh.name, "Deformer", "BlendShape");
    out_.record("Version", 100);
    out_.end();
    objects_.connect(deformer, instance.geometry_id);
    for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t) {
      const MorphTarget& target = mesh.morph_targets[t];
      const std::int64_t channel = objects_.new_id(), shape = objects_.new_id();
      const double percent = t < source.morph_weights.size() ? 100.0 * source.morph_weights[t] : 0.0;
      objects_.begin("Deformer", channel, target.name, "SubDeformer", "BlendShapeChannel");
      out_.record("Version", 100);
      out_.record("DeformPercent", percent);
      out_.record("FullWeights", std::vector<double>{100.0});
      out_.begin("Properties70");
      out_.property("DeformPercent", "Number", "", "A", percent);
      out_.end();
      out_.end();
      objects_.begin("Geometry", shape, target.name, "Geometry", "Shape");
      write_shape(mesh, target, instance);
      out_.end();
      objects_.connect(channel, deformer);
      objects_.connect(shape, channel);
      instance.channel_ids.push_back(channel);
    }
  }

  void write_shape(const Mesh& mesh, const MorphTarget& target, const OutInstance& instance) {
    const std::vector<Vec3> positions = dense_deltas(target, target.position_deltas, mesh.num_vertices());
    const std::vector<Vec3> normals = dense_deltas(target, target.normal_deltas, mesh.num_vertices());
    std::vector<std::int32_t> points;
    std::vector<double> deltas, normal_deltas;
    for (std::size_t p = 0; p < points_.vertex_of_point.size(); ++p) {
      Vec3d delta = to_double(positions[points_.vertex_of_point[p]]);
      const Vec3d normal = to_double(normals[points_.vertex_of_point[p]]);
      const bool last_chance = points.empty() && p + 1 == points_.vertex_of_point.size();  // No program likes none.
      if (delta == Vec3d{} && normal == Vec3d{} && !last_chance) continue;
      if (instance.bake) delta = instance.baked.apply_vector(delta);
      delta *= plan_.units_per_metre;
      points.push_back(static_cast<std::int32_t>(p));
      deltas.insert(deltas.end(), {delta.x, delta.y, delta.z});
      normal_deltas.insert(normal_deltas.end(), {normal.x, normal.y, normal.z});
    }
    out_.record("Version", 100);
    out_.record("Indexes", points);
    out_.record("Vertices", deltas);
    out_.record("Normals", normal_deltas);
  }

  // Bind matrices of the bones and meshes, and the rest pose of everything else.
  void write_bind_pose() {
    const std::span<const Affine> rest = plan_.character.skeleton->rest_model();
    for (std::size_t j = 0; j < rest.size(); ++j) binds_.emplace_back(plan_.models[j].id, to_double(rest[j]));
    std::stable_sort(binds_.begin(), binds_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    binds_.erase(
        std::unique(binds_.begin(), binds_.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
        binds_.end());
    objects_.begin("Pose", objects_.new_id(), "BindPose", "Pose", "BindPose");
    out_.record("Type", "BindPose");
    out_.record("Version", 100);
    out_.record("NbPoseNodes", static_cast<std::int32_t>(binds_.size()));
    for (const auto& [model, matrix] : binds_) {
      out_.begin("PoseNode");
      out_.record("Node", model);
      put_matrix("Matrix", matrix);
      out_.end();
    }
    out_.end();
  }

  OutPlan& plan_;
  std::span<const std::int64_t> material_ids_;
  ObjectWriter& objects_;
  RecordWriter& out_;
  ControlPoints points_;  // Of the mesh being written.
  std::int64_t plain_material_ = 0;
  std::vector<std::pair<std::int64_t, Affined>> binds_;  // World transform of a model at bind time; the first counts.
};

}  // namespace

void write_meshes(OutPlan& plan, std::span<const std::int64_t> material_ids, ObjectWriter& objects) {
  MeshWriter(plan, material_ids, objects).run();
}

}  // namespace zoe::io::fbx
