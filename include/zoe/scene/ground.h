// SPDX-License-Identifier: MIT
// Part of Zoetrope. The ground of a scene: a GroundPtr as a component, in world space.
//
//   world.create(Ground::grid(grid).value());
//
// The entity's transform does not move it. To change it, replace the GroundPtr.
#pragma once

#include "zoe/ecs/world.h"
#include "zoe/ground/ground.h"

namespace zoe::scene {

// Of the scene's first entity that has one; null without. Searches for it: call once per system, not once per foot.
GroundPtr ground_of(const ecs::World& world);
// 0 where the scene has no ground.
float ground_height_m(const ecs::World& world, float x, float z);

}  // namespace zoe::scene
