// SPDX-License-Identifier: MIT
// Part of Zoetrope. The ground of a scene: heights over a grid in world space.
#pragma once

#include <cstdint>
#include <memory>

#include "zoe/ecs/world.h"
#include "zoe/features/terrain.h"
#include "zoe/math/vec.h"

namespace zoe::scene {

// A component. The grid is in world space: the entity's transform does not move it.
struct Terrain {
  std::shared_ptr<const features::GridTerrain> grid;  // Never null.
  std::uint32_t version = 0;                          // Change it with the grid: it is sent to the GPU again.
};

// Of the scene's first terrain, 0 without one. Searches for it: ask once a system, not once a foot.
float ground_height_m(const ecs::World& world, float x, float z);
// Unit, upwards; bilinear cells by central differences over `span_m`.
Vec3 ground_normal(const features::Terrain& terrain, float x, float z, float span_m = 0.05F);

}  // namespace zoe::scene
