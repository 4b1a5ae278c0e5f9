// SPDX-License-Identifier: MIT
// Part of Zoetrope. Extent of a character's surface around each of its joints.
#pragma once

#include <span>
#include <vector>

#include "zoe/anatomy/model_pose.h"
#include "zoe/character/character.h"

namespace zoe::retarget_detail {

// [joints] the outermost points of the surface that each joint moves most, relative to the joint in its frame without
// scales. Skins, and rigid parts of bones. Meshes on plain nodes (swords, capes) are not body. Empty for joints without
// surface.
using Extents = std::vector<std::vector<Vec3>>;
Extents extents_of(const Character& character);

// Height along `up` of the lowest of these joints, or of their surface where it is known.
float lowest_of(const anatomy::ModelPose& pose, std::span<const int> joints, const Extents& extents, Vec3 up);

}  // namespace zoe::retarget_detail
