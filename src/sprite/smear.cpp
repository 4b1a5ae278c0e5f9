// SPDX-License-Identifier: MIT
#include "sprite/smear.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "zoe/core/random.h"
#include "zoe/math/smooth_step.h"

namespace zoe::sprite {
namespace {

constexpr float kSharp = 0.16F, kSmeared = 0.42F;  // Heights in the window: no smear, the longest.
constexpr float kReach = 0.85F;                    // Part of the path at full strength.
constexpr float kUneven = 0.4F;                    // How much strokes differ in length.

}  // namespace

std::vector<std::uint32_t> weld(const render::SoftwareModel& model) {
  render::PosedVertices rest;
  render::pose_vertices(model, model.character().skeleton->rest_model(), {}, rest);
  std::map<std::tuple<float, float, float>, std::uint32_t> first;
  std::vector<std::uint32_t> welded;
  welded.reserve(rest.positions.size());
  for (const Vec3 p : rest.positions) {
    const auto index = static_cast<std::uint32_t>(welded.size());
    welded.push_back(first.try_emplace({p.x, p.y, p.z}, index).first->second);
  }
  return welded;
}

std::size_t smear(const render::SoftwareModel& model, const std::vector<std::uint32_t>& welded,
                  const render::PosedVertices& half, const render::PosedVertices& old, float height, float amount,
                  render::PosedVertices& now) {
  const std::size_t count = now.positions.size();
  std::vector<Vec3> normals(count), moved(count);
  // Of the triangles, because some meshes have no normals.
  for (const render::SoftwareModel::Triangle& t : model.triangles()) {
    const Vec3 a = now.positions[t.vertices[0]], b = now.positions[t.vertices[1]], c = now.positions[t.vertices[2]];
    for (const std::uint32_t v : t.vertices) normals[welded[v]] += cross(b - a, c - a);
  }
  std::size_t num_moved = 0;
  for (std::size_t i = 0; i < count; ++i) {
    moved[i] = now.positions[i];
    if (welded[i] != i) {
      moved[i] = moved[welded[i]];
      continue;
    }
    const Vec3 p0 = now.positions[i], p1 = half.positions[i], p2 = old.positions[i];
    const Vec3 back = p2 - p0;
    const float distance = length(back) / height;
    if (!(distance > kSharp)) continue;
    const float looks_back = dot(normalized(normals[i]), back / (distance * height));
    const float strength = smooth_step((distance - kSharp) / (kSmeared - kSharp)) * smooth_step(looks_back * 1.6F);
    if (!(strength > 0)) continue;
    const float stroke = 1 - kUneven * Random(i).uniform();
    // On the parabola through the three positions.
    const float s = std::min(1.0F, amount * kReach * strength * stroke);
    moved[i] = p0 * ((1 - s) * (1 - 2 * s)) + p1 * (4 * s * (1 - s)) + p2 * (s * (2 * s - 1));
    ++num_moved;
  }
  now.positions = std::move(moved);
  return num_moved;
}

}  // namespace zoe::sprite
