// SPDX-License-Identifier: MIT
// Part of Zoetrope. Collision avoidance of a crowd: desired velocities in, collision-free velocities out, for all
// characters at once.
#pragma once

#include "zoe/control/crowd/half_planes.h"
#include "zoe/control/crowd/neighbour_grid.h"
#include "zoe/core/executor.h"

namespace zoe::control {

struct AvoidanceOptions {
  AvoidTimes times;
  float range_m = 6;             // Neighbours farther away are ignored.
  int max_neighbours = 10;       // The nearest ones; at most 32.
  float margin_m = 0.2F;         // Added to each radius, because bodies sway and respond late.
  float keep_right_rad = 0.15F;  // Desired velocities turn to the right by this angle near neighbours.
};

// One character as seen by its neighbours. World space; velocities over the ground.
struct Pedestrian {
  MovingDisc disc;
  Vec3 wanted_mps;
  float max_speed_mps = 2;
  bool yields = true;  // False: keeps its desired velocity, and its neighbours take the whole evasion.
};

class Avoidance {
 public:
  // Allocates for max_pedestrians. Nothing below allocates.
  explicit Avoidance(std::size_t max_pedestrians, const AvoidanceOptions& options = {});

  // velocities: [pedestrians]. The result depends neither on the number of threads nor on the order of pedestrians.
  // Exception: of two at exactly the same position, the later one evades.
  void run(std::span<const Pedestrian> pedestrians, std::span<Vec3> velocities, Executor& pool) noexcept;

 private:
  Vec3 choose(std::span<const Pedestrian> pedestrians, std::size_t index) const noexcept;

  AvoidanceOptions options_;
  NeighbourGrid grid_;
  std::vector<Vec3> places_;
};

// Pairs of discs that overlap.
struct Overlaps {
  int pairs = 0;
  float deepest_m = 0;
};
Overlaps find_overlaps(std::span<const MovingDisc> discs, NeighbourGrid& grid, std::span<Vec3> places_scratch) noexcept;

}  // namespace zoe::control
