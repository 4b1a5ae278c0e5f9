// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "zoe/core/index.h"

#include "io/bind_transform.h"
#include "io/fbx/node_transform.h"
#include "io/fbx/write_parts.h"

namespace zoe::io::fbx {
namespace {

constexpr double kMaxShear = 1e-5;

class Planner {
 public:
  Planner(OutPlan& plan, ObjectWriter& objects, Warnings& warnings)
      : plan_(plan), objects_(objects), warnings_(warnings) {}

  void run() {
    const Skeleton& skeleton = *plan_.character.skeleton;
    for (int j = 0; j < skeleton.num_joints(); ++j) {
      const int parent = skeleton.parent(j);
      OutModel model{.id = objects_.new_id(),
                     .parent_id = parent >= 0 ? plan_.models[idx(parent)].id : kSceneId,
                     .name = skeleton.name(j),
                     .type = skeleton.kind(j) == JointKind::kNode ? ModelClass::kNull : ModelClass::kLimb,
                     .local = to_double(skeleton.rest_local(j)),
                     .kind = skeleton.kind(j) == JointKind::kEndSite ? to_string(JointKind::kEndSite) : nullptr};
      plan_.models.push_back(std::move(model));
    }
    for (const Skin& skin : plan_.character.skins) {
      for (const int joint : skin.joints) {  // Readers take every joint of a skin for a bone.
        if (skeleton.kind(joint) == JointKind::kNode) plan_.models[idx(joint)].kind = to_string(JointKind::kNode);
      }
    }
    for (const MeshInstance& instance : plan_.character.instances) add_instance(instance);
  }

 private:
  void add_instance(const MeshInstance& instance) {
    OutInstance out;
    const bool skinned = instance.skin >= 0;
    if (skinned) out.model_from_mesh_at_bind = bind_transform(plan_.character, instance);
    double shear = 0;
    const Transformd offset = decompose(to_double(instance.joint_from_mesh), &shear);
    if (!skinned && shear > kMaxShear) {
      out.bake = true;
      out.baked = to_double(instance.joint_from_mesh);
    }
    const bool own = instance.joint >= 0 && plan_.models[idx(instance.joint)].type == ModelClass::kNull;
    if (own) {
      out.model = instance.joint;
      plan_.models[idx(instance.joint)].type = ModelClass::kMesh;
      if (!skinned && !out.bake) out.node_from_mesh = offset;
    } else {
      out.model = static_cast<int>(plan_.models.size());
      OutModel holder{
          .id = objects_.new_id(), .name = plan_.character.meshes[idx(instance.mesh)].name, .type = ModelClass::kMesh};
      if (holder.name.empty()) holder.name = "mesh";
      if (skinned && instance.skin_follows_joint && instance.joint >= 0) {
        holder.parent_id = plan_.models[idx(instance.joint)].id;
      } else if (skinned) {
        holder.local = decompose(out.model_from_mesh_at_bind);
      } else {
        if (!out.bake) holder.local = offset;
        if (instance.joint >= 0) holder.parent_id = plan_.models[idx(instance.joint)].id;
      }
      plan_.models.push_back(std::move(holder));
    }
    if (skinned && instance.skin_follows_joint) {
      warnings_.push_back(
          {fmt::format("mesh '{}' moves with its node in addition to its skin; of other programs only Maya does that",
                       plan_.character.meshes[idx(instance.mesh)].name),
           {}});
    }
    plan_.instances.push_back(std::move(out));
  }

  OutPlan& plan_;
  ObjectWriter& objects_;
  Warnings& warnings_;
};

}  // namespace

void ObjectWriter::begin(const char* type, std::int64_t id, std::string_view name, const char* class_name,
                         const char* subclass) {
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const char* t) { return std::string_view(t) == type; });
  ++counts_[static_cast<std::size_t>(found - kTypes.begin())];
  out.begin(type);
  out.put(id);
  std::string full(name);
  full += std::string_view("\0\1", 2);
  full += class_name;
  out.put(std::string_view(full));
  out.put(subclass);
}

void ObjectWriter::write_connections() {
  out.begin("Connections");
  for (const Connection& c : connections_) {
    if (c.property[0] == '\0')
      out.record("C", "OO", c.source, c.target);
    else
      out.record("C", "OP", c.source, c.target, c.property);
  }
  out.end();
}

std::array<double, 16> matrix_of(const Affined& m, double units) {
  return {m.x.x, m.x.y, m.x.z, 0, m.y.x,         m.y.y,         m.y.z,         0,
          m.z.x, m.z.y, m.z.z, 0, m.t.x * units, m.t.y * units, m.t.z * units, 1};
}

OutPlan plan_models(const Character& character, double units_per_metre, ObjectWriter& objects, Warnings& warnings) {
  OutPlan plan{.character = character, .units_per_metre = units_per_metre, .models = {}, .instances = {}};
  Planner(plan, objects, warnings).run();
  return plan;
}

void write_models(const OutPlan& plan, ObjectWriter& objects) {
  RecordWriter& out = objects.out;
  std::vector<const OutInstance*> geometric(plan.models.size(), nullptr);
  std::vector<bool> follows(plan.models.size(), false);
  for (std::size_t i = 0; i < plan.instances.size(); ++i) {
    const MeshInstance& instance = plan.character.instances[i];
    if (!(plan.instances[i].node_from_mesh == Transformd{}))
      geometric[idx(plan.instances[i].model)] = &plan.instances[i];
    follows[idx(plan.instances[i].model)] = instance.skin >= 0 && instance.skin_follows_joint;
  }
  for (std::size_t i = 0; i < plan.models.size(); ++i) {
    const OutModel& model = plan.models[i];
    const bool limb = model.type == ModelClass::kLimb;
    const char* subclass = limb ? "LimbNode" : model.type == ModelClass::kMesh ? "Mesh" : "Null";
    objects.begin("Model", model.id, model.name, "Model", subclass);
    out.record("Version", 232);
    out.begin("Properties70");
    out.property("DefaultAttributeIndex", "int", "Integer", "", 0);  // Without it the SDK drops meshes and bones.
    out.property("RotationActive", "bool", "", "", 1);
    out.property("InheritType", "enum", "", "", 1);  // RSrs: scales act as in our skeletons.
    const auto vector = [&](const char* name, const char* type, const char* flags, Vec3d v) {
      out.property(name, type, "", flags, v.x, v.y, v.z);
    };
    vector("Lcl Translation", "Lcl Translation", "A", model.local.translation * plan.units_per_metre);
    vector("Lcl Rotation", "Lcl Rotation", "A", to_euler_deg(0, model.local.rotation));
    vector("Lcl Scaling", "Lcl Scaling", "A", model.local.scale);
    if (geometric[i] != nullptr) {
      const Transformd& offset = geometric[i]->node_from_mesh;
      vector("GeometricTranslation", "Vector3D", "", offset.translation * plan.units_per_metre);
      vector("GeometricRotation", "Vector3D", "", to_euler_deg(0, offset.rotation));
      vector("GeometricScaling", "Vector3D", "", offset.scale);
    }
    if (model.kind != nullptr) out.property(kKindProperty, "KString", "", "U", model.kind);
    if (follows[i]) out.property(kFollowsProperty, "bool", "", "U", 1);
    out.end();
    out.record("Shading", true);
    out.record("Culling", "CullingOff");
    out.end();
    objects.connect(model.id, model.parent_id);
    if (model.type == ModelClass::kMesh) continue;
    const std::int64_t attribute = objects.new_id();
    objects.begin("NodeAttribute", attribute, model.name, "NodeAttribute", subclass);
    out.record("TypeFlags", limb ? "Skeleton" : "Null");
    out.end();
    objects.connect(attribute, model.id);
  }
}

}  // namespace zoe::io::fbx
