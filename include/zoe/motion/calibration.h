// SPDX-License-Identifier: MIT
// Part of Zoetrope. Calibration poses at the start of a capture.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe {

// Number of frames at the start that hold a calibration pose: still, then left by a rotation of all joints at once that
// no body makes (4 degrees per joint on average, and six times what follows). Every clip of the CMU captures starts
// with one T-pose frame. It spoils velocities and smoothed roots well into the clip. Zero for a clip that starts with
// its motion. Only the first half second is searched.
int num_calibration_frames(const Motion& motion);

// Removes them, for everything that learns from a clip. Returns their number. start_time_s moves along, so that times
// keep their meaning.
int drop_calibration_frames(Motion& motion);

}  // namespace zoe
