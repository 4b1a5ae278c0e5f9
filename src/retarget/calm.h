// SPDX-License-Identifier: MIT
// Part of Zoetrope. Feet of captures that jump: markers are lost and swapped in rolls and leaps.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe::retarget_detail {

// Spreads turns of a joint in the model that are faster than any foot turns over the frames around
// until they are slower; frames further off stay as they are. Its ankle's way hangs on how a foot
// is pitched: where that jumps the whole leg would. True where there were such.
bool calm_joint(Motion& motion, int joint);

}  // namespace zoe::retarget_detail
