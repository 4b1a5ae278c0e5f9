// SPDX-License-Identifier: MIT
// Part of Zoetrope. glTF 2.0: reads and writes .glb and .gltf, files and memory. See docs/gltf.md for the mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "zoe/io/asset.h"

namespace zoe::io {

struct GltfReadOptions {
  // Frames per second of the clips; 0 finds the rate of the file's own keys, so that keys are on frames.
  double fps = 0;
  // Scene whose nodes become the skeleton; -1 takes the file's default scene.
  int scene = -1;
  bool load_images = true;
  // Folder for relative names of buffers and images when reading from memory; empty refuses them.
  std::filesystem::path base_folder;
  ReadLimits limits;
  // Decoding may take 16 bytes for each byte of the file plus this number: a few sparse keys become many frames.
  std::size_t expansion_allowance = std::size_t{64} << 20;
};

// Reads .glb or .gltf; the bytes decide, not the name. Never follows a name out of the file's folder.
Result<Asset> read_gltf(const std::filesystem::path& path, const GltfReadOptions& options = {});
// The same from memory: a whole GLB, or the JSON text of a .gltf.
Result<Asset> read_gltf(std::span<const std::byte> bytes, const GltfReadOptions& options = {});

// A curve of the file: connected LINES, a LINE_STRIP or a LINE_LOOP. World space of the file, metres.
struct Line {
  std::string name;  // Name of its node.
  std::vector<Vec3> places;
  bool closed = false;  // The last position is connected to the first.
};
// All curves; other content is ignored. An empty result is no error.
Result<std::vector<Line>> read_gltf_lines(const std::filesystem::path& path);
Result<std::vector<Line>> read_gltf_lines(std::span<const std::byte> bytes, const GltfReadOptions& options = {});

enum class GltfContainer : std::uint8_t {
  kByExtension,  // ".glb" is a GLB, anything else kSeparate.
  kGlb,          // One binary file.
  kSeparate,     // JSON, and its data in "<stem>.bin" beside it.
  kEmbedded,     // JSON with its data as base64 inside: one file, a third larger.
};

enum class GltfWeights : std::uint8_t { kFloat, kUnsigned16, kUnsigned8 };  // How skin weights are stored.

struct GltfWriteOptions {
  GltfContainer container = GltfContainer::kByExtension;
  GltfWeights weights = GltfWeights::kFloat;
  // A skeleton without any mesh is invisible in viewers and a set of empties in Blender. With this it gets a small
  // octahedron per bone, skinned to the skeleton. Our reader skips it again.
  bool skeleton_mesh = true;
  // Omits keys that the interpolation of their neighbours reproduces within the tolerances below.
  bool reduce_keys = false;
  double translation_tolerance = 1e-5;  // Metres; also for scales and morph weights, where it is a plain number.
  double rotation_tolerance = 1e-5;     // Radians.
  // A JSON object whose members go into asset.extras: captions, licence, ….
  std::string asset_extras;
  // A JSON object whose members become extensions of the file, named in extensionsUsed. Joint i is node i.
  std::string extensions;
};

// Writes the character and its clips, which must have character.skeleton's joints (kUsage otherwise). Every joint
// becomes a node of the same number. What glTF cannot hold (an image of an unknown type, …) is omitted and named in
// `warnings`.
Result<void> write_gltf(const std::filesystem::path& path, const Character& character, std::span<const Motion> clips,
                        const GltfWriteOptions& options = {}, Warnings* warnings = nullptr);
Result<void> write_gltf(const std::filesystem::path& path, const Asset& asset, const GltfWriteOptions& options = {},
                        Warnings* warnings = nullptr);
// To memory: a GLB, or JSON with everything embedded when options.container selects JSON.
Result<std::vector<std::byte>> encode_gltf(const Character& character, std::span<const Motion> clips,
                                           const GltfWriteOptions& options = {}, Warnings* warnings = nullptr);

}  // namespace zoe::io
