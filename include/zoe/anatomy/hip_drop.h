// SPDX-License-Identifier: MIT
// Part of Zoetrope. Lowers hips smoothly where a leg would not reach its goal.
#pragma once

#include <span>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::anatomy {

// How far a hip must be lowered for its leg to reach; zero for a leg that points aside or up, where lowering would not
// help.
float needed_drop(Vec3 hip, Vec3 goal, Vec3 up, float reach);

// [frames] in and out: at most `most`, never less than requested below that, and smooth.
void smooth_drops(std::vector<float>& drops, float most, double fps);

// Moves a joint and its descendants by `moves`: [frames], in the model.
void move_joint(Motion& motion, int joint, std::span<const Vec3> moves);

// Lowers it by `drops`, [frames], along `up` of the model.
void lower(Motion& motion, int joint, const std::vector<float>& drops, Vec3 up);

}  // namespace zoe::anatomy
