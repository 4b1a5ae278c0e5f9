// SPDX-License-Identifier: MIT
// Part of Zoetrope's command line. Ground, grid, shadows and occlusion in proportion to the body that is looked at.
#pragma once

#include "render/actor.h"

namespace zoe::cli {

// Where the body stands: at zero, unless its feet say otherwise.
float ground_height_m(const ActorExtent& extent);

// Bodies are as small as spiders and as large as dragons. eye, target: the camera, world metres.
void fit_surroundings(const ActorExtent& extent, Vec3 eye_m, Vec3 target_m, render::RenderFrame& frame);

}  // namespace zoe::cli
