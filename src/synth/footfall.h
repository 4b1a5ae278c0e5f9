// SPDX-License-Identifier: MIT
// Part of Zoetrope. Times and positions of foot contacts, and the swings between them.
#pragma once

#include <span>
#include <vector>

#include "synth/stance.h"
#include "synth/track.h"

namespace zoe::synth {

struct Footfalls {
  std::vector<std::vector<Stance>> stances;     // [legs]
  std::vector<std::vector<float>> clearance_m;  // [legs][stances - 1] of the swing after each stance.
};

// Neutral positions of legs with the centre at the origin facing +z: from the rest pose and the style.
struct Stances {
  std::vector<Vec3> neutral;  // [legs] of distal.back(), on the plane y = 0.
};
Stances neutral_stances(const Body& body, const StyleNumbers& style);
// The middle of the body over the ground at rest: below its centre of mass.
Vec3 rest_centre(const Body& body);

struct Actions;
Footfalls plan_footfalls(const Body& body, const Track& track, const TrackRequest& request, const Terrain& terrain,
                         const Actions& actions);

FootPose foot_at(const Body& body, const Footfalls& falls, std::size_t leg, double time_s);
// Height of the ground under a leg: of its stances, linear between them.
float ground_under(const Footfalls& falls, std::size_t leg, double time_s);

}  // namespace zoe::synth
