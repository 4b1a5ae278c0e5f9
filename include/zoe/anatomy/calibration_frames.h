// SPDX-License-Identifier: MIT
// Part of Zoetrope. Calibration frames: a T-pose that capture software puts before a take.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe::anatomy {

// Number of frames at the beginning, at most three, after which the body jumps into another pose: joints turn by more
// than 3 degrees on average, and four times as far as in nine of ten frames of the next second, in which the body does
// not come back to that pose, which is about the rest pose. 0 where the clip begins as it goes on.
int count_calibration_frames(const Motion& motion);

}  // namespace zoe::anatomy
