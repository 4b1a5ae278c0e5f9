// SPDX-License-Identifier: MIT
#include "zoe/control/sensors.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "zoe/core/check.h"
#include "zoe/math/portable.h"
#include "zoe/math/smooth_step.h"

namespace zoe::control {
namespace {

constexpr float kFullTurn_rad = 2 * std::numbers::pi_v<float>;

// A direction about +Y: its sine and cosine.
struct Turn {
  float s = 0, c = 1;
  static Turn of(float angle_rad) { return {portable_sin(angle_rad), portable_cos(angle_rad)}; }
  Vec3 apply(Vec3 v) const { return {c * v.x + s * v.z, v.y, c * v.z - s * v.x}; }
  Vec3 back(Vec3 v) const { return {c * v.x - s * v.z, v.y, c * v.z + s * v.x}; }
};

float occupancy(float distance_m, float reach_m) { return std::clamp(1 - distance_m / reach_m, 0.0F, 1.0F); }

}  // namespace

CylinderSensor::CylinderSensor(const CylinderOptions& options) {
  ZOE_CHECK(options.num_rings >= 1 && options.num_layers >= 1 && options.radius_m > 0 && options.height_m > 0,
            "a cylinder sensor has at least one ring and one layer");
  const float ring_gap = options.num_rings > 1 ? options.radius_m / static_cast<float>(options.num_rings - 1)
                                               : options.radius_m,
              layer_gap = options.height_m / static_cast<float>(options.num_layers);
  // Neighbouring balls overlap: nothing fits between them.
  reach_m_ = 0.5F * std::numbers::sqrt2_v<float> * std::max(ring_gap, layer_gap);
  radius_m_ = std::hypot(options.radius_m, options.height_m);
  for (int layer = 0; layer < options.num_layers; ++layer) {
    const float y = (static_cast<float>(layer) + 0.5F) * layer_gap;
    for (int ring = 0; ring < options.num_rings; ++ring) {
      const int count = std::max(1, static_cast<int>(std::lround(kFullTurn_rad * static_cast<float>(ring))));
      for (int k = 0; k < count; ++k) {
        const float angle = kFullTurn_rad * static_cast<float>(k) / static_cast<float>(count);
        const float far = ring_gap * static_cast<float>(ring);
        points_.push_back({far * portable_sin(angle), y, far * portable_cos(angle)});
      }
    }
  }
}

void CylinderSensor::sense(std::span<const Prop> props, const PlanarRoot& root, std::span<float> out) const noexcept {
  ZOE_CHECK(out.size() == size(), "a sensor's output has another size");
  std::fill(out.begin(), out.end(), 0.0F);
  const Turn turn = Turn::of(root.facing_rad);
  for (const Prop& prop : props) {
    const Box3 box = world_bounds_of(prop);
    if (box.empty()) continue;
    const Vec3 middle = box.center();
    const float radius = length(box.half_size()) + reach_m_;
    if (distance(middle, root.position) > radius + radius_m_) continue;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (out[i] >= 1) continue;
      const Vec3 p = root.position + turn.apply(points_[i]);
      if (distance(p, middle) > radius) continue;
      out[i] = std::max(out[i], occupancy(signed_distance(prop, p), reach_m_));
    }
  }
}

CuboidSensor::CuboidSensor(int points_per_side) : side_(points_per_side) {
  ZOE_CHECK(points_per_side >= 2 && points_per_side <= 16, "a cuboid sensor has 2 to 16 points on a side");
}

void CuboidSensor::sense(const Prop& prop, const PlanarRoot& root, std::span<float> out) const noexcept {
  ZOE_CHECK(out.size() == size(), "a sensor's output has another size");
  const Box3 box = bounds_of(prop);
  if (box.empty()) {
    std::fill(out.begin(), out.end(), 0.0F);
    return;
  }
  const Vec3 gap = box.size() / static_cast<float>(side_ - 1);
  const float reach = 0.5F * std::numbers::sqrt2_v<float> * std::max({gap.x, gap.y, gap.z, 0.02F});
  const Turn turn = Turn::of(root.facing_rad);
  std::size_t i = 0;
  for (int y = 0; y < side_; ++y)
    for (int z = 0; z < side_; ++z)
      for (int x = 0; x < side_; ++x) {
        const Vec3 own =
            box.min + Vec3{gap.x * static_cast<float>(x), gap.y * static_cast<float>(y), gap.z * static_cast<float>(z)};
        const Vec3 world = world_from_prop(prop, own), seen = turn.back(world - root.position);
        out[i++] = seen.x, out[i++] = seen.y, out[i++] = seen.z;
        out[i++] = occupancy(signed_distance(prop, world), reach);
      }
}

GoalCode encode_goal(const PlanarRoot& root, const GoalPlace& goal) noexcept {
  const Vec3 to = goal.position - root.position;
  const Vec3 goal_in_root = Turn::of(root.facing_rad).back(to), root_in_goal = Turn::of(goal.facing_rad).back(-to);
  const Turn turn = Turn::of(goal.facing_rad - root.facing_rad);
  const float angle = std::abs(portable_atan2(turn.s, turn.c));
  return {{goal_in_root.x, goal_in_root.z, turn.s, turn.c, root_in_goal.x, root_in_goal.z, -turn.s, turn.c,
           portable_hypot(to.x, to.z), angle}};
}

PlanarRoot root_from_goal(const GoalPlace& goal, std::span<const float, 4> root_in_goal) noexcept {
  const Vec3 offset = Turn::of(goal.facing_rad).apply({root_in_goal[0], 0, root_in_goal[1]});
  return {goal.position + offset, goal.facing_rad + portable_atan2(root_in_goal[2], root_in_goal[3])};
}

float goal_share(float distance_m, float near_m, float far_m) noexcept {
  return 1 - smooth_step((distance_m - near_m) / std::max(far_m - near_m, 1e-6F));
}

PlanarRoot blended(const PlanarRoot& a, const PlanarRoot& b, float share_of_b) noexcept {
  const Turn turn = Turn::of(b.facing_rad - a.facing_rad);
  return {lerp(a.position, b.position, share_of_b), a.facing_rad + share_of_b * portable_atan2(turn.s, turn.c)};
}

}  // namespace zoe::control
