// SPDX-License-Identifier: MIT
// Part of Zoetrope. The mesh of a body: hull of its flesh, plates (feathers, membranes, fins), eyes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "synth/flesh.h"

namespace zoe::synth {
namespace {

void add_influence(Mesh& mesh, int joint_a, int joint_b, float share_b) {
  if (share_b > 0.5F) std::swap(joint_a, joint_b), share_b = 1 - share_b;
  if (joint_b == kNoJoint) joint_b = joint_a, share_b = 0;
  mesh.influence_joints.insert(mesh.influence_joints.end(), {static_cast<std::uint16_t>(joint_a), static_cast<std::uint16_t>(share_b > 0 ? joint_b : 0), 0, 0});
  mesh.influence_weights.insert(mesh.influence_weights.end(), {1 - share_b, share_b, 0, 0});
}

Vec4 coat_color(const Plan& plan, Vec3 p, Vec3 normal, float period) {
  const float belly = std::clamp(0.5F - 1.2F * (normal.y + 0.35F), 0.0F, 1.0F);
  const float along = plan.body.family == BodyFamily::kBiped ? p.y : p.z;
  const float band = std::clamp(3 * std::sin(2 * std::numbers::pi_v<float> * along / period), 0.0F, 1.0F) * plan.stripes;
  const auto mix = [&](float back, float pale) { return (back + (pale - back) * belly) * (1 - 0.6F * band * (1 - belly)); };
  return {mix(plan.color.x, plan.belly_color.x), mix(plan.color.y, plan.belly_color.y), mix(plan.color.z, plan.belly_color.z), 1};
}

void add_flesh(const Plan& plan, Mesh& mesh) {
  const float cell = cell_for(plan.blobs, 3200);
  Surface surface = extract_surface(plan.blobs, cell);
  FleshField field(plan.blobs);
  float size = 0;
  for (Vec3& p : surface.positions) {
    field.gather(p);
    mesh.normals.push_back(field.project(p, 0.35F * cell));
    size = std::max(size, length(p));
  }
  for (std::size_t i = 0; i < surface.positions.size(); ++i) mesh.colors.push_back(coat_color(plan, surface.positions[i], mesh.normals[i], 0.13F * size));
  Influences influences = skin_surface(plan, surface);
  mesh.positions = std::move(surface.positions);
  mesh.indices = std::move(surface.indices);
  mesh.influence_joints = std::move(influences.joints);
  mesh.influence_weights = std::move(influences.weights);
}

void add_plate(const Plate& plate, Mesh& mesh) {
  const int rows = plate.num_rows, columns = plate.num_columns;
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const auto count = static_cast<std::uint32_t>(rows * columns);
  const auto point = [&](int r, int c) -> const Plate::Point& { return plate.points[static_cast<std::size_t>(std::clamp(r, 0, rows - 1) * columns + std::clamp(c, 0, columns - 1))]; };
  for (const float side : {1.0F, -1.0F}) {
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const Plate::Point& p = point(r, c);
        const Vec3 normal = normalized(cross(point(r + 1, c).position - point(r - 1, c).position, point(r, c + 1).position - point(r, c - 1).position), Vec3{0, 1, 0});
        mesh.positions.push_back(p.position + normal * (0.5F * side * p.thickness_m));
        mesh.normals.push_back(normal * side);
        mesh.colors.push_back(plate.color);
        add_influence(mesh, p.joint_a, p.joint_b, p.share_b);
      }
    }
  }
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) { mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d}); };
  const auto id = [&](int r, int c, bool under) { return first + (under ? count : 0) + static_cast<std::uint32_t>(r * columns + c); };
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) {
      quad(id(r, c, false), id(r + 1, c, false), id(r + 1, c + 1, false), id(r, c + 1, false));
      quad(id(r, c, true), id(r, c + 1, true), id(r + 1, c + 1, true), id(r + 1, c, true));
    }
  }
  // The rim, once around.
  const auto wall = [&](int r0, int c0, int r1, int c1) { quad(id(r0, c0, false), id(r1, c1, false), id(r1, c1, true), id(r0, c0, true)); };
  for (int c = 0; c + 1 < columns; ++c) wall(0, c, 0, c + 1), wall(rows - 1, c + 1, rows - 1, c);
  for (int r = 0; r + 1 < rows; ++r) wall(r, columns - 1, r + 1, columns - 1), wall(r + 1, 0, r, 0);
}

void add_ball(const Ball& ball, Mesh& mesh) {
  constexpr int kRings = 6, kSectors = 8;
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const auto add = [&](Vec3 direction) {
    mesh.positions.push_back(ball.centre + direction * ball.radius_m);
    mesh.normals.push_back(direction);
    mesh.colors.push_back(ball.color);
    add_influence(mesh, ball.joint, kNoJoint, 0);
  };
  add({0, 1, 0});
  for (int r = 1; r < kRings; ++r) {
    const float tilt = std::numbers::pi_v<float> * static_cast<float>(r) / kRings;
    for (int s = 0; s < kSectors; ++s) {
      const float turn = 2 * std::numbers::pi_v<float> * static_cast<float>(s) / kSectors;
      add({std::sin(tilt) * std::sin(turn), std::cos(tilt), std::sin(tilt) * std::cos(turn)});
    }
  }
  add({0, -1, 0});
  const auto ring = [&](int r, int s) { return first + 1 + static_cast<std::uint32_t>((r - 1) * kSectors + s % kSectors); };
  const std::uint32_t last = first + 1 + (kRings - 1) * kSectors;
  for (int s = 0; s < kSectors; ++s) {
    mesh.indices.insert(mesh.indices.end(), {first, ring(1, s), ring(1, s + 1)});
    for (int r = 1; r + 1 < kRings; ++r) mesh.indices.insert(mesh.indices.end(), {ring(r, s), ring(r + 1, s), ring(r + 1, s + 1), ring(r, s), ring(r + 1, s + 1), ring(r, s + 1)});
    mesh.indices.insert(mesh.indices.end(), {ring(kRings - 1, s), last, ring(kRings - 1, s + 1)});
  }
}

}  // namespace

Mesh make_mesh(const Plan& plan) {
  Mesh mesh;
  mesh.name = "body";
  mesh.influences_per_vertex = 4;
  add_flesh(plan, mesh);
  for (const Plate& plate : plan.plates) add_plate(plate, mesh);
  for (const Ball& ball : plan.balls) add_ball(ball, mesh);
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), 0});
  return mesh;
}

}  // namespace zoe::synth
