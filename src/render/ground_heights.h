// SPDX-License-Identifier: MIT
// The ground as heights for drawing. CPU only.
#pragma once

#include "zoe/ground/ground.h"

namespace zoe::render {

// Grids and meshes have a border and are drawn. Flat ground is part of the environment.
inline bool draws_as_heights(const GroundPtr& ground) {
  return ground != nullptr && (ground->shape() == Ground::Shape::kGrid || ground->shape() == Ground::Shape::kMesh);
}

// A grid itself. A mesh is sampled into `sampled`, over its bounds. Requires draws_as_heights().
const HeightGrid& heights_to_draw(const Ground& ground, HeightGrid& sampled);

}  // namespace zoe::render
