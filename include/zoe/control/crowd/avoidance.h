// SPDX-License-Identifier: MIT
// Part of Zoetrope. Characters that give way to each other: wishes in, velocities that hit nobody
// out, for a whole crowd at once.
#pragma once

#include "zoe/control/crowd/half_planes.h"
#include "zoe/control/crowd/neighbour_grid.h"
#include "zoe/core/executor.h"

namespace zoe::control {

struct AvoidanceOptions {
  AvoidTimes times;
  float range_m = 6;             // Others farther away do not matter.
  int max_neighbours = 10;       // The nearest; at most 32.
  float margin_m = 0.2F;         // Added to each radius: bodies sway, and answer late.
  float keep_right_rad = 0.15F;  // Wishes turn so much to the right where somebody is near.
};

// One character as the others see it. World space; velocities over the ground.
struct Pedestrian {
  MovingDisc disc;
  Vec3 wanted_mps;
  float max_speed_mps = 2;
  bool yields = true;  // Not: keeps its wish, and the others make all of the way.
};

class Avoidance {
 public:
  // Allocates for so many; nothing below does.
  explicit Avoidance(std::size_t max_pedestrians, const AvoidanceOptions& options = {});

  // velocities: [pedestrians]. The same whatever the number of threads and the order of pedestrians
  // (but for two at exactly the same place, where the later one goes aside).
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
