// SPDX-License-Identifier: MIT
// The part of the picture in which shadows and ambient occlusion can change anything. CPU only.
#pragma once

#include "render/frustum.h"

namespace zoe::render {

struct RenderFrame;

// Around the bodies and their shadows on flat ground; elsewhere that ground is lit. bodies: world bounds of everything
// opaque. The whole picture where this is unknown: terrain, a sun near the horizon.
PixelBox effect_area(const RenderFrame& frame, const Box3& bodies, const Mat4& clip_from_world, int width, int height);

}  // namespace zoe::render
