// SPDX-License-Identifier: MIT
// Part of Zoetrope. Where feet are: each stays where it was put down until the clock of its leg lifts it, then swings
// to where the body will need it.
#pragma once

#include <span>

#include "zoe/control/gait.h"
#include "zoe/control/trajectory.h"

namespace zoe::control {

// One foot, model space. The position is of its point of contact, with the foot flat.
struct FootStep {
  Vec3 at, from;
  float facing_rad = 0, from_facing_rad = 0;
  float swing = 1;   // Progress of a swing, 0 to 1. 1: planted.
  float lift_m = 0;  // Height of the swing.
  float roll_rad = 0;

  bool planted() const { return swing >= 1; }
};

// The rhythm at a speed.
struct Rhythm {
  float stride_hz = 1, duty = 0.6F;
  float effort = 0;  // 0: stands, 1: walks or is faster.
  float fast = 0;    // 0: walks, 1: top speed.
};
Rhythm rhythm_of(const GaitPlan& plan, Vec3 velocity_mps, float turn_rad_s) noexcept;

// Fraction of its stride that a leg has done since its touchdown.
float leg_clock(const GaitLeg& leg, float phase, float fast) noexcept;

// All feet at home around the root.
void stand_feet(const GaitPlan& plan, const PlanarRoot& root, std::span<FootStep> feet) noexcept;

// Moves feet on by a step of time. `phase`: strides since the start.
void advance_feet(const GaitPlan& plan, const TrajectoryPoint& body, const Rhythm& rhythm, float phase, float dt_s,
                  std::span<FootStep> feet) noexcept;

}  // namespace zoe::control
