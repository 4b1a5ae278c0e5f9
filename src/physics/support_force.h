// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joint torques that make the ground push the body as a target motion requires.
#pragma once

#include "physics/engine.h"

namespace zoe::physics {

// What the ground should exert on the whole body, about its centre of mass, world space.
struct SupportGoal {
  Vec3d force_n, torque_nm;
};

// Distributes the goal over the contacts with the floor (least squares, no pulling, within the friction cone), and adds
// the joint torques -Jᵀf that produce these forces to qfrc_applied. The root's six entries stay as they are. jacobian:
// [3 × nv] scratch. Nothing happens without contacts.
void add_support_torques(const mjModel& model, mjData& data, const SupportGoal& goal, std::span<mjtNum> jacobian);

}  // namespace zoe::physics
