// SPDX-License-Identifier: MIT
// Part of Zoetrope. Velocities that hit nobody, after "Reciprocal n-body collision avoidance" (van
// den Berg, Guy, Lin, Manocha, 2011): each neighbour rules out half of all velocities, and a small
// linear program finds the allowed one nearest to the wish. Over the ground: y is zero everywhere.
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
  float horizon_s = 3;      // Nobody is hit within this time.
  float separate_s = 0.5F;  // In which discs that overlap come apart.
};

// What `me` may choose so that it and `other` do not meet within the horizon, when `me` makes
// `share` of the change that both need: one half where both avoid each other, 1 where only it does.
HalfPlane allowed_beside(const MovingDisc& me, const MovingDisc& other, float share, const AvoidTimes& times = {});

struct ChosenVelocity {
  Vec3 velocity_mps;
  bool allowed = true;  // By all half-planes; else the one that is least far outside of any.
};
// The velocity nearest to `wanted` within all half-planes and the circle of max_speed_mps. Where
// there is none: the one whose worst depth is best, to 2 mm/s. Never allocates; any number of
// half-planes.
ChosenVelocity nearest_allowed(std::span<const HalfPlane> planes, Vec3 wanted_mps, float max_speed_mps) noexcept;

}  // namespace zoe::control
