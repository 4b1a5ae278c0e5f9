// SPDX-License-Identifier: MIT
// Part of Zoetrope. Joint torques that make the ground push the body as a target motion requires.
#pragma once

#include "physics/engine.h"

namespace zoe::physics {

// What the ground should exert on the whole body, about its centre of mass, world space.
struct SupportGoal {
  Vec3d force_n, torque_nm;
};

// A body of the engine's model: its bones follow each other.
struct SupportedBody {
  int root = 0, num_bones = 0, first_dof = 0;
};

// A force on a body of the engine at a point; arm: from the centre of mass of the whole body.
struct JointForce {
  int body = 0;
  Vec3d arm, force;
};
// Adds the torques Jᵀf of the joints between the body and the root to qfrc_applied. The root's six entries stay.
void add_joint_torques(const mjModel& model, mjData& data, const JointForce& at, int first_dof);

// Distributes the goal over the contacts with what is below (least squares, no pulling, within the friction cone), and
// adds the joint torques -Jᵀf that produce these forces to qfrc_applied. The root's six entries stay as they are.
// Nothing happens without contacts.
void add_support_torques(const mjModel& model, mjData& data, const SupportGoal& goal, const SupportedBody& body);

}  // namespace zoe::physics
