// SPDX-License-Identifier: MIT
// PNG through libpng; see picture.h.
#pragma once

#include <span>
#include <string>

#include "zoe/core/result.h"
#include "zoe/render/picture.h"

namespace zoe::render {

constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 28;

std::vector<std::byte> encode_png_bytes(const Picture& picture, PngAlpha alpha);
Result<Picture> decode_png(std::span<const std::byte> bytes, const std::string& name);

}  // namespace zoe::render
