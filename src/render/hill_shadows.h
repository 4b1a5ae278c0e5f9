// SPDX-License-Identifier: MIT
// The fraction of the sun that the hills of a terrain leave to each of its corners. CPU only, once per terrain and sun:
// a shadow map that is fitted around bodies would darken only its own square of a landscape.
#pragma once

#include <span>

#include "zoe/render/frame.h"

namespace zoe::render {

// to_sun: unit. corners: [num_z × num_x] height and visibility, 0 to 1, with edges that soften with distance.
void hill_shadows(const HeightGrid& field, Vec3 to_sun, std::span<Vec2> corners);

}  // namespace zoe::render
