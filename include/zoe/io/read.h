// SPDX-License-Identifier: MIT
// Part of Zoetrope. One reader for every format. The format is detected by the bytes, not only by the name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "zoe/io/asset.h"

namespace zoe::io {

enum class Format : std::uint8_t { kBvh, kGltf, kGlb, kFbx, kNpz, kObj, kUsda, kUsdz };

// Options with the same meaning in every format. Each reader's own header has the rest.
struct ReadOptions {
  double fps = 0;  // Rate to sample curves at; 0: the file's own. Ignored by formats that store frames.
  // Up axis of BVH data, 'y' or 'z', which the format does not state; 'a': along which the body stands, else y. The
  // result is Y up.
  char bvh_up = 'a';
  ReadLimits limits;
};

// By magic bytes first, then by extension; nullopt when neither is known.
std::optional<Format> detect_format(std::span<const std::byte> head, const std::filesystem::path& name);
// By extension alone, for files to be written.
std::optional<Format> format_of_extension(const std::filesystem::path& name);
// Extensions that read_asset supports, lower case with the dot.
std::span<const std::string_view> readable_extensions();

// Reads a motion or character file of any supported format.
Result<Asset> read_asset(const std::filesystem::path& path, const ReadOptions& options = {});
// The same from memory. `name` replaces the file name in messages and names its clips. A .gltf that refers to other
// files is refused: it needs its folder.
Result<Asset> read_asset(std::span<const std::byte> bytes, const std::string& name, const ReadOptions& options = {});

}  // namespace zoe::io
