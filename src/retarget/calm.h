// SPDX-License-Identifier: MIT
// Part of Zoetrope. Smooths feet of captures that jump: markers are lost and swapped in rolls and leaps.
#pragma once

#include <cstdint>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::retarget_detail {

// Spreads rotations of a joint in the model that are faster than any foot over the frames around until they are slower.
// Frames further away do not change. The path of an ankle depends on the pitch of its foot: where that jumps the whole
// leg would. True where there were such rotations.
bool calm_joint(Motion& motion, int joint);

// [frames] the largest rotation of any joint from the frame before, relative to its parent or in the model, radians;
// the largest within a frame.
std::vector<float> largest_steps(const Motion& motion);

// Spreads rotations of every joint below `top`, relative to its parent, that are larger from frame to frame than 46
// degrees and than the source's largest (`source_steps`). A limb that is folded to its limit, or a tail that hangs
// straight down, turns far for a small motion of its end.
void calm_joints_below(Motion& motion, int top, const std::vector<float>& source_steps);

}  // namespace zoe::retarget_detail
