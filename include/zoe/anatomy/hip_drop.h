// SPDX-License-Identifier: MIT
// Part of Zoetrope. Hips that come down, smoothly, where a leg would not reach its goal.
#pragma once

#include <span>
#include <vector>

#include "zoe/motion/motion.h"

namespace zoe::anatomy {

// How far a hip must come down for its leg to reach; nothing for a leg that points aside or up,
// which that would not help.
float needed_drop(Vec3 hip, Vec3 goal, Vec3 up, float reach);

// [frames] in and out: at most `most`, never less than asked for below that, and smooth.
void smooth_drops(std::vector<float>& drops, float most, double fps);

// Moves a joint, and what hangs on it, by `moves`: [frames], in the model.
void move_joint(Motion& motion, int joint, std::span<const Vec3> moves);

// Moves it down by `drops`, [frames], along `up` of the model.
void lower(Motion& motion, int joint, const std::vector<float>& drops, Vec3 up);

}  // namespace zoe::anatomy
