// SPDX-License-Identifier: MIT
// Skinning in one fixed order of operations, without the vector kernels: those round differently by processor.
#include "zoe/character/deform.h"
#include "zoe/render/software/model.h"

namespace zoe::render {
namespace {

Affine scaled(const Affine& m, float s) { return {m.x * s, m.y * s, m.z * s, m.t * s}; }

Affine sum(const Affine& a, const Affine& b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.t + b.t}; }

// Normals by the cofactors of the matrix: correct under uneven and mirroring scales.
Vec3 turn_normal(const Affine& m, Vec3 n) {
  return normalized(cross(m.y, m.z) * n.x + cross(m.z, m.x) * n.y + cross(m.x, m.y) * n.z);
}

void pose_rigid(const Mesh& mesh, const Affine& model_from_mesh, std::size_t first, PosedVertices& out) {
  for (std::size_t i = 0; i < mesh.num_vertices(); ++i) {
    out.positions[first + i] = model_from_mesh.apply_point(mesh.positions[i]);
    out.normals[first + i] = mesh.normals.empty() ? Vec3{} : turn_normal(model_from_mesh, mesh.normals[i]);
  }
}

void pose_linear(const Mesh& mesh, std::span<const Affine> palette, std::size_t first, PosedVertices& out) {
  const auto num_influences = static_cast<std::size_t>(mesh.influences_per_vertex);
  for (std::size_t i = 0; i < mesh.num_vertices(); ++i) {
    const std::uint16_t* joints = mesh.influence_joints.data() + i * num_influences;
    const float* weights = mesh.influence_weights.data() + i * num_influences;
    Affine blended = scaled(palette[joints[0]], weights[0]);
    for (std::size_t k = 1; k < num_influences && weights[k] > 0; ++k)  // Heaviest first: the rest are zeros.
      blended = sum(blended, scaled(palette[joints[k]], weights[k]));
    out.positions[first + i] = blended.apply_point(mesh.positions[i]);
    out.normals[first + i] = mesh.normals.empty() ? Vec3{} : turn_normal(blended, mesh.normals[i]);
  }
}

}  // namespace

void pose_vertices(const SoftwareModel& model, std::span<const Affine> model_from_joint,
                   std::span<const float> morph_weights, PosedVertices& out) {
  const Character& character = model.character();
  out.positions.resize(model.num_vertices());
  out.normals.resize(model.num_vertices());
  for (std::size_t i = 0; i < character.instances.size(); ++i) {
    const MeshInstance& instance = character.instances[i];
    const Mesh& mesh = character.meshes[static_cast<std::size_t>(instance.mesh)];
    const std::size_t first = model.first_vertex(i);
    const Skin* skin = instance.skin >= 0 ? &character.skins[static_cast<std::size_t>(instance.skin)] : nullptr;
    const bool dual = skin != nullptr && skin->blend == SkinBlend::kDualQuaternion;
    if (!mesh.morph_targets.empty() || dual) {
      const DeformedMesh deformed = deform_instance(character, i, model_from_joint, morph_weights);
      for (std::size_t v = 0; v < deformed.positions.size(); ++v) {
        out.positions[first + v] = deformed.positions[v];
        out.normals[first + v] = deformed.normals.empty() ? Vec3{} : deformed.normals[v];
      }
    } else if (skin == nullptr) {
      const Affine joint = instance.joint >= 0 ? model_from_joint[static_cast<std::size_t>(instance.joint)] : Affine{};
      pose_rigid(mesh, joint * instance.joint_from_mesh, first, out);
    } else {
      Affine moved;
      if (instance.skin_follows_joint && instance.joint >= 0)
        moved = model_from_joint[static_cast<std::size_t>(instance.joint)] * instance.joint_from_model_at_bind;
      out.palette.resize(skin->joints.size());
      for (std::size_t k = 0; k < skin->joints.size(); ++k) {
        const Affine& joint = model_from_joint[static_cast<std::size_t>(skin->joints[k])];
        out.palette[k] = moved * (joint * skin->joint_from_mesh[k]);
      }
      pose_linear(mesh, out.palette, first, out);
    }
  }
}

}  // namespace zoe::render
