// SPDX-License-Identifier: MIT
#include "zoe/scene/ground.h"

#include "zoe/ecs/query.h"

namespace zoe::scene {

GroundPtr ground_of(const ecs::World& world) {
  const ecs::Entity first = world.query<const GroundPtr>().first();
  return first ? world.get<GroundPtr>(first) : nullptr;
}

float ground_height_m(const ecs::World& world, float x, float z) {
  const GroundPtr ground = ground_of(world);
  return ground != nullptr ? ground->height(x, z) : 0.0F;
}

}  // namespace zoe::scene
