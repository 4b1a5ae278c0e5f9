// SPDX-License-Identifier: MIT
#include "zoe/character/deform.h"

namespace zoe {
namespace {

void add_scaled(Affined& sum, const Affined& m, double weight) {
  sum.x += m.x * weight;
  sum.y += m.y * weight;
  sum.z += m.z * weight;
  sum.t += m.t * weight;
}

// Normals map with the inverse transpose, which up to a positive factor is the cofactor matrix
// times the determinant's sign; this form needs no division and no invertible map.
Vec3d apply_normal(const Affined& m, Vec3d n) {
  const Vec3d mapped = cross(m.y, m.z) * n.x + cross(m.z, m.x) * n.y + cross(m.x, m.y) * n.z;
  return normalized(determinant(m) < 0 ? -mapped : mapped);
}

// Mesh-space positions and normals with morph targets added.
struct Morphed {
  std::vector<Vec3d> positions, normals;
};

Morphed morph(const Mesh& mesh, std::span<const float> weights) {
  Morphed out;
  out.positions.reserve(mesh.positions.size());
  out.normals.reserve(mesh.normals.size());
  for (const Vec3 p : mesh.positions) out.positions.push_back(to_double(p));
  for (const Vec3 n : mesh.normals) out.normals.push_back(to_double(n));
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const MorphTarget& target = mesh.morph_targets[t];
    const double weight = weights[t];
    if (weight == 0.0) continue;
    for (std::size_t i = 0; i < target.position_deltas.size(); ++i) {
      const std::size_t vertex = target.vertices.empty() ? i : target.vertices[i];
      out.positions[vertex] += to_double(target.position_deltas[i]) * weight;
      if (!target.normal_deltas.empty() && !out.normals.empty()) {
        out.normals[vertex] += to_double(target.normal_deltas[i]) * weight;
      }
    }
  }
  return out;
}

}  // namespace

DeformedMesh deform_instance(const Character& character, std::size_t instance, std::span<const Affine> model_from_joint,
                             std::span<const float> morph_weights) {
  ZOE_CHECK(instance < character.instances.size(), "no such mesh instance");
  ZOE_CHECK(model_from_joint.size() >= static_cast<std::size_t>(character.skeleton->num_joints()),
            "pose does not fit the skeleton");
  ZOE_CHECK(morph_weights.empty() || morph_weights.size() == character.num_morph_weights(),
            "morph weights do not fit the character");
  const MeshInstance& place = character.instances[instance];
  const Mesh& mesh = character.meshes[static_cast<std::size_t>(place.mesh)];
  const std::span<const float> weights =
      morph_weights.empty() ? std::span<const float>(place.morph_weights)
                            : morph_weights.subspan(character.first_morph_weight(instance), mesh.morph_targets.size());
  const Morphed morphed = morph(mesh, weights);

  const Affined node =
      place.joint >= 0 ? to_double(model_from_joint[static_cast<std::size_t>(place.joint)]) : Affined{};
  std::vector<Affined> palette;
  Affined rigid = node * to_double(place.joint_from_mesh);
  if (place.skin >= 0) {
    const Skin& skin = character.skins[static_cast<std::size_t>(place.skin)];
    const Affined moved = place.skin_follows_joint ? node * to_double(place.joint_from_model_at_bind) : Affined{};
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      palette.push_back(moved * to_double(model_from_joint[static_cast<std::size_t>(skin.joints[i])]) *
                        to_double(skin.joint_from_mesh[i]));
    }
  }

  DeformedMesh out;
  out.positions.reserve(morphed.positions.size());
  out.normals.reserve(morphed.normals.size());
  const auto width = static_cast<std::size_t>(mesh.influences_per_vertex);
  for (std::size_t v = 0; v < morphed.positions.size(); ++v) {
    Affined model_from_mesh = rigid;
    if (place.skin >= 0) {
      model_from_mesh = {{}, {}, {}, {}};
      for (std::size_t k = v * width; k < (v + 1) * width; ++k) {
        if (mesh.influence_weights[k] > 0)
          add_scaled(model_from_mesh, palette[mesh.influence_joints[k]], mesh.influence_weights[k]);
      }
    }
    out.positions.push_back(to_float(model_from_mesh.apply_point(morphed.positions[v])));
    if (!morphed.normals.empty()) out.normals.push_back(to_float(apply_normal(model_from_mesh, morphed.normals[v])));
  }
  return out;
}

}  // namespace zoe
