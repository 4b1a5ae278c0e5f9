// SPDX-License-Identifier: MIT
// Part of Zoetrope. The shapes of a body as a mesh, to look at.
#pragma once

#include "zoe/character/character.h"
#include "zoe/physics/body_plan.h"

namespace zoe::physics {

// A character with the body's skeleton whose meshes are the capsules and boxes of the plan. Each follows its bone; its
// colour tells the role. Poses of the skeleton, simulated or not, show it.
CharacterPtr make_body_mesh(const BodyPlan& plan, const SkeletonPtr& skeleton);

}  // namespace zoe::physics
