// SPDX-License-Identifier: MIT
#include "zoe/scene/terrain.h"

#include "zoe/ecs/query.h"

namespace zoe::scene {

float ground_height_m(const ecs::World& world, float x, float z) {
  const ecs::Entity first = world.query<const Terrain>().first();
  return first ? world.get<Terrain>(first).grid->height(x, z) : 0.0F;
}

Vec3 ground_normal(const features::Terrain& terrain, float x, float z, float span_m) {
  const float dx = terrain.height(x + span_m, z) - terrain.height(x - span_m, z);
  const float dz = terrain.height(x, z + span_m) - terrain.height(x, z - span_m);
  return normalized(Vec3{-dx, 2 * span_m, -dz}, {0, 1, 0});
}

}  // namespace zoe::scene
