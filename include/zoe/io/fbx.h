// SPDX-License-Identifier: MIT
// Part of Zoetrope. Reads FBX: binary and ASCII, versions 5800 to 7700, from Maya, 3ds Max, MotionBuilder, Blender,
// Unity and others. The differences between exporters (transforms, curves, skins) are handled here and nowhere else.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "zoe/core/result.h"
#include "zoe/io/asset.h"

namespace zoe::io {

struct FbxReadOptions {
  // Frame rate of the clips. 0 takes the file's own rate. Keys are curves: any rate is exact at its frames.
  double fps = 0;
  bool meshes = true;  // False: skeleton and clips only, several times faster on characters.
  bool clips = true;   // False: character only.
  // Few keys can span many frames, and one mesh can have many instances, so the decoded size may exceed the file by
  // far. Up to this number of bytes is always granted, and 8 times the file's size; more is ErrorCode::kLimit.
  std::size_t bytes_always_granted = std::size_t{64} << 20;
  ReadLimits limits;
};

// Reads a file. Clips are sampled at the frame grid of each take, in file order. See docs/fbx.md for the mapping.
Result<Asset> read_fbx(const std::filesystem::path& path, const FbxReadOptions& options = {});

// The same from memory; `name` replaces the file name in messages. Keeps no reference to the bytes.
Result<Asset> read_fbx(std::span<const std::byte> bytes, const std::string& name, const FbxReadOptions& options = {});

}  // namespace zoe::io
