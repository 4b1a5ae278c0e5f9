// SPDX-License-Identifier: MIT
// Part of Zoetrope. USD: writes UsdSkel characters as .usda text and .usdz archives. docs/usd.md has the mapping.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/io/asset.h"

namespace zoe::io {

struct UsdTexture {
  std::string path;  // As the text refers to it, relative to its own file.
  std::span<const std::byte> bytes;
};

struct UsdText {
  std::string text;
  std::vector<UsdTexture> textures;  // Views into the character's images.
};

// The text of a .usda file: metres, Y up. The clips must have character.skeleton's joints (kUsage otherwise). Textures
// are named below `texture_folder`. What UsdSkel cannot hold is named in `warnings`.
Result<UsdText> encode_usda(const Character& character, std::span<const Motion> clips,
                            const std::string& texture_folder = "textures", Warnings* warnings = nullptr);
// An archive of the text and its textures, stored and aligned to 64 bytes.
Result<std::vector<std::byte>> encode_usdz(const Character& character, std::span<const Motion> clips,
                                           Warnings* warnings = nullptr);
// The extension selects .usda or .usdz. Textures of "x.usda" are written to the folder "x_textures" beside it.
Result<void> write_usd(const std::filesystem::path& path, const Character& character, std::span<const Motion> clips,
                       Warnings* warnings = nullptr);

}  // namespace zoe::io
