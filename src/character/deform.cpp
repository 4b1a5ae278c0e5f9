// SPDX-License-Identifier: MIT
#include "zoe/character/deform.h"

#include <algorithm>
#include <cmath>

#include "character/polar.h"

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

// A joint's motion as a unit dual quaternion after a stretch.
struct DualMotion {
  Quatd real, dual;
  Affined stretch;
};

DualMotion to_dual_motion(const Affined& m) {
  const Affined r = rotation_factor(m);
  const Quatd real = rotation_of(r);
  const Quatd half{m.t.x * 0.5, m.t.y * 0.5, m.t.z * 0.5, 0};
  return {real, half * real, stretch_factor(m, r)};
}

void add_scaled(Quatd& sum, const Quatd& q, double weight) {
  sum = {sum.x + q.x * weight, sum.y + q.y * weight, sum.z + q.z * weight, sum.w + q.w * weight};
}

// Stretches blended linearly, then the blended rigid motion (Kavan et al. 2008, 4.2). q and -q are one rotation: the
// heaviest joint, which is first, decides the sign. `joints` and `weights` are those of one vertex.
Affined blend_dual(std::span<const DualMotion> palette, std::span<const std::uint16_t> joints,
                   std::span<const float> weights) {
  Quatd real{0, 0, 0, 0}, dual = real;
  Affined stretch{{}, {}, {}, {}};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    const DualMotion& motion = palette[joints[i]];
    const double weight = weights[i];
    const double signed_weight = dot(palette[joints[0]].real, motion.real) < 0 ? -weight : weight;
    add_scaled(real, motion.real, signed_weight);
    add_scaled(dual, motion.dual, signed_weight);
    add_scaled(stretch, motion.stretch, weight);
  }
  const double norm = std::sqrt(dot(real, real));
  if (!(norm > 1e-12)) return stretch;
  const Quatd unit = normalized(real);
  const Quatd shift = Quatd{dual.x / norm, dual.y / norm, dual.z / norm, dual.w / norm} * conjugate(unit);
  Affined rigid = to_affine(unit);
  rigid.t = {2 * shift.x, 2 * shift.y, 2 * shift.z};
  return rigid * stretch;
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
  std::vector<DualMotion> dual_palette;  // Empty: linear blending.
  Affined rigid = node * to_double(place.joint_from_mesh);
  if (place.skin >= 0) {
    const Skin& skin = character.skins[static_cast<std::size_t>(place.skin)];
    const Affined moved = place.skin_follows_joint ? node * to_double(place.joint_from_model_at_bind) : Affined{};
    for (std::size_t i = 0; i < skin.joints.size(); ++i) {
      palette.push_back(moved * to_double(model_from_joint[static_cast<std::size_t>(skin.joints[i])]) *
                        to_double(skin.joint_from_mesh[i]));
      if (skin.blend == SkinBlend::kDualQuaternion) dual_palette.push_back(to_dual_motion(palette.back()));
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
    if (!dual_palette.empty()) {
      const Affined dual = blend_dual(dual_palette, std::span(mesh.influence_joints).subspan(v * width, width),
                                      std::span(mesh.influence_weights).subspan(v * width, width));
      // Both maps are affine: blending them blends the positions.
      const double linear = mesh.linear_shares.empty() ? 0.0 : std::clamp<double>(mesh.linear_shares[v], 0, 1);
      Affined mixed{{}, {}, {}, {}};
      add_scaled(mixed, model_from_mesh, linear);
      add_scaled(mixed, dual, 1 - linear);
      model_from_mesh = mixed;
    }
    out.positions.push_back(to_float(model_from_mesh.apply_point(morphed.positions[v])));
    if (!morphed.normals.empty()) out.normals.push_back(to_float(apply_normal(model_from_mesh, morphed.normals[v])));
  }
  return out;
}

}  // namespace zoe
