// SPDX-License-Identifier: MIT
// Part of Zoetrope. Smooths feet of captures that jump: markers are lost and swapped in rolls and leaps.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe::retarget_detail {

// Spreads rotations of a joint in the model that are faster than any foot over the frames around until they are slower.
// Frames further away do not change. The path of an ankle depends on the pitch of its foot: where that jumps the whole
// leg would. True where there were such rotations.
bool calm_joint(Motion& motion, int joint);

}  // namespace zoe::retarget_detail
