// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a character perceives of props and of its goal, as numbers for a network (Starke et al.,
// 2019). Sensors are made once and shared. Sensing never allocates.
//
//   const CylinderSensor around({});
//   around.sense(props, root, values);   // [around.size()]
#pragma once

#include <array>
#include <span>
#include <vector>

#include "zoe/ground/prop.h"
#include "zoe/motion/root.h"

namespace zoe::control {

// The environment: points on rings around the root, at several heights.
struct CylinderOptions {
  float radius_m = 2;
  float height_m = 1.8F;
  int num_rings = 5;   // The innermost is the axis. Ring k has round(2 pi k) points.
  int num_layers = 4;  // From the floor up.
};

class CylinderSensor {
 public:
  explicit CylinderSensor(const CylinderOptions& options);

  std::size_t size() const { return points_.size(); }
  std::span<const Vec3> points() const { return points_; }  // In the root's space.
  float reach_m() const { return reach_m_; }
  // out: [size()] 1 in a prop, falling to 0 at reach_m() from the nearest surface.
  void sense(std::span<const Prop> props, const PlanarRoot& root, std::span<float> out) const noexcept;

 private:
  std::vector<Vec3> points_;
  float reach_m_ = 0, radius_m_ = 0;
};

// The prop that is used: points of a cuboid around it. Each has its position in the root's space, and how much of the
// prop is there.
class CuboidSensor {
 public:
  static constexpr int kValues = 4;  // x, y, z, occupancy.
  explicit CuboidSensor(int points_per_side = 4);

  std::size_t size() const { return static_cast<std::size_t>(side_ * side_ * side_ * kValues); }
  // out: [size()] Zero for a prop without parts.
  void sense(const Prop& prop, const PlanarRoot& root, std::span<float> out) const noexcept;

 private:
  int side_ = 4;
};

// The goal in both directions: as seen from the root, and the root as seen from it.
struct GoalPlace {
  Vec3 position;  // World.
  float facing_rad = 0;
};
constexpr int kGoalWidth = 10;
struct GoalCode {
  // goal in the root's space: x, z, sin, cos; root in the goal's space: x, z, sin, cos; distance; angle.
  std::array<float, kGoalWidth> values{};
};
GoalCode encode_goal(const PlanarRoot& root, const GoalPlace& goal) noexcept;
// The root out of its position and direction in the goal's space: x, z, sin, cos (of any length but zero).
PlanarRoot root_from_goal(const GoalPlace& goal, std::span<const float, 4> root_in_goal) noexcept;
// How much the prediction in the goal's space counts: 0 beyond far_m, 1 within near_m, smooth between.
float goal_share(float distance_m, float near_m = 0.3F, float far_m = 1.5F) noexcept;
// Between two roots, along the shorter turn.
PlanarRoot blended(const PlanarRoot& a, const PlanarRoot& b, float share_of_b) noexcept;

}  // namespace zoe::control
