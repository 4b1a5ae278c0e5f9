// SPDX-License-Identifier: MIT
// Part of Zoetrope. What a skin needs of a retargeted motion: every joint that moves some of it goes along.
#pragma once

#include <vector>

#include "zoe/character/character.h"

#include "retarget/feet.h"

namespace zoe::retarget_detail {

// [joints] 1 where a joint moves a part of a skin, or carries a rigid mesh.
std::vector<char> weighted_joints(const Character& character);

// The joint that carries the body through the world: the topmost weighted one from the hips upwards, else the hips. A
// skin tears where joints above it stay behind.
int travel_joint(const Skeleton& skeleton, int hips, const std::vector<char>& weighted);

// Weighted joints beside the body, which no matched joint carries. Each goes along with the joint of the body that
// shares most of its skin, or with the nearest one.
std::vector<DetachedFoot> find_loose_parts(const RetargetBody& body, const Character& character,
                                           const std::vector<DetachedFoot>& feet);

}  // namespace zoe::retarget_detail
