// SPDX-License-Identifier: MIT
// Part of Zoetrope. Ground, grid, shadows and occlusion in proportion to the displayed body. Only in builds with the
// renderer.
#pragma once

#include "zoe/scene/extent.h"

namespace zoe::scene {

// Height of the ground: zero, unless the feet are elsewhere.
float ground_height_m(const BodyExtent& extent);

// Bodies range from spiders to dragons. eye_m, target_m: of the camera, world space.
void fit_surroundings(const BodyExtent& extent, Vec3 eye_m, Vec3 target_m, render::RenderFrame& frame);

}  // namespace zoe::scene
