// SPDX-License-Identifier: MIT
// Part of Zoetrope. The pose in which a character's skins were bound.
#pragma once

#include <optional>

#include "zoe/character/character.h"
#include "zoe/character/pose.h"

namespace zoe::anatomy {

// From the inverse bind matrices of the skins. Nodes of a file may hold another pose (a frame of an idle). Joints that
// no skin binds keep their rest transform below their parent. Empty without a skin, or where matrices are singular.
std::optional<Pose> bind_pose(const Character& character);

}  // namespace zoe::anatomy
