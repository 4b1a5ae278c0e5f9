// SPDX-License-Identifier: MIT
// Part of Zoetrope. Contacts of a generated gait from its steps, where the network's own contacts are poor: a foot that
// goes backwards under the body, low, carries it, whether or not it slides. And the travel that such feet ask for.
#pragma once

#include "zoe/anatomy/analysis.h"
#include "zoe/motion/contacts.h"
#include "zoe/motion/root.h"

namespace zoe::generate {

struct StepContacts {
  int num_stepping = 0;               // Legs that make steps; none where half of them or fewer do.
  std::vector<std::uint8_t> is_step;  // [legs] 1: makes steps.
  Contacts contacts;                  // One column per leg, in the order of SkeletonAnalysis::feet.
  // Where the feet go while they are high, in the axes of the body's facing, horizontal: the direction of the gait
  // whatever the body's travel. Its length, 0 to 1, is how clearly they say so.
  Vec3 swing_direction{};
  // [frames] Horizontal velocity of the body over ground on which the stepping feet stand still, m/s; model axes.
  std::vector<Vec3> velocities;
};

// feet: [legs] the joints that are planted. roots: of the motion. leg_length_m > 0.
StepContacts find_step_contacts(const Motion& motion, std::span<const int> feet, const RootTrajectory& roots,
                                float leg_length_m);

// How far a joint goes to and fro under the body, and how much it trembles, metres; sums over joints.
struct PathSwing {
  double swing_m = 0, noise_m = 0;
};
void add_swing(const Motion& motion, int joint, const RootTrajectory& roots, PathSwing& sum);

// [frames] The same of bodies that make no steps: over ground on which feet stand still that are low. Empty: none is.
std::vector<Vec3> standing_velocities(const Motion& motion, std::span<const int> feet, const RootTrajectory& roots,
                                      float leg_length_m);

// Mean velocity of the body in the axes of its facing, horizontal, m/s.
Vec3 own_velocity(const RootTrajectory& roots);

// The motion with every frame moved by its shift, metres, model axes. shifts: [frames].
Motion with_shifts(const Motion& motion, std::span<const Vec3> shifts);

// The motion with every frame moved over the ground, so that the body travels with the given velocities.
Motion with_travel(const Motion& motion, const RootTrajectory& roots, std::span<const Vec3> velocities);

}  // namespace zoe::generate
