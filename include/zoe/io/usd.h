// SPDX-License-Identifier: MIT
// Part of Zoetrope. USD: reads UsdSkel characters from .usda text (also inside .usdz), writes .usda and .usdz.
// docs/usd.md has the mapping.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/io/asset.h"

namespace zoe::io {

struct UsdReadOptions {
  double fps = 0;  // Frames per second of the clips; 0: that of the file's samples.
  // Few samples can span many frames. Up to this number of bytes is always granted, and 16 times the file's size.
  std::size_t expansion_allowance = std::size_t{64} << 20;
  std::filesystem::path base_folder;  // Folder of textures when reading from memory; empty: none are loaded.
  ReadLimits limits;
};

// Reads .usda, or the .usda inside a .usdz. Binary crates (.usdc) and files that compose others are refused with the
// remedy. Textures are only followed inside the file's own folder.
Result<Asset> read_usd(const std::filesystem::path& path, const UsdReadOptions& options = {});
// The same from memory; `name` replaces the file name in messages.
Result<Asset> read_usd(std::span<const std::byte> bytes, const std::string& name, const UsdReadOptions& options = {});

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
