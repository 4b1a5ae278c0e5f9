// SPDX-License-Identifier: MIT
// Part of Zoetrope. VRM: glTF characters of people that name their bones and their author. Reads VRM 0.x and 1.0,
// writes 1.0. docs/gltf.md#vrm has the mapping. The meshes and clips themselves are read by zoe/io/gltf.h.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoe/character/human_bone.h"
#include "zoe/io/asset.h"

namespace zoe::io {

struct VrmMeta {
  std::string name;
  std::string version;               // Of the character.
  std::vector<std::string> authors;  // A file has at least one.
  std::string licence;               // Address or name.
};

struct Vrm {
  std::string spec_version;      // "1.0", "0.x".
  std::vector<HumanBone> bones;  // Names of VRM 1.0, also for 0.x. Joints of the skeleton that read_gltf() gives.
  VrmMeta meta;
};

// Bones that every VRM file has.
std::span<const std::string_view> required_human_bones();

// What a glTF file states beyond its content. nullopt when it is no VRM file. Bones whose nodes are no joints are
// skipped.
Result<std::optional<Vrm>> read_vrm(const std::filesystem::path& path);
Result<std::optional<Vrm>> read_vrm(std::span<const std::byte> bytes);

// Writes a GLB with VRMC_vrm 1.0. Fails (kInvalid) with the names of the required bones that `vrm` lacks, or where one
// joint has two names. A rest pose that is no T-pose gives a warning. An empty author becomes "unknown".
Result<void> write_vrm(const std::filesystem::path& path, const Character& character, std::span<const Motion> clips,
                       const Vrm& vrm, Warnings* warnings = nullptr);

}  // namespace zoe::io
