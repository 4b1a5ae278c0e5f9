// SPDX-License-Identifier: MIT
// Part of Zoetrope. Motions as NumPy archives in the layout of AI4AnimationPy: global joint
// positions and quaternions.
//
// Keys: name, framerate, positions [frames, joints, 3], quaternions [frames, joints, 4] (x y z w),
// bone_names, parent_indices (-1: root), parent_names. docs/npz.md has the details. The container
// itself is zoe/io/npz_file.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "zoe/io/asset.h"

namespace zoe::io {

struct MotionNpzReadOptions {
  double metres_per_unit = 1.0;  // Multiplies positions, > 0; the layout's own unit is the metre.
  ReadLimits limits;
};

// The layout holds no rest pose. With several frames it is rebuilt as the median offset of each joint from its parent
// without rotation, as in a BVH file. A single frame is the rest pose itself.
Result<Asset> read_motion_npz(const std::filesystem::path& path, const MotionNpzReadOptions& options = {});
// `name` replaces the file name in messages.
Result<Asset> read_motion_npz(std::span<const std::byte> bytes, std::string_view name,
                              const MotionNpzReadOptions& options = {});

struct MotionNpzWriteOptions {
  double scale = 1.0;   // Units of the file per metre.
  int compression = 1;  // 0: stored. 1 (fast) to 12 (small): deflated.
};

// Adds `scales` [frames, joints, 3] (parent-relative) when a scale is not one. Other readers ignore them; ours reads
// them. A motion without frames gives its rest pose as one frame. Fails (kUsage) on a skeleton without joints.
Result<std::vector<std::byte>> encode_motion_npz(const Motion& motion, const MotionNpzWriteOptions& options = {});
Result<void> write_motion_npz(const std::filesystem::path& path, const Motion& motion,
                              const MotionNpzWriteOptions& options = {});
// Writes one clip of an asset; a rig without clips gives its rest pose as one frame (`clip` must
// then be 0).
Result<void> write_motion_npz(const std::filesystem::path& path, const Asset& asset, std::size_t clip = 0,
                              const MotionNpzWriteOptions& options = {});

}  // namespace zoe::io
