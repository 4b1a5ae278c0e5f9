// SPDX-License-Identifier: MIT
// Part of Zoetrope. The stages of make_alive(), in the order they run.
#pragma once

#include <optional>
#include <string>

#include "zoe/control/gait.h"

#include "author/alive/standing_rig.h"

namespace zoe::author {

using Notes = std::vector<std::string>;

// The joint that carries all legs and the spine.
int find_trunk(const StandingRig& rig);

// A leg of the analysis with what its gait needs to know.
struct PlannedLeg {
  control::GaitLeg leg;
  int row = 0;  // 0 is the foremost pair.
  float hip_m = 0, reach_m = 0;
};
// Legs below the trunk, with soles on the ground. Rows from front to back.
std::vector<PlannedLeg> find_legs(const StandingRig& rig, int trunk, Notes& notes);

// Arms hang beside the body, wings are folded where the skin allows it. Changes the pose.
void rest_limbs(StandingRig& rig, bool upright, bool walks);

// A fin that a swimmer beats like a wing, as rays do.
bool is_wide_fin(const StandingRig& rig, const Limb& limb);

// Spine, neck, tail, arms, wings, and the wave of bodies without legs. By rising joint.
std::vector<control::GaitPart> find_parts(const StandingRig& rig, control::Locomotion locomotion, int trunk,
                                          const std::vector<PlannedLeg>& legs, bool upright);

// Speeds, strides and amplitudes; phases of the legs.
void set_pace(const StandingRig& rig, bool upright, std::vector<PlannedLeg>& legs, control::GaitPlan& plan);

// Of every joint that the plan moves, by its role. Others are free and stay.
std::vector<JointLimit> make_limits(const StandingRig& rig, const control::GaitPlan& plan);

// Upper arm, forearm and hand of an arm; kNoJoint where it has none.
struct ArmJoints {
  int upper = kNoJoint, lower = kNoJoint, hand = kNoJoint;
};
ArmJoints arm_joints(const StandingRig& rig, const Limb& limb);

}  // namespace zoe::author
