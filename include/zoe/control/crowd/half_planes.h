// SPDX-License-Identifier: MIT
// Part of Zoetrope. Collision-free velocities after "Reciprocal n-body collision avoidance" (van den Berg, Guy, Lin,
// Manocha, 2011). Each neighbour excludes a half-plane of velocities. A small linear program finds the allowed velocity
// nearest to the desired one. On the ground: y is zero everywhere.
#pragma once

#include <span>

#include "zoe/math/vec.h"

namespace zoe::control {

// The velocities v with dot(v - point, normal) >= 0.
struct HalfPlane {
  Vec3 point, normal;  // m/s; normal is unit.

  float depth(Vec3 velocity) const { return dot(velocity - point, normal); }  // Below 0: outside.
};

// A disc that moves over the ground.
struct MovingDisc {
  Vec3 position, velocity_mps;
  float radius_m = 0.3F;
};

struct AvoidTimes {
  float horizon_s = 3;      // No collision within this time.
  float separate_s = 0.5F;  // Time in which overlapping discs separate.
};

// The velocities of `me` that avoid a collision with `other` within the horizon. `me` takes the fraction `share` of the
// change that both need: one half where both avoid each other, 1 where only `me` does.
HalfPlane allowed_beside(const MovingDisc& me, const MovingDisc& other, float share, const AvoidTimes& times = {});

struct ChosenVelocity {
  Vec3 velocity_mps;
  bool allowed = true;  // By all half-planes. False: the velocity with the least violation.
};
// The velocity nearest to `wanted` within all half-planes and the circle of max_speed_mps. Where there is none: the
// velocity whose worst violation is least, to 2 mm/s. Never allocates. Any number of half-planes.
ChosenVelocity nearest_allowed(std::span<const HalfPlane> planes, Vec3 wanted_mps, float max_speed_mps) noexcept;

}  // namespace zoe::control
