// SPDX-License-Identifier: MIT
// Part of Zoetrope. What soles do in clips, and where feet of simulated clips hold: data and measures of learned foot
// locks (control/learned_feet.h).
#pragma once

#include <cstdint>

#include "zoe/ik/leg.h"
#include "zoe/motion/motion.h"
#include "zoe/physics/body_model.h"

namespace zoe::physics {

// Legs of a body in metres whose foot is a box with two bones above it. Knees bend as in the clip, and where it never
// bends them about the axis across the foot. May be empty.
std::vector<Leg> legs_of(const BodyPlan& plan, const Motion& clip);

struct SoleFigures {
  double depth_m = 0;   // Of the deepest point of soles below the ground, mean over frames.
  double slip_m_s = 0;  // Horizontal speed of the lowest points of soles, in frames in which those of the clip stand.
};
// motion: a changed clip. Both have the same frames: a changed foot that stands less often is not better for it.
SoleFigures measure_soles(const BodyModel& model, const Motion& motion, const Motion& clip, double ground_y_m);

// [frames × legs × 2] Ankle and ball do not move while their sole is on the ground.
std::vector<float> holding_feet(const BodyModel& model, std::span<const Leg> legs, const Motion& motion,
                                double ground_y_m);

}  // namespace zoe::physics
