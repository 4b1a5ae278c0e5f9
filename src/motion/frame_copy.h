// SPDX-License-Identifier: MIT
// Part of Zoetrope. Shared by the clip operations: an empty clip with the same properties, and appending frames to it.
#pragma once

#include "zoe/motion/motion.h"

namespace zoe {

// Name, rate, skeleton and layout of `like`, no frames.
Motion empty_like(const Motion& like);

// Appends frames [first, first + count) of `from`. Where only one of the two has scales, ones are filled in.
void append_frames(Motion& to, const Motion& from, int first, int count);

}  // namespace zoe
