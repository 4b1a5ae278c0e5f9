// SPDX-License-Identifier: MIT
// Part of Zoetrope. Model-space paths of chosen joints of a clip.
#pragma once

#include <span>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe {

// True when every index names a joint of the motion's skeleton.
bool are_joints(const Motion& motion, std::span<const int> joints);

// Model-space positions, metres, [frames × joints.size()], in the requested order. Only the chosen joints and those
// above them are computed. Indices are checked.
std::vector<Vec3> model_positions(const Motion& motion, std::span<const int> joints);

}  // namespace zoe
