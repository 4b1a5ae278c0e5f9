// SPDX-License-Identifier: MIT
// JPEG through libjpeg; see picture.h. Textures of characters are often JPEG.
#pragma once

#include <span>
#include <string>

#include "zoe/core/result.h"
#include "zoe/render/picture.h"

namespace zoe::render {

Result<Picture> decode_jpeg(std::span<const std::byte> bytes, const std::string& name);

}  // namespace zoe::render
