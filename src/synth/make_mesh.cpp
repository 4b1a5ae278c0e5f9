// SPDX-License-Identifier: MIT
// Part of Zoetrope. The mesh of a body: hull of its flesh, plates (feathers, membranes, fins), eyes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "synth/flesh.h"

namespace zoe::synth {
namespace {

Vec4 coat_color(const Plan& plan, Vec3 p, Vec3 normal, float period) {
  const float belly = std::clamp(0.5F - 1.2F * (normal.y + 0.35F), 0.0F, 1.0F);
  const float along = plan.body.family == BodyFamily::kBiped ? p.y : p.z;
  const float band =
      std::clamp(3 * std::sin(2 * std::numbers::pi_v<float> * along / period), 0.0F, 1.0F) * plan.stripes;
  const auto mix = [&](float back, float pale) {
    return (back + (pale - back) * belly) * (1 - 0.6F * band * (1 - belly));
  };
  return {mix(plan.color.x, plan.belly_color.x), mix(plan.color.y, plan.belly_color.y),
          mix(plan.color.z, plan.belly_color.z), 1};
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
  for (std::size_t i = 0; i < surface.positions.size(); ++i)
    mesh.colors.push_back(coat_color(plan, surface.positions[i], mesh.normals[i], 0.13F * size));
  Influences influences = skin_surface(plan, surface);
  mesh.positions = std::move(surface.positions);
  mesh.indices = std::move(surface.indices);
  mesh.influence_joints = std::move(influences.joints);
  mesh.influence_weights = std::move(influences.weights);
}

}  // namespace

Mesh make_mesh(const Plan& plan) {
  Mesh mesh;
  mesh.name = "body";
  mesh.influences_per_vertex = 4;
  add_flesh(plan, mesh);
  for (const Plate& plate : plan.plates) add_plate(plate, mesh);
  for (const Tube& tube : plan.tubes) add_tube(tube, mesh);
  for (const Ball& ball : plan.balls) add_ball(ball, mesh);
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), 0});
  return mesh;
}

}  // namespace zoe::synth
