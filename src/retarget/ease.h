// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a body must be brought back to its stance for its skin to hold.
#pragma once

#include <functional>
#include <vector>

#include "zoe/character/character.h"
#include "zoe/motion/motion.h"

namespace zoe::retarget_detail {

// The clip retargeted with these eases, [frames]; see Transfer::run().
using EasedClip = std::function<Motion(const std::vector<float>&)>;

// [frames] the least ease with which no frame stretches the skin by more than `allowed`, smooth in time. Frames that no
// ease mends have none. Empty where `clip` (without any) is within it.
std::vector<float> find_ease(const Character& character, double allowed, const Motion& clip,
                             const EasedClip& with_ease);

}  // namespace zoe::retarget_detail
