// SPDX-License-Identifier: MIT
// The ground as the heights that are drawn. CPU only.
#pragma once

#include "zoe/ground/ground.h"

namespace zoe::render {

// Grids and meshes have a border, and so a drawing; flat ground is the environment's.
inline bool draws_as_heights(const GroundPtr& ground) {
  return ground != nullptr && (ground->shape() == Ground::Shape::kGrid || ground->shape() == Ground::Shape::kMesh);
}

// Of a grid itself; of a mesh sampled into `sampled`, over its bounds. Only for what draws_as_heights().
const HeightGrid& heights_to_draw(const Ground& ground, HeightGrid& sampled);

}  // namespace zoe::render
