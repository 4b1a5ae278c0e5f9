// SPDX-License-Identifier: MIT
// Part of Zoetrope. Pictures in other sizes.
#pragma once

#include "zoe/render/picture.h"

namespace zoe::sprite {

// Averages over areas, colours weighted by alpha: for smaller pictures. Larger ones are interpolated by the same boxes.
render::Picture resized(const render::Picture& picture, int width, int height);
// Every pixel `scale` times in width and height.
render::Picture repeated(const render::Picture& picture, int scale);
// Every `scale`-th pixel, from (left, top).
render::Picture thinned(const render::Picture& picture, int left, int top, int scale);
// Part of the picture; outside of it transparent.
render::Picture cropped(const render::Picture& picture, int left, int top, int width, int height);
render::Picture mirrored(const render::Picture& picture);

}  // namespace zoe::sprite
