// SPDX-License-Identifier: MIT
// Part of Zoetrope. glTF 2.0: .glb and .gltf in and out, from files and memory. See docs/gltf.md for what maps to what.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/io/asset.h"

namespace zoe::io {

struct GltfReadOptions {
  // Frames a second of the clips; 0 finds the rate of the file's own keys, so that keys land on frames.
  double fps = 0;
  // Scene whose nodes become the skeleton; -1 takes the file's default scene.
  int scene = -1;
  bool load_images = true;
  // Where relative names of buffers and images are looked up when reading from memory; empty refuses them.
  std::filesystem::path base_folder;
  ReadLimits limits;
  // Decoding may take 16 bytes for each byte of the file plus this many: a few sparse keys become many frames.
  std::size_t expansion_allowance = std::size_t{64} << 20;
};

// Reads .glb or .gltf; which one is told by the bytes, not by the name. Never follows a name out of the file's folder.
Result<Asset> read_gltf(const std::filesystem::path& path, const GltfReadOptions& options = {});
// The same from memory: a whole GLB, or the JSON text of a .gltf.
Result<Asset> read_gltf(std::span<const std::byte> bytes, const GltfReadOptions& options = {});

}  // namespace zoe::io
