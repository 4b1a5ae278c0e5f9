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
  // [frames] Horizontal velocity of the body over ground on which the stepping feet stand still, m/s; model axes.
  std::vector<Vec3> velocities;
};

// feet: [legs] the joints that are planted. roots: of the motion. leg_length_m > 0.
StepContacts find_step_contacts(const Motion& motion, std::span<const int> feet, const RootTrajectory& roots,
                                float leg_length_m);

// The motion with every frame moved over the ground, so that the body travels with the given velocities.
Motion with_travel(const Motion& motion, const RootTrajectory& roots, std::span<const Vec3> velocities);

}  // namespace zoe::generate
