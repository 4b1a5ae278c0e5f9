// SPDX-License-Identifier: MIT
#include "render/software/world_bodies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/character/palette_job.h"
#include "zoe/core/check.h"

#include "render/ground_heights.h"

namespace zoe::render {
namespace {

constexpr int kAround = 20, kRings = 5;  // Of a cone's half ball.

Affine times(const Affine& m, float s) { return {m.x * s, m.y * s, m.z * s, m.t * s}; }
Affine plus(const Affine& a, const Affine& b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.t + b.t}; }

// By the cofactors of the matrix: correct under uneven and mirroring scales.
Vec3 turned_normal(const Affine& m, Vec3 n) {
  const Vec3 turned = cross(m.y, m.z) * n.x + cross(m.z, m.x) * n.y + cross(m.x, m.y) * n.z;
  return normalized(determinant(m) < 0 ? -turned : turned, {0, 1, 0});
}

// The matrix of a vertex under blended dual quaternions: the stretch, then the rigid motion (Kavan et al. 2008).
Affine blend_dual(std::span<const DualQuat> motions, std::span<const Affine> stretches, const std::uint16_t* joints,
                  const float* weights, std::size_t count) {
  Quat real{0, 0, 0, 0}, dual{0, 0, 0, 0};
  Affine stretch{{}, {}, {}, {}};
  const auto add = [](Quat& sum, const Quat& q, float w) {
    sum = {sum.x + q.x * w, sum.y + q.y * w, sum.z + q.z * w, sum.w + q.w * w};
  };
  for (std::size_t k = 0; k < count && weights[k] > 0; ++k) {
    const DualQuat& motion = motions[joints[k]];
    const float weight = dot(motions[joints[0]].real, motion.real) < 0 ? -weights[k] : weights[k];
    add(real, motion.real, weight);
    add(dual, motion.dual, weight);
    stretch = plus(stretch, times(stretches[joints[k]], weights[k]));
  }
  const float norm = std::sqrt(dot(real, real));
  if (!(norm > 1e-12F)) return stretch;
  const auto unit = [&](const Quat& q) { return Quat{q.x / norm, q.y / norm, q.z / norm, q.w / norm}; };
  Affine rigid = to_affine(unit(real));
  const Quat shift = unit(dual) * conjugate(unit(real));
  rigid.t = {2 * shift.x, 2 * shift.y, 2 * shift.z};
  return rigid * stretch;
}

float mean_scale(const Affine& m) { return (length(m.x) + length(m.y) + length(m.z)) / 3; }

// Directions on the unit ball, y along the limb: rings from the start's pole to its equator, then on to the end's pole.
SoftwareMesh unit_cone() {
  Mesh mesh;
  const int rings = 2 * (kRings + 1);
  for (int ring = 0; ring < rings; ++ring) {
    const bool end = ring > kRings;
    const float share = static_cast<float>(end ? ring - kRings - 1 : ring) / static_cast<float>(kRings);
    const float elevation = std::numbers::pi_v<float> * 0.5F * (end ? share : share - 1);
    for (int k = 0; k < kAround; ++k) {
      const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / static_cast<float>(kAround);
      mesh.positions.push_back({std::cos(angle), elevation, std::sin(angle)});
    }
  }
  for (int ring = 0; ring + 1 < rings; ++ring) {
    for (int k = 0; k < kAround; ++k) {
      const int next = (k + 1) % kAround, a = ring * kAround + k, b = ring * kAround + next;
      for (const int index : {a, a + kAround, b, b, a + kAround, b + kAround})
        mesh.indices.push_back(static_cast<std::uint32_t>(index));
    }
  }
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), -1});
  return {.mesh = std::move(mesh), .materials = {MaterialHandle{}}};
}

SoftwareMesh terrain_mesh(const Ground& ground) {
  HeightGrid sampled;
  const HeightGrid& grid = heights_to_draw(ground, sampled);
  Mesh mesh;
  const auto height = [&](int x, int z) {
    x = std::clamp(x, 0, grid.num_x - 1);
    z = std::clamp(z, 0, grid.num_z - 1);
    return grid
        .heights_m[static_cast<std::size_t>(z) * static_cast<std::size_t>(grid.num_x) + static_cast<std::size_t>(x)];
  };
  for (int z = 0; z < grid.num_z; ++z) {
    for (int x = 0; x < grid.num_x; ++x) {
      mesh.positions.push_back({grid.origin_x_m + grid.cell_m * static_cast<float>(x), height(x, z),
                                grid.origin_z_m + grid.cell_m * static_cast<float>(z)});
      mesh.normals.push_back(normalized(
          Vec3{height(x - 1, z) - height(x + 1, z), 2 * grid.cell_m, height(x, z - 1) - height(x, z + 1)}, {0, 1, 0}));
    }
  }
  for (int z = 0; z + 1 < grid.num_z; ++z) {
    for (int x = 0; x + 1 < grid.num_x; ++x) {
      const auto a = static_cast<std::uint32_t>(z * grid.num_x + x), below = a + static_cast<std::uint32_t>(grid.num_x);
      for (const std::uint32_t index : {a, below, a + 1, a + 1, below, below + 1}) mesh.indices.push_back(index);
    }
  }
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), -1});
  return {.mesh = std::move(mesh), .materials = {MaterialHandle{}}};
}

}  // namespace

void WorldBodies::build(const RenderFrame& frame, const SceneStore& store) {
  bodies.clear();
  positions.clear();
  normals.clear();
  rest.clear();
  casters = {};
  num_ghosts_ = ghost_body_ = 0;
  if (draws_as_heights(frame.ground)) add_ground(frame.ground);
  for (const Instance& instance : frame.instances) add_instance(instance, store);
  if (!frame.cones.empty() && cone_.mesh.positions.empty()) cone_ = unit_cone();
  for (const RoundCone& cone : frame.cones) add_cone(cone);
}

void WorldBodies::finish(WorldBody body, std::size_t end) {
  for (std::size_t v = body.first_vertex; v < end; ++v) body.bounds.add(positions[v]);
  body.casts_shadow &= body.ghost == 0 && !body.ground;
  if (body.casts_shadow) casters.add(body.bounds);
  bodies.push_back(body);
}

void WorldBodies::add_instance(const Instance& instance, const SceneStore& store) {
  const SoftwareMesh& source = store.meshes.get(instance.mesh);
  const Mesh& mesh = source.mesh;
  ZOE_CHECK(instance.palette.empty() || instance.palette.size() >= source.num_palette_joints,
            "the palette is shorter than the mesh's joints");
  ZOE_CHECK(instance.morph_weights.empty() || instance.morph_weights.size() == mesh.morph_targets.size(),
            "one morph weight a target");
  WorldBody body{.mesh = &source, .first_vertex = positions.size(), .tint = instance.tint, .id = instance.id};
  body.casts_shadow = instance.casts_shadow;
  body.metres_per_rest = mean_scale(instance.world_from_model);
  if (instance.tint.w < 0.999F) {
    if (instance.body == 0 || instance.body != ghost_body_) ++num_ghosts_;
    ghost_body_ = instance.body;
    body.ghost = num_ghosts_;
  }
  std::span<const Vec3> from = mesh.positions, from_normals = mesh.normals;
  if (!instance.morph_weights.empty()) {
    morphed_.assign(from.begin(), from.end());
    morphed_normals_.assign(from_normals.begin(), from_normals.end());
    for (std::size_t t = 0; t < instance.morph_weights.size(); ++t) {
      const MorphTarget& target = mesh.morph_targets[t];
      const float weight = instance.morph_weights[t];
      for (std::size_t i = 0; weight != 0 && i < target.position_deltas.size(); ++i) {
        const std::size_t vertex = target.vertices.empty() ? i : target.vertices[i];
        morphed_[vertex] += target.position_deltas[i] * weight;
        if (!target.normal_deltas.empty()) morphed_normals_[vertex] += target.normal_deltas[i] * weight;
      }
    }
    from = morphed_;
    from_normals = morphed_normals_;
  }
  const std::size_t count = mesh.num_vertices(), end = positions.size() + count;
  positions.resize(end);
  normals.resize(end);
  rest.insert(rest.end(), mesh.positions.begin(), mesh.positions.end());
  const auto per_vertex = static_cast<std::size_t>(mesh.influences_per_vertex);
  const bool skinned = !instance.palette.empty() && per_vertex > 0;
  const bool dual = skinned && instance.skinning == Skinning::kDualQuaternion;
  if (skinned) body.metres_per_rest *= mean_scale(instance.palette[0]);
  if (dual) {
    dual_quats_.resize(instance.palette.size());
    stretches_.resize(instance.palette.size());
    DualQuatPaletteJob{.palettes = instance.palette, .dual_quats = dual_quats_, .stretches = stretches_}.run();
  }
  for (std::size_t v = 0; v < count; ++v) {
    Affine moved = instance.world_from_model;
    if (skinned) {
      const std::uint16_t* joints = &mesh.influence_joints[v * per_vertex];
      const float* weights = &mesh.influence_weights[v * per_vertex];
      const float linear = !dual ? 1.0F : mesh.linear_shares.empty() ? 0.0F : mesh.linear_shares[v];
      Affine blended{{}, {}, {}, {}};
      if (linear > 0) {
        blended = times(instance.palette[joints[0]], weights[0]);
        for (std::size_t k = 1; k < per_vertex && weights[k] > 0; ++k)  // Heaviest first: the rest are zeros.
          blended = plus(blended, times(instance.palette[joints[k]], weights[k]));
      }
      if (linear < 1) {
        const Affine twisted = blend_dual(dual_quats_, stretches_, joints, weights, per_vertex);
        blended = plus(times(blended, linear), times(twisted, 1 - linear));
      }
      moved = moved * blended;
    }
    positions[body.first_vertex + v] = moved.apply_point(from[v]);
    normals[body.first_vertex + v] = turned_normal(moved, from_normals[v]);
  }
  finish(body, end);
}

void WorldBodies::add_cone(const RoundCone& cone) {
  WorldBody body{.mesh = &cone_, .first_vertex = positions.size(), .tint = cone.color, .id = cone.id};
  if (cone.color.w < 0.999F) {
    // All see-through cones are one ghost, as their limbs overlap.
    if (ghost_body_ != ~0U) ++num_ghosts_;
    ghost_body_ = ~0U;
    body.ghost = num_ghosts_;
  }
  const Vec3 axis = cone.end_m - cone.start_m;
  const float size = length(axis);
  const Vec3 y = size > 1e-6F ? axis / size : Vec3{0, 1, 0};
  const Vec3 x = normalized(std::abs(y.x) < 0.9F ? cross(y, Vec3{1, 0, 0}) : cross(y, Vec3{0, 0, 1}));
  const Vec3 z = cross(x, y);
  // The side touches both balls: its normal tilts towards the thinner end.
  const float lean = size > 1e-6F ? std::clamp((cone.start_radius_m - cone.end_radius_m) / size, -0.95F, 0.95F) : 0.0F;
  const float tilt = std::asin(lean), quarter = std::numbers::pi_v<float> * 0.5F;
  const std::size_t half = cone_.mesh.positions.size() / 2;
  for (std::size_t v = 0; v < cone_.mesh.positions.size(); ++v) {
    const Vec3 around = cone_.mesh.positions[v];
    const bool end = v >= half;
    const float share = around.y / quarter;
    const float elevation = end ? tilt + (quarter - tilt) * share : tilt + (quarter + tilt) * share;
    const float flat = std::cos(elevation), up = std::sin(elevation);
    const Vec3 normal = x * (around.x * flat) + y * up + z * (around.z * flat);
    const float radius = end ? cone.end_radius_m : cone.start_radius_m;
    positions.push_back((end ? cone.end_m : cone.start_m) + normal * radius);
    normals.push_back(normal);
    rest.push_back({around.x * flat * radius, up * radius + (end ? size : 0.0F), around.z * flat * radius});
  }
  finish(body, positions.size());
}

void WorldBodies::add_ground(const GroundPtr& ground) {
  if (terrain_of_ != ground) {
    terrain_ = terrain_mesh(*ground);
    terrain_of_ = ground;
  }
  WorldBody body{.mesh = &terrain_, .first_vertex = positions.size()};
  body.ground = true;
  positions.insert(positions.end(), terrain_.mesh.positions.begin(), terrain_.mesh.positions.end());
  normals.insert(normals.end(), terrain_.mesh.normals.begin(), terrain_.mesh.normals.end());
  rest.insert(rest.end(), terrain_.mesh.positions.begin(), terrain_.mesh.positions.end());
  finish(body, positions.size());
}

}  // namespace zoe::render
