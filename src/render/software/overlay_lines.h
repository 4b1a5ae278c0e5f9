// SPDX-License-Identifier: MIT
// Lines and letters of an overlay over a picture of the software rasteriser, as in shaders/overlay.*.glsl.
#pragma once

#include "zoe/render/picture.h"

#include "render/software/surfaces.h"

namespace zoe::render {

// visibility: of the opaque surfaces, for hidden lines.
void draw_overlay_lines(const FrameView& view, const Visibility& visibility, std::vector<Vec4>& pixels);

}  // namespace zoe::render
