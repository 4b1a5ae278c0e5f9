// SPDX-License-Identifier: MIT
// Part of Zoetrope. How far a character's surface sticks out around each of its joints.
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/model_pose.h"
#include "zoe/character/character.h"

namespace zoe::retarget_detail {

// [joints] a few points of the surface that each joint moves most of, the outermost ones, from the
// joint in its frame without scales. Skins, and rigid parts of bones; what hangs on plain nodes
// (swords, capes) is not body. None for joints without.
using Extents = std::vector<std::vector<Vec3>>;
Extents extents_of(const Character& character);

// Height along `up` of the lowest of these joints, of their surface where it is known.
float lowest_of(const anatomy::ModelPose& pose, std::span<const int> joints, const Extents& extents, Vec3 up);

}  // namespace zoe::retarget_detail
