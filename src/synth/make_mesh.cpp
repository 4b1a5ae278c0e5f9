// SPDX-License-Identifier: MIT
// Part of Zoetrope. The mesh of a body: hulls of its flesh, plates (feathers, membranes, fins), eyes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "synth/flesh.h"
#include "synth/palette.h"

namespace zoe::synth {
namespace {

Vec4 coat_color(const Layer& layer, bool upright, Vec3 p, Vec3 normal, float period) {
  // People wear their colours; coats of animals are darker above and paler below.
  const float belly = upright ? 0.0F : std::clamp(0.5F - 1.2F * (normal.y + 0.35F), 0.0F, 1.0F);
  const float above = upright ? 1.0F : 1 - 0.22F * std::clamp(1.4F * normal.y - 0.4F, 0.0F, 1.0F);
  const float along = upright ? p.y : p.z;
  const float band =
      std::clamp(3 * std::sin(2 * std::numbers::pi_v<float> * along / period), 0.0F, 1.0F) * layer.stripes;
  return shaded(mixed(shaded(layer.color, above), layer.belly_color, belly), 1 - 0.6F * band * (1 - belly));
}

void add_hull(const Plan& plan, int number, float size, Mesh& mesh) {
  std::vector<Blob> blobs;
  for (const Blob& blob : plan.blobs) {
    if (blob.layer == number) blobs.push_back(blob);
  }
  if (blobs.empty()) return;
  const Layer& layer = plan.layers[static_cast<std::size_t>(number)];
  const float cell = layer.cell_m > 0 ? layer.cell_m : cell_for(plan.blobs, 2600);
  Surface surface = extract_surface(blobs, cell);
  FleshField field(blobs);
  const bool upright = plan.body.family == BodyFamily::kBiped;
  for (Vec3& p : surface.positions) {
    field.gather(p);
    mesh.normals.push_back(field.project(p, 0.35F * cell));
    mesh.colors.push_back(coat_color(layer, upright, p, mesh.normals.back(), (upright ? 0.05F : 0.13F) * size));
  }
  const Influences influences = skin_surface(plan, surface);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), surface.positions.begin(), surface.positions.end());
  for (const std::uint32_t index : surface.indices) mesh.indices.push_back(first + index);
  mesh.influence_joints.insert(mesh.influence_joints.end(), influences.joints.begin(), influences.joints.end());
  mesh.influence_weights.insert(mesh.influence_weights.end(), influences.weights.begin(), influences.weights.end());
}

// The largest distance of flesh from the origin.
float size_of(const Plan& plan) {
  float size = 0;
  for (const Blob& blob : plan.blobs)
    size = std::max({size, length(blob.a) + blob.radius_a, length(blob.b) + blob.radius_b});
  return size;
}

}  // namespace

Mesh make_mesh(const Plan& plan) {
  Mesh mesh;
  mesh.name = "body";
  mesh.influences_per_vertex = 4;
  const float size = size_of(plan);
  for (int layer = 0; layer < static_cast<int>(plan.layers.size()); ++layer) add_hull(plan, layer, size, mesh);
  for (const Plate& plate : plan.plates) add_plate(plate, mesh);
  for (const Tube& tube : plan.tubes) add_tube(tube, mesh);
  for (const Ball& ball : plan.balls) add_ball(ball, mesh);
  mesh.submeshes.push_back({0, static_cast<std::uint32_t>(mesh.indices.size()), 0});
  return mesh;
}

}  // namespace zoe::synth
