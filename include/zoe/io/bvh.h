// SPDX-License-Identifier: MIT
// Part of Zoetrope. Biovision hierarchy files (.bvh): one skeleton, one clip, as text. BVH states neither unit nor up
// axis. Numbers are not changed unless the options say so. docs/bvh.md lists the supported dialects and the treatment
// of damaged files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "zoe/io/asset.h"
#include "zoe/math/euler.h"

namespace zoe::io {

struct BvhReadOptions {
  // Multiplies offsets and positions, > 0. 1 keeps the file's numbers; SourceInfo then holds an estimate of the unit.
  double metres_per_unit = 1.0;
  char up = 'y';  // 'y' or 'z': the up axis of the file's data. 'z' turns the roots by -90 degrees about x.
  ReadLimits limits;
  // A clip may take 16 bytes for each byte of the file plus this number: joints without channels cost the file nothing,
  // yet every frame stores them.
  std::size_t expansion_allowance = std::size_t{4} << 20;
};

// The clip has the file's stem as its name; a file without frames gives a skeleton and no clip.
// Joints keep the file's order; End Sites become joints "<parent>_End" (or their own name, where
// the file gives one).
Result<Asset> read_bvh(const std::filesystem::path& path, const BvhReadOptions& options = {});

// `name` replaces the file name in messages. Its stem names the clip.
Result<Asset> read_bvh(std::span<const std::byte> bytes, std::string_view name, const BvhReadOptions& options = {});

struct BvhWriteOptions {
  double scale = 1.0;  // Units of the file per metre: 100 writes centimetres.
  int precision = 6;   // Decimals of units and degrees, 0 to 12.
  EulerOrder euler_order = EulerOrder::kZXY;
  // Joints other than roots get position channels when they leave their rest offset by more than this fraction of the
  // skeleton's span.
  double position_tolerance = 1e-6;
  // Writes "End Site name" where the name is not "<parent>_End". Off by default: some readers refuse it.
  bool end_site_names = false;
};

// Plain BVH that every reader accepts: rotations of all three axes, positions where needed, no scale channels. Scale
// (the format has none that is widely read) is baked into positions, so that every joint keeps its position; a warning
// says so. BVH has no rest rotation: offsets are the rest translations, rotations are written whole. A motion without
// frames gives its rest pose as one frame. Fails (kUsage) on a skeleton without joints.
Result<std::string> format_bvh(const Motion& motion, const BvhWriteOptions& options = {}, Warnings* warnings = nullptr);

Result<void> write_bvh(const std::filesystem::path& path, const Motion& motion, const BvhWriteOptions& options = {},
                       Warnings* warnings = nullptr);

// Writes one clip of an asset; a rig without clips gives its rest pose as one frame (`clip` must
// then be 0).
Result<void> write_bvh(const std::filesystem::path& path, const Asset& asset, std::size_t clip = 0,
                       const BvhWriteOptions& options = {}, Warnings* warnings = nullptr);

}  // namespace zoe::io
