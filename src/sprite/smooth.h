// SPDX-License-Identifier: MIT
// Part of Zoetrope. Smooth styles: pixels are means of their samples.
#pragma once

#include "zoe/render/picture.h"
#include "zoe/sprite/frame_set.h"

#include "sprite/shade.h"

namespace zoe::sprite {

// Means in linear light. Colours are not multiplied by alpha.
Cel average(const Samples& samples);

// A shadow of one colour: alpha is the coverage of the buffer's samples. hard: pixels have all of it or none.
Cel shadow_cel(const render::SurfaceBuffer& coverage, int scale, bool hard);

}  // namespace zoe::sprite
