// SPDX-License-Identifier: MIT
// Part of Zoetrope. Pictures from and to PNG and JPEG files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/core/result.h"
#include "zoe/render/picture.h"

namespace zoe::render {

// Reads a PNG or JPEG from memory, detected by its first bytes. `name` replaces the file name in messages. Fails on
// damage, on other formats, and above 2^28 pixels.
Result<Picture> decode_picture(std::span<const std::byte> bytes, const std::string& name);
Result<Picture> read_picture(const std::filesystem::path& path);
// The same, turned as the Exif orientation says: for photographs and drawings. Textures stay as they are stored.
Result<Picture> read_upright_picture(const std::filesystem::path& path);

std::vector<std::byte> encode_png(const Picture& picture, PngAlpha alpha);
// Atomic.
Result<void> write_png(const std::filesystem::path& path, const Picture& picture, PngAlpha alpha = PngAlpha::kKeep);

}  // namespace zoe::render
