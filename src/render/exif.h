// SPDX-License-Identifier: MIT
// The orientation that cameras and phones store beside a picture.
#pragma once

#include <cstddef>
#include <span>

#include "zoe/render/picture.h"

namespace zoe::render {

// Exif's tag 274 of a PNG or JPEG file: 1 to 8; 1 where there is none, or where it is damaged.
int exif_orientation(std::span<const std::byte> file);

// The picture as it is meant to be seen: turned and mirrored as `orientation` says.
Picture upright(Picture picture, int orientation);

}  // namespace zoe::render
