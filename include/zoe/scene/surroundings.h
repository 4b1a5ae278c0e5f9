// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ground, grid, shadows and occlusion in proportion to the body that is looked at. Only in builds
// with the renderer.
#pragma once

#include "zoe/scene/extent.h"

namespace zoe::scene {

// Where the body stands: at zero, unless its feet say otherwise.
float ground_height_m(const BodyExtent& extent);

// Bodies are as small as spiders and as large as dragons. eye_m, target_m: of the camera, world space.
void fit_surroundings(const BodyExtent& extent, Vec3 eye_m, Vec3 target_m, render::RenderFrame& frame);

}  // namespace zoe::scene
