// SPDX-License-Identifier: MIT
// Part of Zoetrope. The drawn form of a crowd's bodies: one model for all, coloured by group. Only in builds with the
// renderer.
#pragma once

#include <span>

#include "zoe/ecs/world.h"
#include "zoe/math/vec.h"

namespace zoe::render {
class Renderer;
}

namespace zoe::scene {

Vec4 group_color(int group);

// crowd: an entity of add_crowd_actors(). groups: [characters] from 0; may be shorter, then the rest is in group 0.
// Textures that are missing become plain colours. The renderer must outlive the bodies.
void add_drawn_crowd(ecs::World& world, ecs::Entity crowd, std::span<const int> groups, render::Renderer& renderer);

}  // namespace zoe::scene
