// SPDX-License-Identifier: MIT
// Part of Zoetrope. Reads and writes FBX. Reads binary and ASCII, versions 5800 to 7700, from Maya, 3ds Max,
// MotionBuilder, Blender, Unity and others. The differences between exporters (transforms, curves, skins) are handled
// here and nowhere else.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

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

struct FbxWriteOptions {
  double metres_per_unit = 0.01;  // The file states its unit. Centimetres are what most programs expect.
};

// Writes binary FBX 7.4, Y up, one take per clip. The clips must have character.skeleton's joints (kUsage otherwise).
// What FBX cannot hold is named in `warnings`. docs/fbx.md has the mapping.
Result<void> write_fbx(const std::filesystem::path& path, const Character& character, std::span<const Motion> clips,
                       const FbxWriteOptions& options = {}, Warnings* warnings = nullptr);
// The same to memory.
Result<std::vector<std::byte>> encode_fbx(const Character& character, std::span<const Motion> clips,
                                          const FbxWriteOptions& options = {}, Warnings* warnings = nullptr);

}  // namespace zoe::io
