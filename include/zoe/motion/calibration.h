// SPDX-License-Identifier: MIT
// Part of Zoetrope. Poses that stand before a capture and are none of it.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe {

// How many frames at the start hold a calibration pose: still, then left by a turn of all joints at
// once that no body makes (4 degrees a joint on average, and six times what follows). Every clip of
// the CMU captures has one: one T-pose frame, from which velocities and smoothed roots come out
// wrong well into the clip. Zero for a clip that starts with its motion; the first half second is
// looked at.
int num_calibration_frames(const Motion& motion);

// Leaves them out, for everything that learns from a clip; returns how many there were.
// start_time_s moves along, so that times keep their meaning.
int drop_calibration_frames(Motion& motion);

}  // namespace zoe
